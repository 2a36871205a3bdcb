// A move that is entered in the opponent's time: it is shown, forgotten at Escape or a right click, and
// played when the turn comes, if it is legal then.

// Whether a square's letter is a piece of this colour; see pieces.js.
export function isOf(game, colour, letter) {
  if (letter === ".") return false;
  if (game === "draughts") return letter.toLowerCase() === (colour === "white" ? "w" : "b");
  return (letter.toUpperCase() === letter) === (colour === "white");
}

export class Premove {
  constructor() {
    this.forget();
    this.colour = null; // whose moves are entered; null while none can be
  }

  forget() {
    this.squares = []; // from where, and then where to
  }

  get isWhole() { return this.squares.length === 2; }

  // Whether a move can begin on this square.
  starts(game, letter) {
    return this.colour !== null && isOf(game, this.colour, letter);
  }

  // Takes a square that was clicked, or on which a piece was dropped, of a position.
  take(square, { game, squares, dropped }) {
    const [from] = this.squares;
    const own = this.starts(game, squares[square]);
    const open = this.squares.length === 1 && from !== square;
    // A king is put on its rook to castle; otherwise another piece is chosen.
    const castles = game === "chess" && open && "kK".includes(squares[from]) && "rR".includes(squares[square]);
    if (open && (!own || castles || dropped)) this.squares.push(square);
    else if (own && from !== square) this.squares = [square];
    else this.forget();
  }

  // The legal moves that it can mean; none is left to be played afterwards.
  meant(legal) {
    const [from, to] = this.squares;
    const fits = route => route[0] === from && route.at(-1) === to;
    this.forget();
    return legal.filter(m => m.routes.some(fits));
  }
}
