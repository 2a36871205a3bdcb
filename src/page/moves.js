// Move lists and annotation symbols.

import { element } from "./dom.js";

// The symbols for numeric annotation glyphs (NAGs) 0 to 6, by number.
export const SIGNS = ["", "!", "?", "!!", "??", "!?", "?!"];
// The symbols for the glyphs that assess a position.
export const VERDICTS = new Map([[10, "="], [13, "∞"], [14, "+="], [15, "=+"], [16, "±"], [17, "∓"], [18, "+−"], [19, "−+"]]);
const BLAME = { 2: "mistake", 4: "blunder", 6: "dubious" };

// Returns the symbols of glyphs, to append to a move.
export const signs = nags => nags.map(nag => SIGNS[nag] ?? VERDICTS.get(nag) ?? (nag === 7 ? "□" : `$${nag}`)).join("");

// Returns the CSS class for the first glyph in `nags` that marks a bad move, or an empty string if
// there is none.
export const blame = nags => BLAME[nags.find(nag => nag in BLAME)] ?? "";

// Returns the worst moves: mistakes and blunders, or dubious moves if there are none. `name`
// returns the class of a move.
export function turningPoints(moves, name) {
  const blamed = moves.map((m, ply) => ({ m, ply, name: name(m) })).filter(one => one.name);
  const grave = blamed.filter(one => one.name !== "dubious");
  return grave.length > 0 ? grave : blamed;
}

// Returns the move number after `ply` plies, and whether Black is to move.
export function numbered(game, ply) {
  const half = ply + (game.black_first ? 1 : 0);
  return { number: game.first + Math.floor(half / 2), black: half % 2 === 1 };
}

// Converts White's expected points to the expected points of the player who moves at `ply`.
export const movers = (game, ply, white) => numbered(game, ply).black ? 1 - white : white;

// Formats the number in front of a single move: "12." for White, "12…" for Black.
export function written(game, ply) {
  const { number, black } = numbered(game, ply);
  return `${number}${black ? "…" : "."}`;
}

// Formats a result for display: "1–0" or "½–½".
export const shownResult = result => result.replace("1/2-1/2", "½–½").replace("-", "–");

// The rows of a move list. A row has a number and the moves of both players. Comments and
// variations end a row.
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

export function reveal(list) {
  const now = list.querySelector("[aria-current]");
  list.scrollTop = now ? now.offsetTop - list.clientHeight / 2 : 0;
  return now;
}

export class MoveList {
  // `go` is called with the number of plies before the position to display.
  constructor(list, go) {
    Object.assign(this, { list, go, buttons: [] });
  }

  // Shows moves, each with a text, an optional description and an optional class. `ending` is the
  // text of the last row.
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

  at(ply) {
    this.buttons.forEach((button, index) => {
      if (index + 1 === ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    reveal(this.list);
  }
}
