// The dialogs: new game, analysis, and the choice between several moves.

import { byId, element } from "./dom.js";
import { counted, say } from "./french.js";
import { gameList, keepForReload } from "./library.js";
import { shownResult } from "./moves.js";

const LEVELS = {
  chess: [["full", "full strength"], ...[800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800]
    .map(elo => [`elo ${elo}`, `${elo} Elo`]), ["elo", "another rating"]],
  draughts: [["full", "full strength"], ...[0, 2, 4, 6, 8, 10, 12, 14, 16, 18].map(skill => [`skill ${skill}`, ["skill {0} of 20", skill]])],
};
const USUAL = { chess: "elo 1400", draughts: "skill 6" };
const fewer = less => counted(less, "{0} man fewer", "{0} men fewer");
// Odds: the name as in `adoube start`, the label with its values, and a hint that says who gives the
// odds.
const ODDS = {
  chess: [["", "none", ""], ...["pawn and move", "pawn and two moves"].map(odds => [odds, odds, "Black gives the odds."]),
    ...["knight", "bishop", "rook", "queen"].map(odds => [odds, odds, `White plays without the ${odds === "queen" ? "queen" : `queen’s ${odds}`}.`])],
  draughts: [["", "none", ""], ...[1, 2, 3, 4, 5].map(less => [String(less), [less > 1 ? "{0} men fewer" : "{0} man fewer", less], "White gives the odds."])],
};
export const VARIANTS = { killer: "Killer draughts", bt: "Breakthrough draughts", frisian: "Frisian draughts", losing: "Losing draughts" };

// Returns the game or draughts variant of a FEN.
export function gameOf(game, fen) {
  const variant = /:V([a-z]+)/i.exec(fen)?.[1].toLowerCase();
  return variant in VARIANTS ? variant : game;
}

// The tags of the draughts variants in PDN.
const TAGS = { killer: '[Variant "Killer"]', bt: '[GameType "96"]', frisian: '[GameType "40"]', losing: '[GameType "98"]' };
export const START = { chess: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", draughts: "W:W31-50:B1-20" };

// Adds a draughts variant to a text that contains a position or games, unless the text already names
// a variant.
export function inVariant(text, variant) {
  if (!(variant in VARIANTS) || /:V[a-z]|\[(?:GameType|Variant) /i.test(text)) return text;
  if (!text.trim()) return `${START.draughts}:V${variant}`;
  if (/^\s*[WB]:/.test(text)) return `${text.trim()}:V${variant}`;
  if (/^\[Event /m.test(text)) return text.replace(/^\[Event /mg, `${TAGS[variant]}\n[Event `);
  return `${TAGS[variant]}\n${text.trimStart().startsWith("[") ? "" : "\n"}${text.trimStart()}`;
}

// Prevents the form of a dialog from being submitted, and makes the dialog close on a click outside it or on
// one of its close buttons.
export function prepare(dialog) {
  dialog.querySelector("form").addEventListener("submit", event => event.preventDefault());
  for (const button of dialog.querySelectorAll("[data-close]")) button.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
}

prepare(byId("sure"));

// Asks for confirmation before it calls `act`. `title` is the question, `yes` the text of the
// button.
export function sure(title, yes, act) {
  const dialog = byId("sure");
  byId("sure-title").textContent = say(title);
  byId("sure-yes").textContent = say(yes);
  byId("sure-yes").onclick = () => {
    dialog.close();
    act();
  };
  dialog.showModal();
}

const CONTROLS = ["1+0", "3+2", "5+3", "10+0", "15+10", "30+20", "-"];

// Converts a time control in minutes, as people write it (`5+3`, `40/90:30`), to the server's
// units. Explicit units are also accepted: `90s`, `5m`, `2h`.
export const inUnits = text => text.replace(/\s/g, "").split(":").map(part =>
  part.replace(/^(\*?(?:\d+\/)?)([\d.]+)([smh]?)(?=$|[+bd])/, (_, before, time, unit) => before + time + (unit === "s" ? "" : unit || "m"))).join(":");

// Converts a time control from the server's units to minutes, as people write it.
export const inMinutes = text => text.split(":").map(part =>
  part.replace(/^(\*?(?:\d+\/)?)([\d.]+)([mh]?)(?=$|[+bd])/, (_, before, time, unit) => before + time + (unit === "m" ? "" : unit || "s"))).join(":");

function level(text) {
  const [kind, number] = text.split(" ");
  return number === undefined ? kind : { [kind]: Number(number) };
}

function strength(level) {
  if (level.elo !== undefined) return ` (${level.elo})`;
  return level.skill === undefined ? "" : say(" (skill {0})", level.skill);
}

function described({ terms, plies, began, result }) {
  const { start = "usual" } = terms;
  const name = say("chess960" in Object(start) ? "Chess960" : terms.game === "chess" ? "Chess" : VARIANTS[terms.variant] ?? "Draughts");
  const game = name + (start.odds ? say(" at odds ({0})", say(start.odds[0])) : start.less ? say(" at odds ({0})", fewer(start.less)) : "");
  const [white, black] = terms.names ?? ["", ""];
  const two = white || black ? `${white || say("White")} – ${black || say("Black")}` : say("two players");
  const you = terms.you ? say(`you play ${terms.you} against {0}`, terms.engine ?? `Adoube${strength(terms.level)}`) : two;
  const time = terms.time === "-" ? say("no clock") : inMinutes(terms.time);
  const date = new Date(began).toLocaleString(document.documentElement.lang === "fr" ? "fr" : [], { dateStyle: "medium", timeStyle: "short" });
  const ending = result ? `${shownResult(result)}, ` : "";
  return `${game}, ${you}, ${ending}${counted(Math.ceil(plies / 2), "{0} move", "{0} moves")}, ${time}, ${say("begun {0}", date)}`;
}

// Returns the list row of an unfinished game or a log. A game that is open in another tab can be
// resumed here, but not deleted.
export function storedRow({ id, open }, about, { resume, forget }) {
  const text = open ? `${about}, ${say("open in another tab")}` : about;
  const remove = element("button", { type: "button", "aria-label": say("delete: {0}", text), onclick: () => forget(id) }, say("Delete"));
  return element("p", { class: "row" }, element("span", {}, text),
    element("button", { type: "button", onclick: () => resume(id) }, say("Resume")), ...open ? [] : [remove]);
}

const NAMES = ["your-name", "white-name", "black-name"];

// The browser remembers the settings of the last game.
const lastTerm = name => localStorage.getItem(`new-${name}`);
const keepTerm = (name, value) => localStorage.setItem(`new-${name}`, value);

// Sets up the dialog for new games. `list` asks the server for the unfinished games. `leave` asks
// the user before it leaves a running game.
export function newGame({ begin, resume, forget, list, leave }) {
  const dialog = byId("new-dialog");
  prepare(dialog);
  const [game, number, you, levels, time, start, against, odds, given] =
    ["game", "number", "you", "level", "time", "start", "against", "odds", "given"].map(byId);
  const [elo, ...names] = ["elo", ...NAMES].map(byId);
  let engines = [];
  let waits = false; // true while the server's answer to the terms is pending
  let shown = ""; // the game whose levels are shown
  for (const name of names) name.value = localStorage.getItem(name.id) ?? "";
  for (const control of [game, you, elo, time]) {
    const usual = control.value;
    control.value = lastTerm(control.id) ?? usual;
    if (control.selectedIndex < 0) control.value = usual;
  }
  const kind = () => game.value.startsWith("chess") ? "chess" : "draughts";
  const fill = (select, options, usual) => {
    const wanted = [...shown === kind() ? [select.value] : [], lastTerm(`${select.id}-${kind()}`)];
    select.replaceChildren(...options.map(([value, text]) => element("option", { value }, say(...[text].flat()))));
    select.value = wanted.find(wanted => options.some(([value]) => value === wanted)) ?? usual;
  };
  const shape = () => {
    byId("numbered").hidden = game.value !== "chess960";
    number.disabled = game.value !== "chess960";
    fill(odds, ODDS[kind()], "");
    odds.parentElement.hidden = game.value === "chess960" || start.value.trim() !== "";
    byId("odds-help").textContent = say(ODDS[kind()].find(([value]) => value === odds.value)[2]);
    byId("odds-help").hidden = odds.parentElement.hidden || odds.value === "";
    given.parentElement.hidden = odds.parentElement.hidden || odds.value !== "pawn and two moves";
    start.parentElement.hidden = game.value === "chess960" || odds.value !== "";
    const others = engines.filter(engine => engine.game === kind()).map(engine => engine.name);
    fill(against, [["", "Adoube"], ...others.map(name => [name, name])], "");
    against.parentElement.hidden = others.length === 0 || you.value === "both";
    levels.parentElement.hidden = against.value !== "" || you.value === "both";
    fill(levels, LEVELS[kind()], USUAL[kind()]);
    elo.parentElement.hidden = levels.parentElement.hidden || levels.value !== "elo";
    elo.disabled = elo.parentElement.hidden;
    names[0].parentElement.hidden = you.value === "both";
    byId("names").hidden = you.value !== "both";
    shown = kind();
  };
  const throwDice = () => { number.value = Math.floor(Math.random() * 960); };
  throwDice();
  // Draw a new number when Chess960 is chosen. At this moment the number field is still hidden.
  game.addEventListener("input", () => { if (game.value === "chess960" && byId("numbered").hidden) throwDice(); });
  // Listen to "input", not "change". A change event is sent only when the control loses the focus. If a click on
  // a button caused this, redrawing the dialog would move the button away from the pointer.
  for (const control of [game, you, against, levels, odds, start]) control.addEventListener("input", shape);
  levels.replaceChildren(element("option", { value: "" }));
  shape();
  const showControl = () => {
    for (const button of byId("controls").children) button.setAttribute("aria-pressed", button.dataset.control === time.value.trim());
  };
  const drawControls = () => byId("controls").replaceChildren(...CONTROLS.map(control => element("button", {
    type: "button", "data-control": control, onclick: () => { time.value = control; showControl(); },
  }, control === "-" ? say("No clock") : control)));
  time.addEventListener("input", showControl);
  drawControls();
  showControl();
  dialog.addEventListener("close", () => {
    start.value = "";
    shape();
  });
  byId("dice").addEventListener("click", throwDice);
  dialog.querySelector("form").addEventListener("submit", () => {
    const colours = { random: Math.random() < 0.5 ? "white" : "black", both: null };
    const terms = {
      game: kind(), level: level(levels.value === "elo" ? `elo ${elo.value}` : levels.value), time: inUnits(time.value),
      you: you.value in colours ? colours[you.value] : you.value,
    };
    for (const name of names) localStorage.setItem(name.id, name.value.trim());
    const [own, white, black] = names.map(name => name.value.trim());
    terms.names = terms.you === null ? [white, black] : terms.you === "white" ? [own, ""] : ["", own];
    if (terms.you === null) terms.level = "full";
    if (against.value && terms.you) Object.assign(terms, { engine: against.value, level: "full" });
    if (game.value in VARIANTS) terms.variant = game.value;
    if (game.value === "chess960") terms.start = { chess960: Number(number.value) };
    else if (odds.value && kind() === "draughts") terms.start = { less: Number(odds.value) };
    else if (odds.value) terms.start = { odds: [odds.value, given.value.split(/[\s,]+/).filter(Boolean)] };
    else if (start.value.trim()) terms.start = { fen: start.value.trim() };
    byId("new-error").textContent = "";
    leave(() => {
      waits = true;
      begin(terms);
    });
  });
  const open = (why = "") => {
    waits = false;
    byId("new-error").textContent = why;
    if (dialog.open) return;
    list();
    dialog.showModal();
  };
  return {
    open,
    // Draws the texts again after a change of language.
    draw: () => {
      drawControls();
      shape();
    },
    // Closes the dialog after the server has started the game.
    done: () => {
      if (waits) {
        for (const control of [game, you, elo, time]) keepTerm(control.id, control.value);
        if (!levels.parentElement.hidden) keepTerm(`level-${kind()}`, levels.value);
        dialog.close();
      }
      waits = false;
    },
    // Opens the dialog for a game that starts from a position. The position field is cleared when
    // the dialog is closed.
    from: (kind, fen) => {
      [game.value, odds.value, start.value] = [kind, "", fen];
      shape();
      open();
    },
    engines: named => {
      engines = named;
      shape();
    },
    unfinished: games => {
      const goOn = id => leave(() => { dialog.close(); resume(id); });
      byId("unfinished").replaceChildren(...games.map(one => storedRow(one, described(one), { resume: goOn, forget })));
    },
  };
}

// The maximum size of a message in bytes: the server's limit minus a margin.
const MAX_MESSAGE = 8_000_000;
// The maximum length of a text that is kept for a reload. The browser stores about five million
// characters, and the open game needs room too.
const MAX_KEPT = 1_000_000;

// Sets up the dialog for opening games or positions given as text. `list` asks the server which
// games the text contains. `listFile` sends the bytes of a file, and asks the server for its text
// and games. `open` opens the whole text, or only the game with the given number. `openGame`,
// `saveGame` and `forget` receive the id of a finished game, `openGame` also its terms.
export function study({ list, listFile, open: begin, openGame, saveGame, forget }) {
  const dialog = byId("study-dialog");
  prepare(dialog);
  const [game, text, file, error] = ["study-game", "study-text", "file", "study-error"].map(byId);
  const kind = () => game.value === "chess" ? "chess" : "draughts";
  const content = () => inVariant(text.value, game.value);
  let asked = false; // true while the server's answer to the text of this dialog is pending
  let at = null; // the index of the opened game, if the text contains several games
  let skips = false; // true if the next game is opened instead of a game that cannot be read
  // Stores a text with several games, so that the next game can still be opened after a reload.
  const keep = () => {
    sessionStorage.removeItem("list");
    if (at === null || text.value.length > MAX_KEPT) return;
    keepForReload("list", JSON.stringify({ game: game.value, text: text.value, at }));
  };
  const open = (number, skip = false) => {
    asked = true;
    skips = skip;
    at = number ?? null;
    error.textContent = "";
    keep();
    begin(kind(), content(), number);
  };
  const games = gameList({ open: number => open(number) });
  let waiting = null;
  let direct = false; // true if a text with a single game is to be opened without the dialog
  const show = found => {
    games.show(found);
    if (!direct) return;
    direct = false;
    if (found.length > 1) dialog.showModal();
    else open();
  };
  // Shows why a text cannot be opened.
  const explain = why => {
    direct = false;
    error.textContent = why;
    if (!dialog.open) dialog.showModal();
  };
  const fits = (size = new Blob([JSON.stringify(text.value)]).size) => {
    error.textContent = "";
    if (size > MAX_MESSAGE) explain(say("The text is too long. The limit is 8 MB."));
    return size <= MAX_MESSAGE;
  };
  // Lists the games of the text. `found` is the list if the server has already sent it.
  const look = found => {
    clearTimeout(waiting);
    at = null;
    games.show([]);
    if (!fits() || !text.value.trim()) return;
    if (found) show(found);
    else list(kind(), content());
  };
  const guess = () => {
    const named = gameOf("draughts", text.value);
    if (named !== "draughts") game.value = named;
    else if (/^\s*[WB]:|\[GameType "\d|^\s*(?:\[.*\]\s*)*1\.\s*\d+-\d+/.test(text.value)) {
      if (kind() === "chess" || /\[GameType /.test(text.value)) game.value = "draughts";
    }
    else if (/\/.*\/.*\/|1\.\s*[a-hNBRQKO]/.test(text.value)) game.value = "chess";
  };
  text.addEventListener("input", () => {
    guess();
    clearTimeout(waiting);
    waiting = setTimeout(look, 200);
  });
  game.addEventListener("change", () => look());
  // Takes a text, or the server's answer to a file.
  const take = (found, said) => {
    direct = !dialog.open && Boolean(found.trim());
    text.value = found;
    guess();
    // The server lists the games of a file without the variant that is chosen in this dialog.
    look(said?.game === kind() && content() === text.value ? said.games : null);
  };
  // Sends a file to the server, which finds out the encoding.
  const takeFile = async chosen => {
    if (!fits(chosen.size)) return;
    try {
      listFile(await chosen.arrayBuffer());
    } catch (failure) {
      explain(say("The file cannot be read: {0}", failure.message));
    }
  };
  file.addEventListener("change", () => { if (file.files[0]) takeFile(file.files[0]); });
  dialog.querySelector("form").addEventListener("submit", () => {
    clearTimeout(waiting);
    if (fits()) open(games.count() > 1 ? 0 : undefined);
  });
  return {
    listed: said => {
      if (said.text === undefined) show(said.games);
      else take(said.text, said);
    },
    explain,
    finished: games => byId("finished").replaceChildren(...games.map(one => {
      const about = described(one);
      const button = (text, act) => element("button", { type: "button", "aria-label": text === "Open" ? null : say(`${text.toLowerCase()}: {0}`, about), onclick: act }, say(text));
      return element("p", { class: "row" }, element("span", {}, about),
        button("Open", () => { dialog.close(); openGame(one.id, one.terms); }), button("Save", () => saveGame(one.id)),
        button("Delete", () => sure("Delete this game?", "Delete", () => forget(one.id))));
    })),
    // Closes the dialog after the server has opened its text.
    done: () => {
      if (asked) dialog.close();
      asked = false;
    },
    // Shows why the server has refused the text of this dialog. Returns false if the text did not
    // come from this dialog.
    failed: why => {
      if (!asked) return false;
      if (skips && at + 1 < games.count()) {
        open(at + 1, true);
        return true;
      }
      asked = false;
      explain(why);
      return true;
    },
    // Opens the dialog with a FEN. If the dialog already lists several games, the list is kept, so that the
    // user can open the next game.
    open: (kind, fen) => {
      if (at === null && games.count() < 2) {
        game.value = kind;
        text.value = fen;
        games.show([]);
      }
      asked = false;
      error.textContent = "";
      dialog.showModal();
    },
    hasNext: () => at !== null && at + 1 < games.count(),
    // Opens the next readable game of the text.
    next: () => open(at + 1, true),
    // Lists the games of the text that was open before a reload.
    restore: () => {
      const kept = JSON.parse(sessionStorage.getItem("list"));
      if (!kept || at !== null) return;
      [game.value, text.value, at] = [kept.game, kept.text, kept.at];
      list(kind(), content());
    },
    // Open a pasted text or a dropped file. If it contains several games, the user first chooses
    // one.
    take, takeFile,
  };
}

// Asks the user to choose between several moves. `preview` shows the move of the focused button.
export function chooser(preview) {
  const dialog = byId("choice");
  prepare(dialog);
  return (moves, take) => {
    const promotions = moves.every(m => /^[a-h][1-8][a-h][1-8][qrbn]$/.test(m.text));
    const queen = promotions && byId("queen").checked && moves.find(m => m.text.at(-1) === "q");
    if (queen) return take(queen);
    const buttons = moves.map(m => {
      const show = () => preview(m.routes[0]);
      return element("button", {
        type: "button", onfocus: show, onpointerenter: show,
        onclick: () => { dialog.close(); take(m); },
      }, m.shown);
    });
    byId("choices").replaceChildren(...buttons);
    dialog.showModal();
    dialog.addEventListener("close", () => preview(null), { once: true });
    // Pressing a piece's letter promotes to that piece.
    dialog.onkeydown = event => {
      const chosen = promotions && !event.ctrlKey && !event.altKey && !event.metaKey && moves.find(m => m.text.at(-1) === event.key.toLowerCase());
      if (!chosen) return;
      event.preventDefault();
      dialog.close();
      take(chosen);
    };
    if (promotions) for (const [index, button] of buttons.entries()) button.setAttribute("aria-keyshortcuts", moves[index].text.at(-1));
  };
}
