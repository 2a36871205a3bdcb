// A move that is entered in the opponent's time. It is shown, forgotten at Escape or a right click, and
// played when the turn comes, if it is legal then. It is a list of squares: from where, and then where to.

import { colourOf } from "./pieces.js";

// The premove after a click on a square, or after a piece was dropped there.
export function planned({ game, squares, waits, premove }, square, dropped) {
  const [from] = premove;
  const own = colourOf(game, squares[square]) === waits;
  const open = premove.length === 1 && from !== square;
  // A king is put on its rook to castle; otherwise another own piece is chosen.
  const castles = game === "chess" && open && "kK".includes(squares[from]) && "rR".includes(squares[square]);
  if (open && (!own || castles || dropped)) return [from, square];
  return own && from !== square ? [square] : [];
}

// The legal moves that a premove can mean.
export const meant = (legal, [from, to]) =>
  legal.filter(m => m.routes.some(route => route[0] === from && route.at(-1) === to));
