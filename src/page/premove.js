// Premoves: moves entered during the opponent's turn. A premove is a list of one or two squares:
// origin and destination. It is played at the start of the player's turn if it is legal then.
// Escape or a right click cancels it.

import { colourOf } from "./pieces.js";

// Returns the new premove after a click on a square, or after a piece has been dropped on it.
export function planned({ game, squares, waits, premove }, square, dropped) {
  const [from] = premove;
  const own = colourOf(game, squares[square]) === waits;
  const open = premove.length === 1 && from !== square;
  // Moving the king onto its own rook means castling. A click on any other piece of the player
  // starts a new premove.
  const castles = game === "chess" && open && "kK".includes(squares[from]) && "rR".includes(squares[square]);
  if (open && (!own || castles || dropped)) return [from, square];
  return own && from !== square ? [square] : [];
}

export const meant = (legal, [from, to]) =>
  legal.filter(m => m.routes.some(route => route[0] === from && route.at(-1) === to));
