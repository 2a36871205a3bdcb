// The pieces as SVG, each in a square of 100 by 100 units.

import { svg } from "./dom.js";

const BASE = "M25 88c0-9 3-12 8-14h34c5 2 8 5 8 14z";
const SHAPES = {
  p: ["M50 20a13 13 0 0 1 8 23l7 5h-7c1 13 5 20 12 26 4 4 6 8 6 14H24c0-6 2-10 6-14 7-6 11-13 12-26h-7l7-5a13 13 0 0 1 8-23z"],
  r: ["M26 17h10v8h9v-8h10v8h9v-8h10v20l-8 7 3 28H31l3-28-8-7z", BASE],
  n: ["M43 10l8 9c20 4 28 26 25 55H33c-1-11 8-16 12-25-6 2-9 8-14 11-5 2-11-1-11-6 2-9 9-14 11-24 1-6 5-9 11-11z", BASE],
  b: ["M50 21c16 10 21 25 13 38H37c-8-13-3-28 13-38z", "M37 61h26l3 11H34z", BASE, "M50 9a6 6 0 1 1-.1 0z"],
  q: ["M18 33l15 19 2-27 11 25 4-29 4 29 11-25 2 27 15-19-10 41H28z", BASE,
    "M17 24a5 5 0 1 1-.1 0zM34 16a5 5 0 1 1-.1 0zM50 12a5 5 0 1 1-.1 0zM66 16a5 5 0 1 1-.1 0zM83 24a5 5 0 1 1-.1 0z"],
  k: ["M47 8h6v7h7v6h-7v8h-6v-8h-7v-6h7z", "M50 27c6 4 9 9 9 15l-9 12-9-12c0-6 3-11 9-15z",
    "M31 74c-16-14-13-34 3-34 8 0 14 5 16 14 2-9 8-14 16-14 16 0 19 20 3 34z", BASE],
};
const DETAILS = {
  r: "M34 44h32M31 72h38", b: "M50 33v14M44 40h12", q: "M29 68q21-7 42 0", k: "M33 68q17-7 34 0",
  n: "M39 31a2.4 2.4 0 1 1-.1 0zM25 53l3 1M58 27c10 10 13 26 11 41",
};
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

function disc(colour, king) {
  const node = svg("g", { class: `piece disc ${colour} ${king ? "king" : "man"}` });
  const put = (y, r, name) => node.append(svg("circle", { cx: 50, cy: y, r, class: name }));
  put(54, 40, "shade");
  if (king) { put(54, 38, "body"); put(44, 38, "body"); } else { put(50, 39, "body"); }
  const y = king ? 44 : 50;
  put(y, 30, "ring");
  if (king) node.append(svg("path", { class: "crown", d: "M31 54l-4-20 13 9 10-15 10 15 13-9-4 20z" }));
  else put(y, 20, "ring");
  return node;
}

// Returns the colour of a piece letter, or null for an empty square.
export function colourOf(game, letter) {
  if (letter === ".") return null;
  if (game === "draughts") return letter.toLowerCase() === "w" ? "white" : "black";
  return letter === letter.toUpperCase() ? "white" : "black";
}

const kindOf = (game, letter) =>
  game === "chess" ? NAMES[letter.toLowerCase()] : "WB".includes(letter) ? "king" : "man";

// Returns the picture of a piece letter, or null for an empty square.
export function piece(game, letter) {
  const colour = colourOf(game, letter);
  if (colour === null) return null;
  const kind = kindOf(game, letter);
  if (game === "draughts") return disc(colour, kind === "king");
  const shape = svg("g", { transform: "translate(-5 -3.5) scale(1.1)" });
  for (const d of SHAPES[letter.toLowerCase()]) shape.append(svg("path", { class: "body", d }));
  const detail = DETAILS[letter.toLowerCase()];
  if (detail) shape.append(svg("path", { class: "detail", d: detail }));
  // The letter is visible only in the piece set "letters".
  const name = svg("text", { class: "letter", x: 50, y: 73 }, letter.toUpperCase());
  return svg("g", { class: `piece figure ${colour} ${kind}` }, shape, name);
}

export const spoken = (game, letter) =>
  letter === "." ? "empty" : `${colourOf(game, letter)} ${kindOf(game, letter)}`;
