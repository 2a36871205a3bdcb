// Lists of moves, and the signs of moves.

import { element } from "./dom.js";

// Numeric annotation glyphs of a move, by their numbers.
export const SIGNS = ["", "!", "?", "!!", "??", "!?", "?!"];
const BLAME = { 2: "mistake", 4: "blunder", 6: "dubious" };

// The class of the worst sign among glyphs.
export const blame = nags => BLAME[nags.find(nag => nag in BLAME)] ?? "";

// The moves that lost most, of moves that `name` gives such a class; the dubious ones if there are no worse.
export function turningPoints(moves, name) {
  const blamed = moves.map((m, ply) => ({ m, ply, name: name(m) })).filter(one => one.name);
  const grave = blamed.filter(one => one.name !== "dubious");
  return grave.length > 0 ? grave : blamed;
}

// The number of the move after `ply` plies, and whether it is Black's.
export function numbered(game, ply) {
  const half = ply + (game.black_first ? 1 : 0);
  return { number: game.first + Math.floor(half / 2), black: half % 2 === 1 };
}

// The number as it is written before a lone move.
export function written(game, ply) {
  const { number, black } = numbered(game, ply);
  return `${number}${black ? "…" : "."}`;
}

// The rows of a list: a number and the moves of both players. What stands between moves breaks a row.
export class Rows {
  constructor(game) {
    this.game = game;
    this.all = [];
    this.row = null;
  }

  add(node, ply) {
    const { number, black } = numbered(this.game, ply);
    if (!black || !this.row) {
      this.row = element("li", {}, element("span", { class: "number", "aria-hidden": "true" }, String(number)));
      if (black) this.row.append(element("span", { class: "none" }, "…"));
      this.all.push(this.row);
    }
    this.row.append(node);
    if (black) this.row = null;
  }

  aside(...nodes) {
    if (nodes.length === 0) return;
    this.all.push(element("li", { class: "aside" }, ...nodes));
    this.row = null;
  }
}

// Scrolls a list to its current move. Returns the button of this move.
export function reveal(list) {
  const now = list.querySelector("[aria-current]");
  list.scrollTop = now ? now.offsetTop - list.clientHeight / 2 : 0;
  return now;
}

// A list of moves without variations.
export class MoveList {
  // `go` is called with the number of plies after which the person wants to look.
  constructor(list, go) {
    Object.assign(this, { list, go, buttons: [] });
  }

  // Each move has a text, and can have words for it and a class. `ending` closes the list.
  show(game, moves, ending = "") {
    const rows = new Rows(game);
    this.buttons = moves.map(({ text, words = text, name = null }, ply) => {
      const { number, black } = numbered(game, ply);
      const label = `${number}, ${black ? "black" : "white"}: ${words}`;
      const button = element("button", { type: "button", class: name, "aria-label": label, onclick: () => this.go(ply + 1) }, text);
      rows.add(button, ply);
      return button;
    });
    this.list.replaceChildren(...rows.all, ...ending ? [element("li", { class: "ending" }, ending)] : []);
  }

  // Marks the move that led to the position after `ply` plies.
  at(ply) {
    this.buttons.forEach((button, index) => {
      if (index + 1 === ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    reveal(this.list);
  }
}
