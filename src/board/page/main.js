// The main script of the board: it shows the server's messages and sends the user's requests.

import { PlayerRow } from "./clock.js";
import { byId, download, element } from "./dom.js";
import { percent } from "./graph.js";
import { MoveList } from "./moves.js";
import { chooser, newGame, study } from "./panel.js";
import { PlayBoard } from "./play.js";
import { inWords, newLog, referee } from "./referee.js";
import { setup } from "./setup.js";
import { soundOf } from "./sounds.js";
import { speech } from "./speech.js";
import { story } from "./story.js";
import { tree } from "./tree.js";

let socket = null;
let state = null;
let view = 0; // the number of plies before the displayed position
let flipped = false;
let received = 0; // when `state` arrived, for the clocks
let seen = []; // the engine's lines

const board = new PlayBoard(byId("board"), {
  play: m => state.referee ? desk.play(m) : ask({ ask: "move", text: m.text }),
  choose: (moves, take) => choose(moves, take), plan,
});
const choose = chooser(route => board.set({ arrows: arrows(route ? [route] : []) }));
const players = { above: new PlayerRow(byId("above")), below: new PlayerRow(byId("below")) };
const list = new MoveList(byId("moves"), ply => go(ply));
const games = newGame({
  begin: terms => ask({ ask: "new", terms }),
  resume: id => ask({ ask: "resume", id }),
  forget: id => ask({ ask: "forget", id }),
});
const speak = speech({ heard: text => ask({ ask: "move", text }), warn });
const desk = referee({ ask, board, tell, speak });
const logs = newLog({
  begin: terms => ask({ ask: "arbitrate", terms }),
  open: text => ask({ ask: "open-log", text }),
  resume: id => ask({ ask: "resume", id }),
  forget: id => ask({ ask: "forget", id }),
});
const studies = study({
  list: (game, text) => ask({ ask: "games", game, text }),
  open: (game, text, number) => ask({ ask: "study", game, text, number }),
});

const editor = setup({
  examine: (game, text) => ask({ ask: "examine", game, text }),
  analyse: (game, text) => ask({ ask: "study", game, text }),
  play: (game, variant, fen) => games.from(variant || game, fen),
});
const moves = tree({ ask });
const course = story({ ask });

function tell(text) { byId("status").textContent = text; }

function warn(text) { byId("alert").textContent = text; }

function ask(what) {
  moves.flush();
  warn("");
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(what));
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
    warn(event.reason || "Connection to the server lost, reconnecting…");
    setTimeout(connect, 2000);
  });
}

function hear(message) {
  const handler = {
    welcome: ({ unfinished, logs: kept, engines }) => {
      games.unfinished(unfinished);
      logs.unfinished(kept);
      games.engines(engines);
      if (document.documentElement.dataset.live === "yes") return;
      document.documentElement.dataset.live = "yes";
      warn("");
      ask({ ask: "notation", name: byId("notation").value });
      ask({ ask: "speak", french: byId("tongue").value === "fr" });
      const id = sessionStorage.getItem("game");
      const text = sessionStorage.getItem("study");
      if (id) ask({ ask: "resume", id });
      else if (text) {
        const { game, record, number } = JSON.parse(text);
        ask({ ask: "study", game, text: record });
        ask({ ask: "go", number });
      }
      else if (!state) games.open();
    },
    board: board => show(board),
    lines: lines => showLines(lines),
    examined: message => editor.examined(message),
    games: message => studies.listed(message),
    progress: ({ progress }) => course.progress(progress),
    laws: message => desk.laws(message),
    next: message => desk.next(message),
    sheet: message => desk.sheet(message),
    record: ({ name, text }) => download(name, text),
    note: ({ text }) => tell(text),
    refused: ({ why }) => {
      warn(why);
      desk.refused();
      if (state?.study) view = state.at;
      if (state) return drawBoard(false);
      sessionStorage.clear();
      games.open(why);
    },
    moved: () => {
      sessionStorage.clear();
      state = null;
      document.body.classList.add("empty");
      warn("This game was opened in another tab.");
    },
  }[message.say];
  handler?.(message);
}

// ------------------------------------------------------------------------------------- display

function show(next) {
  const before = state;
  const same = before && before.id === next.id && before.mode === next.mode && before.start === next.start;
  const stays = same && before.at === next.at && before.plies.length === next.plies.length && before.fen === next.fen;
  const forward = same && next.at === before.at + 1 && (next.study || view === before.at);
  if (!same) {
    flipped = next.you === "black";
    seen = [];
    board.set({ flipped });
  }
  if (!forward || next.ending) board.forget();
  if (same) soundOf(before, next);
  if (!stays) seen = [];
  state = next;
  editor.done();
  received = performance.now();
  if (!stays) view = next.at;
  document.body.classList.remove("empty");
  document.body.classList.toggle("arbiter", next.mode === "referee");
  if (next.mode !== "study") {
    sessionStorage.setItem("game", next.id);
    sessionStorage.removeItem("study");
  } else {
    sessionStorage.removeItem("game");
    sessionStorage.setItem("study", JSON.stringify({ game: next.game, record: next.record, number: next.study.tree.here }));
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
  byId("unsaved").textContent = next.unsaved ? "The last moves are not saved: the disk may be full. Saving is tried again every two seconds." : "";
}

// Returns the arrows of the engine's lines, best first.
const arrows = routes => routes.slice(0, 3).map((route, rank) => ({ route, kind: `rank-${rank}` }));

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
    arrows: here ? arrows(seen.map(line => line.route)) : [],
  });
  if (moving) board.animate(route);
  byId("board").dataset.ply = view;
}

function drawMoves(before) {
  for (const id of ["notes", "story"]) byId(id).hidden = !state.study;
  drawKnown(state.study?.known);
  if (state.study) {
    moves.show(state, !before || before.study.tree.here !== state.study.tree.here);
    return course.show(state);
  }
  const ending = state.ending ? state.ending.score.replace("1/2-1/2", "½–½").replace("-", "–") : "";
  list.show(state, state.plies.map(({ text, spoken }) => ({ text, words: `${spoken}, ${text}` })), ending);
  list.at(view);
}

function drawKnown(known) {
  byId("known").hidden = !known;
  if (!known) return;
  const button = ({ text, shown, value, distance }) => {
    const result = distance === null ? value : `${value}, ${distance}`;
    return element("button", { class: value, onclick: () => ask({ ask: "move", text }) },
      `${shown} `, element("small", {}, result));
  };
  byId("known").querySelector("p").textContent = `Tablebase: ${known.text}.`;
  byId("known").querySelector("div").replaceChildren(...known.moves.map(button));
}

function drawButtons() {
  const study = state.mode === "study";
  for (const name of ["take-back", "offer", "claim", "resign", "analyse", "stop", "save"]) {
    const can = state.can.includes(name);
    const shown = state.referee ? ["take-back", "save"].includes(name) : study ? !["offer", "claim", "resign"].includes(name) : !["analyse", "stop"].includes(name);
    byId(name).hidden = !shown || (["claim", "analyse", "stop"].includes(name) && !can);
    byId(name).disabled = !can;
  }
  byId("promote").hidden = !state.can.includes("promote");
  byId("offer").hidden ||= state.you === null;
  byId("take-back").textContent = state.referee ? "Undo event" : study ? "Delete from here" : "Take back";
  byId("counted").hidden = !study;
  byId("noted").hidden = state.game !== "chess";
  byId("text").disabled = state.legal.length === 0;
  byId("fen").value = state.fen;
  byId("bar").hidden = !study;
  byId("lines").hidden = !study;
}

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
    words.push(`${white ? "White" : "Black"}: ${last.spoken}.`);
    if (fresh) speak(last.announced, state.game === "chess" ? "de" : "en");
  }
  if (state.ending) words.push(`${state.ending.text}.`);
  else if (state.referee) words.push(state.referee.presses ? `${name(state.referee.presses)} has not pressed the clock.` : `${name(state.turn)} to move.`);
  else if (state.mode === "play") words.push(state.thinking ? `${state.players[state.turn === "white" ? 0 : 1]} is thinking.` : state.you ? "Your move." : `${name(state.turn)} to move.`);
  else if (state.legal.length === 0) words.push("No legal moves.");
  if (state.ending && !(same && before.ending)) speak(state.ending.text, state.referee?.french ? "fr" : "en");
  tell(words.join(" "));
}

function plan(squares) {
  if (squares.length > 0) tell(`Premove: ${squares.join(" to ")}.`);
  else if (state) announce(state, true);
}

const name = side => side === "white" ? "White" : "Black";

function drawPlayers() {
  ["white", "black"].forEach((side, index) => row(side).set({
    side, name: state.players[index] === "?" ? name(side) : state.players[index],
    left: state.clocks[index], turn: state.turn === side && !state.ending,
  }));
  tick();
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

function score({ score, mate }) {
  if (mate !== null) return `${mate > 0 ? "+" : "−"}M${Math.abs(mate)}`;
  return (score < 0 ? "−" : "+") + (Math.abs(score) / 100).toFixed(2);
}

function showLines(message) {
  if (!state || message.at !== state.at) return;
  seen = message.lines;
  drawLines(message);
  if (view === state.at) board.set({ arrows: arrows(seen.map(line => line.route)) });
}

function drawLines(message) {
  const bar = byId("bar");
  const best = seen[0];
  bar.style.setProperty("--share", `${100 * (best?.white ?? 0.5)}%`);
  bar.classList.toggle("turned", flipped);
  bar.setAttribute("aria-label", best ? `evaluation ${score(best)}, White’s expected points ${percent(best.white)}` : "no evaluation");
  bar.querySelector("span").textContent = best ? score(best).replace(/\.(\d)\d$/, ".$1") : "";
  const rows = seen.map(line => element("p", {}, element("b", {}, score(line)), ` ${line.moves.join(" ")}`));
  if (message) {
    const speed = message.time > 0 ? `, ${Math.round(message.nodes / message.time)} thousand nodes per second` : "";
    rows.push(element("p", { class: "quiet" }, `depth ${message.depth}${speed}`));
  } else if (state?.mode === "study" && seen.length === 0) {
    rows.push(element("p", { class: "quiet" }, state.can.includes("stop") ? "Engine starting…" : "Engine off"));
  }
  byId("lines").replaceChildren(...rows);
}

// ------------------------------------------------------------------------------------- actions

// Shows the position after `ply` moves. In a study, the server moves there.
function go(ply) {
  if (!state) return;
  const to = Math.max(0, Math.min(ply, state.plies.length));
  if (state.mode === "study") {
    // Set at once, so that repeated key presses before the server's answer continue from here.
    view = to;
    return ask({ ask: "at", ply: to });
  }
  const moving = to === view + 1;
  view = to;
  drawBoard(moving);
  drawMoves();
}

function flip() {
  flipped = !flipped;
  board.set({ flipped });
  drawBoard(false);
  drawLines();
  drawPlayers();
}

function times() {
  const shown = index => state.clocks[index] - (state.running === ["white", "black"][index] ? performance.now() - received : 0);
  if (!state || state.clocks[0] === null) return;
  const words = `${inWords("white", Math.max(0, shown(0)))}. ${inWords("black", Math.max(0, shown(1)))}.`;
  tell(words);
  speak(words, "en");
}

const does = {
  new: () => games.open(), arbitrate: () => logs.show(),
  study: () => studies.open(state?.game ?? "chess", state?.fen ?? ""),
  "set-up": () => {
    byId("study-dialog").close();
    editor.open(byId("study-game").value, state?.game === byId("study-game").value ? state.fen : "");
  },
  first: () => go(0), back: () => go(view - 1), forward: () => go(view + 1), last: () => go(Infinity),
  flip, "take-back": () => ask({ ask: "take-back" }),
  offer: () => ask({ ask: "offer" }), claim: () => ask({ ask: "claim" }),
  resign: () => ask({ ask: "resign" }), save: () => ask({ ask: "save" }),
  analyse: () => ask({ ask: "analyse", lines: Number(byId("count").value) }),
  stop: () => ask({ ask: "stop" }),
};
for (const [id, action] of Object.entries(does)) byId(id).addEventListener("click", action);

byId("count").addEventListener("change", () => { if (state?.can.includes("stop")) does.analyse(); });
byId("notation").value = localStorage.getItem("notation") ?? "figurine";
if (byId("notation").selectedIndex < 0) byId("notation").value = "figurine";
byId("notation").addEventListener("change", event => {
  localStorage.setItem("notation", event.target.value);
  ask({ ask: "notation", name: event.target.value });
});
byId("typed").addEventListener("submit", event => {
  event.preventDefault();
  const text = byId("text").value.trim();
  if (text) ask({ ask: "move", text });
  byId("text").value = "";
});
byId("fen").addEventListener("focus", event => event.target.select());
addEventListener("keydown", event => {
  if (event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const sideways = state?.study && { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (sideways && moves.sideways(sideways)) return event.preventDefault();
  const edits = state?.study && { Delete: does["take-back"], p: moves.promote, c: moves.comment }[event.key];
  const action = edits || { ArrowLeft: does.back, ArrowRight: does.forward, Home: does.first, End: does.last, f: flip, t: times, Escape: () => board.forget() }[event.key];
  if (!action) return;
  action();
  event.preventDefault();
});
addEventListener("dragover", event => event.preventDefault());
addEventListener("drop", event => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) studies.drop(event.dataTransfer.files[0]);
});
setInterval(tick, 100);
document.body.classList.add("empty");
connect();
