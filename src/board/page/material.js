// The material advantage, displayed next to a player's name.

const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1 };
const FIGURES = { q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };

const count = (squares, letter) => squares.split(letter).length - 1;

// Returns a side's material advantage as text: in chess, the surplus pieces and the difference in
// pawn units; in draughts, the number of captured pieces and the difference in pieces.
export function ahead(game, squares, start, side) {
  if (game === "draughts") {
    const men = (squares, letter) => count(squares, letter) + count(squares, letter.toUpperCase());
    const [own, other] = side === "white" ? ["w", "b"] : ["b", "w"];
    const lost = letter => men(start, letter) - men(squares, letter);
    const taken = lost(other);
    const more = men(squares, own) - men(squares, other);
    return taken > 0 ? `⛂ ${taken}${more > 0 ? ` (+${more})` : ""}` : "";
  }
  const letter = (kind, white) => white ? kind.toUpperCase() : kind;
  const white = side === "white";
  let [text, sum] = ["", 0];
  for (const kind of Object.keys(VALUES)) {
    const more = count(squares, letter(kind, white)) - count(squares, letter(kind, !white));
    sum += more * VALUES[kind];
    if (more > 0) text += FIGURES[kind].repeat(more);
  }
  return text + (sum > 0 ? ` +${sum}` : "");
}
