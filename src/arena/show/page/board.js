"use strict";
// A board on which a page shows games. What others wrote is only ever set as text, never as HTML. The page's own script
// follows this one; it has `show`, which draws the position at hand, and `open`, which takes another game.
const root = document.documentElement;
addEventListener("error", event => { root.dataset.error = event.message; });

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SVG = "http://www.w3.org/2000/svg";
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

let game = null, ply = 0, flipped = false;
// Whether the address follows what is shown: once the first game is open.
let steering = false;

const board = drawing("svg", { class: "board", role: "img", "aria-label": "board" });
const above = element("div", { class: "player" }), below = element("div", { class: "player" });
const moves = element("div", { class: "moves", role: "region", "aria-label": "moves", tabindex: 0 });
const said = element("div", { class: "said" });
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
  board.dataset.ply = ply;
}

// The player's side of a move: 0 White, 1 Black.
const mover = index => (index + game.black_first) % 2;

// The number of a move as it is written before it.
const numbered = index => game.first + Math.floor((index + game.black_first) / 2) + (mover(index) === 0 ? "." : "…");

// The list of moves; `mark` dresses the link of each.
function drawMoves(mark) {
  moves.replaceChildren();
  game.steps.forEach((step, index) => {
    if (mover(index) === 0 || index === 0) {
      moves.append(element("span", { class: "pair" }, element("b", {}, numbered(index))));
    }
    const link = element("a", { onclick: () => go(index + 1) }, step.m);
    mark(link, step);
    moves.lastChild.append(link);
  });
  if (game.steps.length === 0) moves.append(element("span", {}, "The moves of this game are not in the page."));
}

// Marks the move that led here in the list and in the address.
function point() {
  const links = moves.querySelectorAll("a");
  links.forEach((link, index) => link.classList.toggle("now", index === ply - 1));
  const now = links[ply - 1];
  moves.scrollTop = now ? now.offsetTop - moves.clientHeight / 2 : 0;
  // Without a step in the browser's history for each move.
  if (steering) history.replaceState(null, "", `#${game.number}.${ply}`);
}

function go(to) {
  if (!game) return;
  ply = Math.max(0, Math.min(game.steps.length, to));
  show();
}

// Goes where a graph is clicked that is as wide as the game is long; `whole` makes a ply of a place between two.
function follows(graph, whole) {
  graph.addEventListener("click", event => {
    const box = graph.getBoundingClientRect();
    go(whole((event.clientX - box.left) / box.width * Math.max(game.steps.length, 2)));
  });
}

function button(text, label, action) {
  return element("button", { "aria-label": label, title: label, onclick: action }, text);
}

function turn() {
  flipped = !flipped;
  show();
}

function buttons() {
  return element("div", { class: "buttons" },
    button("«", "first position", () => go(0)), button("‹", "back", () => go(ply - 1)),
    button("›", "forward", () => go(ply + 1)), button("»", "last position", () => go(game.steps.length)),
    button("⇅", "turn the board", turn));
}

// Follows the keyboard and the address, in which `#12.30` is game 12 after 30 plies. `first` is the game shown if it names
// none, `keys` are keys of the page's own.
function begin(first, keys = {}) {
  addEventListener("keydown", event => {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = {
      ArrowLeft: () => go(ply - 1), ArrowRight: () => go(ply + 1), f: turn, ...keys,
    };
    if (!(event.key in all)) return;
    all[event.key]();
    event.preventDefault();
  });
  const follow = () => {
    const [, number, at] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) || [];
    const wanted = games.find(one => one.number === Number(number));
    if (!wanted) return false;
    open(wanted, at === undefined ? undefined : Number(at));
    above.scrollIntoView({ block: "nearest" });
    return true;
  };
  if (!follow()) open(first);
  steering = true;
  addEventListener("hashchange", follow);
}
