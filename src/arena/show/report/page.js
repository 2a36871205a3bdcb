"use strict";
// Shows the games. What engines wrote is only ever set as text, never as HTML.
const root = document.documentElement;
addEventListener("error", event => { root.dataset.error = event.message; });

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SVG = "http://www.w3.org/2000/svg";
const RESULTS = ["0–1", "½–½", "1–0"];
const GLYPHS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const data = JSON.parse(document.getElementById("data").textContent);
const games = data.games.sort((a, b) => a.number - b.number);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") made.onclick = value; else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function drawing(name, attributes = {}, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function key(engine) {
  return element("span", { class: "key s" + engine % 8 }, data.engines[engine]);
}

let game = null, ply = 0, flipped = false;
// Whether the address follows what is shown: once the first game is open.
let steering = false;

const board = drawing("svg", { class: "board", role: "img", "aria-label": "board" });
const above = element("div", { class: "player" }), below = element("div", { class: "player" });
const moves = element("div", { class: "moves" });
const said = element("div", { class: "said" });
const evaluation = drawing("svg", { class: "evaluation", preserveAspectRatio: "none" });
const body = element("tbody");
const title = element("h3");

// The pieces after the first `upTo` moves, and the squares that the last of them changed.
function pieces(upTo) {
  const squares = [...game.board];
  let changed = [];
  for (const step of game.steps.slice(0, upTo)) {
    changed = [];
    for (let i = 0; i < step.d.length; i += 2) {
      const square = DIGITS.indexOf(step.d[i]);
      squares[square] = step.d[i + 1];
      changed.push(square);
    }
  }
  return [squares, changed];
}

// Row and column of a square; in draughts the dark squares are counted from 0.
function place(square) {
  let row, column;
  if (data.size === 8) {
    [row, column] = [square >> 3, square & 7];
  } else {
    row = Math.floor(square / 5);
    column = 2 * (square % 5) + (row % 2 === 0 ? 1 : 0);
  }
  return flipped ? [data.size - 1 - row, data.size - 1 - column] : [row, column];
}

function piece(what, row, column) {
  const [x, y] = [10 * column + 5, 10 * row + 5];
  const side = what === what.toUpperCase() ? "white" : "black";
  if (data.size === 8) {
    // The selector keeps the pawn from becoming a picture.
    return [drawing("text", { class: "piece " + side, x, y: y + 3 }, GLYPHS[what.toLowerCase()] + "\ufe0e")];
  }
  // In draughts w and b are men, W and B kings.
  const colour = what.toLowerCase() === "w" ? "white" : "black";
  const made = [drawing("circle", { class: colour, cx: x, cy: y, r: 4 })];
  made.push(drawing("circle", { class: colour, cx: x, cy: y, r: 2.7 }));
  if (what === what.toUpperCase()) made.push(drawing("circle", { class: "crown", cx: x, cy: y, r: 1.7 }));
  return made;
}

function drawBoard() {
  const size = data.size;
  board.setAttribute("viewBox", `0 0 ${10 * size} ${10 * size}`);
  board.replaceChildren(drawing("rect", { class: "light", width: 10 * size, height: 10 * size }));
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if ((row + column) % 2 === 1) {
        board.append(drawing("rect", { class: "dark", x: 10 * column, y: 10 * row, width: 10.05, height: 10.05 }));
      }
    }
  }
  const [squares, changed] = pieces(ply);
  for (const square of changed) {
    const [row, column] = place(square);
    board.append(drawing("rect", { class: "mark", x: 10 * column, y: 10 * row, width: 10, height: 10 }));
  }
  squares.forEach((what, square) => {
    const [row, column] = place(square);
    if (what !== ".") board.append(...piece(what, row, column));
    else if (size === 10) board.append(drawing("text", { class: "number", x: 10 * column + .6, y: 10 * row + 2.6 }, square + 1));
  });
}

// The player's side of a move: 0 White, 1 Black.
const mover = index => (index + game.black_first) % 2;

// Pawns for White, between -10 and 10.
function worth(index) {
  const score = game.steps[index].s;
  if (score === undefined) return null;
  const mate = /^[+-]M/.test(score);
  const value = mate ? (score[0] === "+" ? 10 : -10) : Math.max(-10, Math.min(10, parseFloat(score)));
  return mover(index) === 0 ? value : -value;
}

function drawEvaluation() {
  const count = Math.max(game.steps.length, 2);
  evaluation.setAttribute("viewBox", `0 0 ${count} 24`);
  evaluation.replaceChildren(drawing("line", { class: "zero", x1: 0, x2: count, y1: 12, y2: 12 }));
  for (const side of [0, 1]) {
    const points = game.steps.map((_, index) => index).filter(index => mover(index) === side && worth(index) !== null)
      // Near 0 a pawn is more than far off.
      .map(index => `${index + .5},${(12 - 11 * Math.tanh(worth(index) / 4)).toFixed(2)}`);
    const engine = side === 0 ? game.white : game.black;
    evaluation.append(drawing("polyline", { class: "s" + engine % 8, points: points.join(" ") }));
  }
  evaluation.append(drawing("line", { class: "now", y1: 0, y2: 24 }));
}

function drawMoves() {
  moves.replaceChildren();
  game.steps.forEach((step, index) => {
    const number = game.first + Math.floor((index + game.black_first) / 2);
    if (mover(index) === 0 || index === 0) {
      moves.append(element("span", { class: "pair" }, element("b", {}, number + (mover(index) === 0 ? "." : "…"))));
    }
    const link = element("a", { onclick: () => go(index + 1) }, step.m);
    if (step.t === undefined) link.className = "book";
    moves.lastChild.append(link);
  });
  if (game.steps.length === 0) moves.append(element("span", {}, "The moves of this game are not in the page."));
}

// How a player last judged the position, and how long it took to.
function lastWord(side) {
  for (let index = ply - 1; index >= 0 && index >= ply - 2; index--) {
    const step = game.steps[index];
    if (mover(index) === side && step.t !== undefined) {
      const depth = step.p === undefined ? "" : ` depth ${step.p}`;
      const score = step.s === undefined ? "" : `${step.s}${depth} · `;
      return `${score}${step.t.toFixed(2)} s`;
    }
  }
  return "";
}

function show() {
  drawBoard();
  const sides = [[game.white, 0], [game.black, 1]];
  if (!flipped) sides.reverse();
  [above, below].forEach((line, index) => {
    const [engine, side] = sides[index];
    line.replaceChildren(key(engine), element("span", {}, lastWord(side)));
  });
  const links = moves.querySelectorAll("a");
  links.forEach((link, index) => link.classList.toggle("now", index === ply - 1));
  const now = links[ply - 1];
  moves.scrollTop = now ? now.offsetTop - moves.clientHeight / 2 : 0;
  const line = evaluation.querySelector(".now");
  line.setAttribute("x1", ply - .5);
  line.setAttribute("x2", ply - .5);
  const end = ply === game.steps.length;
  said.textContent = end ? `${RESULTS[game.points]}, ${game.ending}` : ply > 0 && game.steps[ply - 1].t === undefined ? "opening" : "";
  board.dataset.ply = ply;
  // The address says what is shown, without a step in the browser's history for each move.
  if (steering) history.replaceState(null, "", `#${game.number}.${ply}`);
}

function go(to) {
  if (!game) return;
  ply = Math.max(0, Math.min(game.steps.length, to));
  show();
}

function open(chosen, at) {
  game = chosen;
  title.textContent = `Game ${game.number}`;
  drawMoves();
  drawEvaluation();
  for (const row of body.rows) row.classList.toggle("now", Number(row.dataset.number) === game.number);
  go(at === undefined ? game.steps.length : at);
}

// A game as PGN or PDN; moves, scores and times as the page has them.
function recorded(one) {
  const words = [];
  one.steps.forEach((step, index) => {
    const black = (index + one.black_first) % 2 === 1;
    const number = one.first + Math.floor((index + one.black_first) / 2);
    if (!black || index === 0) words.push(number + (black ? "..." : "."));
    words.push(step.m);
    const score = step.s === undefined ? "" : `${step.s}/${step.p ?? 0} `;
    words.push(step.t === undefined ? "{book}" : `{${score}${step.t.toFixed(3)}s}`);
  });
  words.push(`{${one.ending.replace(/[{}]/g, "?")}}`, /\[Result "(.*?)"\]/.exec(one.tags)?.[1] ?? "*");
  return `${one.tags}\n\n${words.join(" ").replace(/(.{60,78}) /g, "$1\n")}\n\n`;
}

// Saves the games whose moves are in the page and that the list shows.
function save() {
  const text = shown.filter(one => one.tags).map(recorded).join("");
  const link = element("a", { download: `${data.title.replace(/[^\p{L}\p{N}]+/gu, "-")}.${data.size === 8 ? "pgn" : "pdn"}` });
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.click();
  URL.revokeObjectURL(link.href);
}

let shown = games;

function list() {
  const [engine, result] = [engineFilter.value, resultFilter.value];
  shown = games.filter(one => engine === "" || one.white === Number(engine) || one.black === Number(engine))
    .filter(one => {
      if (result === "" || engine === "") return result === "" || RESULTS[one.points] === result || result.length === 1;
      const points = one.white === Number(engine) ? one.points : 2 - one.points;
      return result.length > 1 ? RESULTS[one.points] === result : points === Number(result);
    });
  const rows = shown.map(one => {
    const row = element("tr", { "data-number": one.number, onclick: () => {
      open(one, 0);
      above.scrollIntoView({ block: "nearest", behavior: "smooth" });
    } });
    const cells = [one.number, key(one.white), key(one.black), RESULTS[one.points], one.ending, Math.ceil(one.steps.length / 2) || ""];
    row.append(...cells.map(cell => element("td", {}, cell)));
    return row;
  });
  body.replaceChildren(...rows);
  count.textContent = `${rows.length} of ${games.length}`;
}

function options(choices) {
  const select = element("select", {}, ...choices.map(([value, text]) => element("option", { value }, text)));
  select.onchange = list;
  return select;
}

const engineFilter = options([["", "all engines"], ...data.engines.map((name, index) => [index, name])]);
const resultFilter = options([["", "all results"], ["1–0", "1–0"], ["½–½", "½–½"], ["0–1", "0–1"], ["2", "won by the engine"], ["0", "lost by the engine"]]);
engineFilter.setAttribute("aria-label", "engine");
resultFilter.setAttribute("aria-label", "result");
const count = element("span", { class: "quiet" });

function button(text, label, action) {
  return element("button", { "aria-label": label, title: label, onclick: action }, text);
}

if (games.length === 0) {
  document.getElementById("games").replaceChildren(element("p", { class: "quiet" }, "No game has been played."));
} else {
  const buttons = element("div", { class: "buttons" },
    button("«", "first position", () => go(0)), button("‹", "back", () => go(ply - 1)),
    button("›", "forward", () => go(ply + 1)), button("»", "last position", () => go(game.steps.length)),
    button("⇅", "turn the board", () => { flipped = !flipped; show(); }));
  const head = element("tr", {}, ...["#", "White", "Black", "", "ended by", "moves"].map(text => element("th", {}, text)));
  document.getElementById("games").replaceChildren(
    element("div", { class: "viewer" },
      element("div", {}, above, board, below, buttons),
      element("div", {}, title, evaluation, moves, said)),
    element("div", { class: "filters" }, engineFilter, resultFilter, count,
      element("button", { class: "save", onclick: save }, data.size === 8 ? "Download as PGN" : "Download as PDN")),
    element("div", { class: "list" }, element("table", {}, element("thead", {}, head), body)));
  evaluation.addEventListener("click", event => {
    const box = evaluation.getBoundingClientRect();
    go(Math.ceil((event.clientX - box.left) / box.width * Math.max(game.steps.length, 2)));
  });
  addEventListener("keydown", event => {
    if (event.target instanceof HTMLSelectElement) return;
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1 }[event.key];
    if (to !== undefined) { go(to); event.preventDefault(); }
  });
  list();
  // `#12.30` opens game 12 after 30 plies, also when the address changes later.
  const follow = () => {
    const [, number, at] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) || [];
    const wanted = games.find(one => one.number === Number(number));
    if (!wanted) return false;
    open(wanted, at === undefined ? undefined : Number(at));
    above.scrollIntoView({ block: "nearest" });
    return true;
  };
  const last = games.findLast(one => one.steps.length > 0) || games[games.length - 1];
  if (!follow()) open(last);
  steering = true;
  addEventListener("hashchange", follow);
}
root.dataset.ready = "";
