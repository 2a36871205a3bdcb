// The main script of the board: it shows the server's messages and sends the user's requests.

import { PlayerRow } from "./clock.js";
import { byId, download, element } from "./dom.js";
import { engine } from "./engine.js";
import { isFrench, say, speakFrench } from "./french.js";
import { lesson } from "./lesson.js";
import { keepForReload, recent } from "./library.js";
import { showHelp, toggleZen } from "./look.js";
import { ahead } from "./material.js";
import { MoveList, shownResult } from "./moves.js";
import { VARIANTS, chooser, gameOf, inMinutes, newGame, study, sure } from "./panel.js";
import { PlayBoard } from "./play.js";
import { played } from "./played.js";
import { practice, solutionOf } from "./practice.js";
import { inWords, newLog, referee } from "./referee.js";
import { replay } from "./replay.js";
import { setup } from "./setup.js";
import { soundOf } from "./sounds.js";
import { speech } from "./speech.js";
import { story } from "./story.js";
import { tags } from "./tags.js";
import { tree } from "./tree.js";

let socket = null;
let state = null;
let view = 0; // the number of plies before the displayed position
let flipped = false;
let received = 0; // the time at which `state` arrived, for the clocks
let steps = 0; // the number of steps in a study that the server has not answered yet
let seen = [[], []]; // the lines of both engines
let copies = false; // true if the next record from the server goes to the clipboard
let reopens = false; // true while the page waits for its game after a new connection
let analysis = null; // the key under which the browser stores the open analysis
let ended = null; // the terms of the finished game under analysis, for a rematch

const board = new PlayBoard(byId("board"), {
  play: m => state.referee ? desk.play(m) : ask({ ask: lessons.isSecret() ? "try" : "move", text: m.text }),
  choose: (moves, take) => choose(moves, take), plan,
});
const choose = chooser(route => board.set({ arrows: arrows(route ? [route] : []) }));
const players = { above: new PlayerRow(byId("above")), below: new PlayerRow(byId("below")) };
const list = new MoveList(byId("moves"), ply => go(ply));
const games = newGame({
  begin: terms => ask({ ask: "new", terms }),
  resume: id => ask({ ask: "resume", id }),
  forget: id => ask({ ask: "forget", id }),
  list: listStored, leave,
});
const speak = speech({ heard: text => ask({ ask: "move", text }), warn });
const desk = referee({ ask, board, tell, speak, read: face });
const logs = newLog({
  begin: terms => ask({ ask: "arbitrate", terms }),
  open: text => ask({ ask: "open-log", text }),
  resume: id => ask({ ask: "resume", id }),
  forget: id => ask({ ask: "forget", id }),
});
const studies = study({
  list: (game, text) => ask({ ask: "games", game, text }),
  listFile: ask,
  open: examine,
  openGame: (id, terms) => {
    [analysis, ended] = [null, terms];
    ask({ ask: "open-game", id });
  },
  saveGame: id => ask({ ask: "save-game", id }),
  forget: id => ask({ ask: "forget", id }),
});
const analyses = recent({ open: ({ key, game, record, number }) => {
  byId("study-dialog").close();
  examine(game, record);
  ask({ ask: "go", number });
  analysis = key;
} });

const editor = setup({
  examine: (game, text) => ask({ ask: "examine", game, text }),
  analyse: examine,
  play: (game, variant, fen) => games.from(variant || game, fen),
});
const moves = tree({ ask });
const course = story({ ask });
const thinking = engine({ ask });
const lessons = lesson({ ask });
const editTags = tags({ ask });
const drawPlayed = played({ ask });
const practices = practice({
  ask,
  search: thinking.start,
  redraw: () => { if (state) drawBoard(false); },
});
const replaying = replay({
  shown: () => ({ ply: view, plies: state?.plies.length ?? 0, seconds: state?.study?.times?.[view] }),
  forward: () => go(view + 1),
});

// Opens a text for analysis. If the open analysis was changed, it remains in the list of stored
// analyses.
function examine(game, text, number) {
  [analysis, ended] = [null, null];
  ask({ ask: "study", game, text, number });
}

// Calls `act`, which leaves the open game. If a clock runs in this game, asks for confirmation
// first. The server stores the game.
function leave(act) {
  if (state?.mode !== "play" || !state.running || state.plies.length === 0) return act();
  sure("Leave this game? Its clock stops, and New game lists it.", "Leave", act);
}

function listStored() {
  if (socket?.readyState === WebSocket.OPEN) ask({ ask: "stored" });
}

function tell(text) { byId("status").textContent = say(text); }

function warn(text) { byId("alert").textContent = say(text); }

// Sends a request, or the bytes of a file.
function ask(what) {
  moves.flush();
  warn("");
  if (socket?.readyState === WebSocket.OPEN) socket.send(what instanceof ArrayBuffer ? what : JSON.stringify(what));
  else warn("Not connected to the server.");
}

// ----------------------------------------------------------------------------- server messages

function connect() {
  const address = new URL("live", location.href);
  address.protocol = "ws:";
  socket = new WebSocket(address);
  socket.addEventListener("message", event => hear(JSON.parse(event.data)));
  socket.addEventListener("close", event => {
    document.documentElement.dataset.live = "no";
    steps = 0;
    warn(event.reason || "Connection to the server lost, reconnecting… If the server now runs on another port, open the address that it printed.");
    setTimeout(connect, 2000);
  });
}

function hear(message) {
  const handler = {
    welcome: ({ unfinished, finished, logs: kept, engines }) => {
      games.unfinished(unfinished);
      studies.finished(finished);
      logs.unfinished(kept);
      games.engines(engines);
      thinking.engines(engines);
      if (document.documentElement.dataset.live === "yes") return;
      document.documentElement.dataset.live = "yes";
      steps = 0;
      warn("");
      ask({ ask: "notation", name: byId("notation").value });
      ask({ ask: "speak", french: isFrench() });
      const id = sessionStorage.getItem("game");
      const text = sessionStorage.getItem("study");
      reopens = Boolean(id);
      if (id) ask({ ask: "resume", id });
      else if (text) {
        const { game, record, number, key, terms, lesson } = JSON.parse(text);
        examine(game, record);
        [analysis, ended] = [key ?? null, terms ?? null];
        ask({ ask: "go", number });
        if (lesson) ask({ ask: "learn", side: lesson.side, number: lesson.number });
      }
      else if (!state) games.open();
      studies.restore();
    },
    board: board => show(board),
    lines: lines => showLines(lines),
    examined: message => editor.examined(message),
    games: message => {
      studies.listed(message);
      showNext();
    },
    progress: ({ progress }) => course.progress(progress),
    laws: message => desk.laws(message),
    next: message => desk.next(message),
    sheet: message => desk.sheet(message),
    record: ({ name, text }) => {
      if (copies) copy(text, "The game has been copied.");
      else download(name, text);
      copies = false;
    },
    note: ({ text }) => tell(text),
    refused: ({ why, ask: request }) => {
      if (request === "new") return games.open(why);
      if (request === "arbitrate" || request === "open-log") return logs.show(why);
      if (request === "games") return studies.explain(why);
      if (request === "study" && studies.failed(why)) return;
      if (request === "resume" && reopens) {
        reopens = false;
        close();
        return games.open(say("The game on this page cannot be continued: {0}. Start a new game.", why));
      }
      warn(why);
      desk.refused();
      if (state?.study) view = state.at;
      [copies, steps] = [false, 0];
      if (state) return drawBoard(false);
      sessionStorage.clear();
      games.open(why);
    },
    moved: () => {
      close();
      warn("This game was opened in another tab.");
    },
  }[message.say];
  handler?.(message);
}

const showNext = () => { byId("next-puzzle").hidden = !studies.hasNext(); };

// Empties the page when its game is no longer open.
function close() {
  sessionStorage.clear();
  state = null;
  desk.close();
  board.set({ legal: [], waits: null, check: null });
  document.body.classList.add("empty");
  document.body.classList.remove("play", "study", "referee");
  tell("");
}

// ------------------------------------------------------------------------------------- display

function show(next) {
  const before = state;
  const same = before && before.id === next.id && before.mode === next.mode && before.start === next.start;
  const stays = same && before.at === next.at && before.plies.length === next.plies.length && before.fen === next.fen
    && before.study?.threat === next.study?.threat;
  const forward = same && next.at === before.at + 1 && (next.study || view === before.at);
  if (!same) {
    flipped = next.you === "black";
    seen = [[], []];
    board.set({ flipped });
  }
  if (next.mode === "play" && next.you === null && byId("turn-board").checked) {
    flipped = next.turn === "black";
    board.set({ flipped });
  }
  if (!forward || next.ending) board.forget();
  if (same) soundOf(before, next);
  if (!stays) seen = [[], []];
  state = next;
  // If the clock of a log was running before the page was reloaded, start it again.
  if (reopens && next.referee?.clocked && sessionStorage.getItem("clock") === "runs") ask({ ask: "watch", runs: true });
  keepForReload("clock", next.running ? "runs" : "stopped");
  reopens = false;
  for (const dialog of [editor, games, studies, logs]) dialog.done();
  received = performance.now();
  // In a study, each message from the server answers one step of the user. While further steps are
  // unanswered, the view stays ahead of the server.
  if (steps > 0) steps -= 1;
  if (!stays && steps === 0) view = next.at;
  document.body.classList.remove("empty");
  for (const mode of ["play", "study", "referee"]) document.body.classList.toggle(mode, next.mode === mode);
  if (next.mode !== "study") {
    sessionStorage.removeItem("study");
    keepForReload("game", next.id);
  } else {
    sessionStorage.removeItem("game");
    if (next.study.changed) {
      analysis ??= Date.now().toString(36);
      analyses.keep(analysis, next);
    }
    keepForReload("study", JSON.stringify({ game: next.game, record: next.record, number: next.study.tree.here, key: analysis, terms: ended, lesson: next.study.lesson }));
  }
  if (!next.referee) desk.close();
  drawBoard(forward);
  if (next.referee) desk.show(next, same);
  drawMoves(same && before);
  drawButtons();
  drawLines();
  announce(before, same);
  if (next.legal.length > 0 && board.playPremove()) tell("The premove cannot be played.");
  drawPlayers();
  byId("unsaved").textContent = next.unsaved ? say("The last moves are not saved: the disk may be full. Saving is tried again every two seconds.") : "";
  // Move the focus to the table. The button that opened the dialog would otherwise keep the focus
  // and react to the space bar.
  if (!same && (document.activeElement === document.body || document.activeElement.closest("header"))) {
    byId("table").focus({ preventScroll: true });
  }
}

// Returns the lines of the first engine that has any.
const lines = () => seen[0].length > 0 ? seen[0] : seen[1];

// Returns the arrows of the engine's lines, best first.
const arrows = routes => routes.slice(0, 3).map((route, rank) => ({ route, kind: state?.study?.threat ? "threat" : `rank-${rank}` }));

// During practice, the engine's moves stay hidden.
const engineArrows = () => practices.isOn() ? [] : arrows(lines().map(line => line.route));

function drawBoard(moving) {
  if (!state) return;
  const last = view > 0 ? state.plies[view - 1] : null;
  const here = view === state.at;
  const route = last ? last.route : [];
  board.set({
    game: state.game,
    squares: here && state.referee ? state.referee.squares : last ? last.squares : state.start,
    legal: here ? state.legal : [],
    moved: route,
    way: route,
    check: here ? state.check : null,
    waits: here && state.mode === "play" && !state.ending && state.turn !== state.you ? state.you : null,
    arrows: here ? engineArrows() : [],
    shapes: state.study ? state.study.tree.shapes : [],
  });
  if (moving) board.animate(route);
  byId("board").dataset.ply = view;
}

function drawMoves(before) {
  for (const id of ["notes", "story"]) byId(id).hidden ||= !state.study;
  drawKnown(state.study?.known);
  lessons.show(state);
  practices.show(state);
  drawPlayed(state);
  if (state.study) {
    moves.show(state, !before || before.study.tree.here !== state.study.tree.here);
    return course.show(state);
  }
  const ending = state.ending ? shownResult(state.ending.score) : "";
  list.show(state, state.plies.map(({ text, spoken }) => ({ text, words: `${spoken}, ${text}` })), ending);
  list.at(view);
}

function tablebaseResult({ winner, note }) {
  const result = say({ white: "White wins", black: "Black wins" }[winner] ?? "draw");
  if (note === null) return result;
  if (note === "fifty") return say("{0} by the 50-move rule; without the rule, the game would be decided", result);
  if (note === "few") return say("{0}, unless the move limit for few pieces is reached first", result);
  const words = note.dtz === 1 ? "{0}; {1} half-move to the next capture or pawn move (DTZ)"
    : "{0}; {1} half-moves to the next capture or pawn move (DTZ)";
  return say(words, result, note.dtz);
}

function drawKnown(known) {
  byId("known").hidden = !known;
  if (!known) return;
  const button = ({ text, shown, value, distance }) => {
    const result = distance === null ? say(value) : `${say(value)}, ${distance}`;
    return element("button", { class: value, onclick: () => ask({ ask: "move", text }) },
      `${shown} `, element("small", {}, result));
  };
  byId("known").querySelector("p").textContent = say("Tablebase: {0}.", tablebaseResult(known));
  byId("known").querySelector("div").replaceChildren(...known.moves.map(button));
}

// The requests that have buttons, by mode.
const BUTTONS = {
  play: ["take-back", "offer", "claim", "resign", "save"],
  study: ["take-back", "undo", "promote", "save"],
  referee: ["take-back", "save"],
};

function drawButtons() {
  for (const name of new Set(Object.values(BUTTONS).flat())) {
    const can = state.can.includes(name);
    byId(name).hidden = !BUTTONS[state.mode].includes(name) || (["claim", "undo", "promote"].includes(name) && !can);
    byId(name).disabled = !can;
  }
  const study = state.mode === "study";
  for (const id of ["annotate", "judge", "export", "edit-tags", "play-on", "practise"]) byId(id).hidden = !study;
  byId("practise").disabled = state.legal.length === 0 || Boolean(state.study?.lesson);
  byId("export").disabled = !state.study?.course;
  byId("export").title = state.study?.course ? "" : say("analyse the game first");
  for (const id of ["puzzles-epd", "puzzles-games"]) byId(id).hidden = !state.study?.puzzles;
  byId("puzzles-games").textContent = say(state.game === "chess" ? "Puzzles (PGN)" : "Puzzles (PDN)");
  byId("offer").textContent = say(state.you === null ? "Agree draw" : "Offer draw");
  byId("take-back").title = study ? say("delete this move and all moves after it (Delete)") : "";
  byId("take-back").textContent = say(state.referee ? "Undo event" : study ? "Delete" : "Take back");
  byId("after").hidden = study ? !ended || Boolean(state.study.lesson) : state.mode !== "play" || !state.ending;
  byId("examine").hidden = study;
  replaying.show(state.plies.length > 0 && (study ? !state.study.lesson : Boolean(state.ending) && state.mode === "play"));
  byId("noted").hidden = state.game !== "chess";
  byId("text").disabled = state.legal.length === 0;
  byId("fen").value = state.fen;
  drawHeads();
}

// Converts a time control tag from seconds to minutes: `300+3` to `5+3`.
const tagInMinutes = control => control.replace(/^(\d+)(\+\d+)?$/, (_, base, more) => `${base / 60}${more ?? ""}`);

// Shows the variant, time control and opening of a game, or the tags of an analysed game.
function drawHeads() {
  const variant = say(VARIANTS[gameOf(state.game, state.fen)] ?? "");
  const words = [];
  if (state.study) {
    const { Event, Site, Round, Date: date, Opening, ECO, Result, Termination, TimeControl } = Object.fromEntries(state.study.heads);
    words.push([Result && shownResult(Result), Termination].filter(Boolean).join(", "), variant,
      state.opening ?? [ECO, Opening].filter(Boolean).join(" "), Event, Round && say("round {0}", Round), date?.replace(/\.\?\?/g, ""), Site, tagInMinutes(TimeControl ?? ""));
  } else if (state.terms) {
    words.push(variant, "chess960" in Object(state.terms.start) ? say("Chess960, position {0}", state.terms.start.chess960) : "",
      state.terms.time === "-" ? say("no clock") : inMinutes(state.terms.time), state.opening);
  }
  byId("heads").textContent = words.filter(Boolean).join(" · ");
  byId("heads").title = byId("heads").textContent;
  byId("heads").hidden = byId("heads").textContent === "";
  byId("puzzle").hidden = !solution();
  showNext();
}

const solution = () => solutionOf(state);

// Announces a move or result once, in the live region.
function announce(before, same) {
  const last = state.plies.at(-1);
  const words = [];
  const walked = state.study && same && before.fen !== state.fen;
  if (walked) words.push(moves.words());
  if (walked && state.at > 0) speak(state.plies[state.at - 1].announced, state.game === "chess" ? "de" : "en");
  const fresh = same && state.plies.length > before.plies.length;
  if (last && !state.study && (fresh || !same) && state.at === state.plies.length) {
    const white = (state.plies.length + (state.black_first ? 1 : 0)) % 2 === 1;
    // The spoken form of a move is in English.
    words.push(say("{0}: {1}.", say(name(white ? "white" : "black")), isFrench() ? last.text : last.spoken));
    if (fresh) speak(last.announced, state.game === "chess" ? "de" : "en");
  }
  if (state.ending) words.push(`${state.ending.text}.`);
  else if (state.referee) words.push(say(state.referee.presses ? `${name(state.referee.presses)} has not pressed the clock.` : `${name(state.turn)} to move.`));
  else if (state.mode === "play" && state.thinking) words.push(say("{0} is thinking.", state.players[state.turn === "white" ? 0 : 1]));
  else if (state.mode === "play") words.push(compulsory() || say(state.you ? "Your move." : `${name(state.turn)} to move.`));
  else if (state.legal.length === 0) words.push(say("No legal moves."));
  if (state.ending && !(same && before.ending)) speak(state.ending.text, isFrench() ? "fr" : "en");
  tell(words.filter(Boolean).join(" "));
}

// Lists the compulsory captures in draughts.
function compulsory() {
  const captures = state.legal.filter(m => m.takes.length > 0).map(m => m.shown);
  if (state.game !== "draughts" || captures.length === 0) return "";
  return say(captures.length > 4 ? "You must capture: {0} or another." : "You must capture: {0}.", captures.slice(0, 4).join(say(" or ")));
}

function plan(squares) {
  if (squares.length > 0) tell(say("Premove: {0}.", squares.join(say(" to "))));
  else if (state) announce(state, true);
}

const name = side => side === "white" ? "White" : "Black";

function drawPlayers() {
  ["white", "black"].forEach((side, index) => row(side).set({
    side, name: ["?", "You", "White", "Black"].includes(state.players[index]) ? say(state.players[index] === "?" ? name(side) : state.players[index]) : rated(state.players[index], side),
    note: ahead(state.game, shownSquares(), state.start, side),
    left: state.clocks[index], turn: (state.running ?? state.turn) === side && !state.ending,
  }));
  tick();
}

const shownSquares = () => view === state.at && state.referee ? state.referee.squares : state.plies[view - 1]?.squares ?? state.start;

function rated(player, side) {
  const rating = state.study?.heads.find(([tag]) => tag === (side === "white" ? "WhiteElo" : "BlackElo"))?.[1];
  return rating ? `${player} (${rating})` : player;
}

// Returns the player of a side, the milliseconds left and whether the clock runs.
function face(side) {
  const index = side === "white" ? 0 : 1;
  const [left, runs] = [state.clocks[index], state.running === side];
  const player = state.players[index] === "?" ? say(name(side)) : state.players[index];
  return { player, runs, left: left === null ? null : Math.max(0, left - (runs ? performance.now() - received : 0)) };
}

const row = side => (side === "white") === flipped ? players.above : players.below;

function tick() {
  if (!state) return;
  const past = performance.now() - received;
  ["white", "black"].forEach((side, index) => {
    const left = state.clocks[index];
    row(side).tick(left === null ? null : left - (state.running === side ? past : 0));
  });
}

// -------------------------------------------------------------------------------------- the engine

function showLines(message) {
  if (!state || message.at !== state.at) return;
  seen[message.panel] = message.lines;
  drawLines(message);
  practices.hear(message);
  if (view === state.at) board.set({ arrows: engineArrows() });
}

function drawLines(message) {
  thinking.show(state, seen, message);
  // The score of a threat is not the score of the displayed position.
  thinking.bar((state.study?.threat ? null : lines()[0]) ?? state.study?.tree.score, flipped);
  byId("board").dataset.flipped = flipped ? "yes" : "no";
}

// ------------------------------------------------------------------------------------- actions

// Shows the position after `ply` moves. In a study, requests the position from the server.
function go(ply) {
  if (!state || lessons.isSecret()) return;
  const to = Math.max(0, Math.min(ply, state.plies.length));
  if (state.mode === "study") {
    // Set immediately, so that further key presses before the server's answer continue from here.
    view = to;
    steps += 1;
    return ask({ ask: "at", ply: to });
  }
  const moving = to === view + 1;
  view = to;
  drawBoard(moving);
  drawMoves();
  drawPlayers();
}

function flip() {
  if (!state) return;
  flipped = !flipped;
  board.set({ flipped });
  drawBoard(false);
  drawLines();
  drawPlayers();
}

// Announces the times of the players with a clock.
function times() {
  const left = state ? ["white", "black"].map(side => inWords(side, face(side).left)) : [];
  const words = left.filter(Boolean).map(text => `${text}.`).join(" ");
  if (!words) return;
  tell(words);
  speak(words, "en");
}

function copy(text, done) {
  navigator.clipboard.writeText(text).then(() => tell(done), error => warn(say("The browser does not allow copying: {0}", error.message)));
}

function remove() {
  if (!state.study) return ask({ ask: "take-back" });
  const count = moves.following();
  const act = () => {
    ask({ ask: "take-back" });
    tell("Deleted. Undo or Ctrl+Z brings it back.");
  };
  if (count > 1) sure(say("Delete {0} moves?", count), "Delete", act);
  else if (count === 1) act();
}

function rematch() {
  const terms = state.terms ?? ended;
  const you = { white: "black", black: "white" }[terms.you] ?? null;
  ask({ ask: "new", terms: { ...terms, you, names: terms.names?.toReversed() } });
}

const does = {
  new: () => games.open(), arbitrate: () => logs.show(),
  study: () => {
    analyses.draw();
    listStored();
    studies.open(state ? gameOf(state.game, state.fen) : "chess", state?.fen ?? "");
  },
  "set-up": () => {
    byId("study-dialog").close();
    const game = byId("study-game").value;
    editor.open(game, state && gameOf(state.game, state.fen) === game ? state.fen : "");
  },
  first: () => go(0), back: () => go(view - 1), forward: () => go(view + 1), last: () => go(Infinity),
  flip, "take-back": remove,
  offer: () => {
    const offer = () => ask({ ask: "offer" });
    if (state.you === null) sure("Agree a draw?", "Agree draw", offer);
    else offer();
  },
  solution: () => tell(say("Solution: {0}", solution())), "next-puzzle": () => studies.next(),
  claim: () => ask({ ask: "claim" }),
  resign: () => sure("Resign this game?", "Resign", () => ask({ ask: "resign" })),
  save: () => ask({ ask: "save" }), undo: () => ask({ ask: "undo" }),
  examine: () => {
    const { game, record, terms } = state;
    examine(game, record);
    ended = terms;
  },
  rematch,
  "copy-fen": () => copy(state.fen, "The FEN has been copied."),
  "copy-record": () => {
    copies = true;
    ask({ ask: "save" });
  },
  picture: () => import("./picture.js").then(({ asSvg }) => asSvg()),
  "picture-png": () => import("./picture.js").then(({ asPng }) => asPng(warn)),
  "edit-tags": () => editTags(state),
  "play-on": () => games.from(gameOf(state.game, state.fen), state.fen),
  export: () => ask({ ask: "export" }),
  "puzzles-epd": () => ask({ ask: "puzzles", format: "epd" }),
  "puzzles-games": () => ask({ ask: "puzzles", format: "games" }),
};
for (const [id, action] of Object.entries(does)) byId(id).addEventListener("click", action);
byId("menu").addEventListener("click", event => { if (event.target.closest("#copy-fen, #copy-record, #picture, #picture-png, #play-on, #practise, #export, #puzzles-epd, #puzzles-games")) byId("menu").hidePopover(); });
byId("more").addEventListener("click", () => { byId("fen").value = state?.fen ?? ""; });

board.draw = shapes => { if (state?.study) ask({ ask: "draw", shapes }); };
let turned = 0; // wheel movement since the last step, in pixels
byId("board").addEventListener("wheel", event => {
  if (!state || event.ctrlKey) return;
  event.preventDefault();
  turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : 40 * event.deltaY;
  if (Math.abs(turned) < 40) return;
  go(view + Math.sign(turned));
  turned = 0;
}, { passive: false });

byId("notation").value = localStorage.getItem("notation") ?? "figurine";
if (byId("notation").selectedIndex < 0) byId("notation").value = "figurine";
byId("notation").addEventListener("change", event => {
  localStorage.setItem("notation", event.target.value);
  ask({ ask: "notation", name: event.target.value });
});
// The language of the page: as chosen, or as set in the browser.
const tongue = byId("tongue");
tongue.value = localStorage.getItem("tongue") ?? (navigator.language.startsWith("fr") ? "fr" : "en");
tongue.addEventListener("change", async () => {
  localStorage.setItem("tongue", tongue.value);
  await speakFrench(tongue.value === "fr");
  games.draw();
  ask({ ask: "speak", french: isFrench() });
  listStored();
});

byId("typed").addEventListener("submit", event => {
  event.preventDefault();
  const text = byId("text").value.trim();
  if (text) ask({ ask: lessons.isSecret() ? "try" : "move", text });
  byId("text").value = "";
});
byId("fen").addEventListener("focus", event => event.target.select());
addEventListener("keydown", event => {
  // An open menu takes all keys, even if the focus is still on the button that opened it.
  if (event.target.closest("input, textarea, select, dialog, [popover]") || byId("menu").matches(":popover-open")) return;
  // During a lesson, a part of the game is hidden, so it cannot be changed by keys.
  const studied = state?.study && !state.study.lesson;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && studied) {
    const key = event.key.toLowerCase();
    const step = key === "z" ? event.shiftKey ? "redo" : "undo" : key === "y" ? "redo" : null;
    if (!step) return;
    if (state.can.includes(step)) ask({ ask: step });
    return event.preventDefault();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || lessons.isSecret() && !["f", "z", "?", "Escape"].includes(event.key)) return;
  // Escape discards the move being entered and the premove.
  if (event.key === "Escape" && (replaying.stop() || board.forget())) return event.preventDefault();
  if (event.key === "Escape" && byId("zen").checked) return toggleZen();
  const sideways = state?.study && { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (sideways && moves.sideways(sideways)) return event.preventDefault();
  const edits = studied && { Delete: does["take-back"], p: moves.promote, c: moves.comment, l: thinking.toggle, x: thinking.threaten }[event.key];
  const action = edits || { ArrowLeft: does.back, ArrowRight: does.forward, Home: does.first, End: does.last, f: flip, t: times, z: toggleZen, "?": showHelp }[event.key];
  if (!action) return;
  action();
  event.preventDefault();
});
addEventListener("dragover", event => event.preventDefault());
addEventListener("drop", event => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (!file) return;
  // Any other dialog would hide the opened game.
  document.querySelectorAll("dialog[open]:not(#study-dialog)").forEach(dialog => dialog.close());
  studies.takeFile(file);
});
// Opens a pasted position or game, unless it is pasted into a field or a dialog.
addEventListener("paste", event => {
  const text = event.clipboardData.getData("text/plain");
  if (event.target.closest("input, textarea, dialog[open]") || !text.trim()) return;
  event.preventDefault();
  studies.take(text);
});
setInterval(tick, 100);
document.body.classList.add("empty");
board.set({ game: "chess", squares: "rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR" });
// Without the French texts, the page stays in English.
speakFrench(tongue.value === "fr").catch(() => {}).then(() => {
  games.draw();
  connect();
});
