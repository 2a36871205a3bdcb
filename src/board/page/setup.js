// The dialog for setting up a position on a separate board. The server checks whether the position
// is legal.

import { byId, element, svg } from "./dom.js";
import { pieceName, say } from "./french.js";
import { START, VARIANTS, gameOf, prepare } from "./panel.js";
import { piece } from "./pieces.js";
import { PlayBoard } from "./play.js";

// The pieces of the palette, in rows of seven.
const PIECES = { chess: "KQRBNP.kqrbnp", draughts: "wWbB." };
const COUNT = { chess: 64, draughts: 50 };
const EMPTY = ".";

// `examine` sends a FEN to the server for checking, `analyse` opens a FEN for analysis, and `play`
// begins a game from a FEN.
export function setup({ examine, analyse, play }) {
  const dialog = byId("setup-dialog");
  prepare(dialog);
  const [game, turn, passant, fen, error, palette, rights, clock, number] =
    ["setup-game", "setup-turn", "setup-passant", "setup-fen", "setup-error", "palette", "castling", "setup-clock", "setup-number"].map(byId);
  const begins = [byId("setup-analyse"), byId("setup-play")];
  const board = new PlayBoard(byId("setup-board"), { play: () => {}, choose: () => {}, plan: () => {} });
  const castling = [...rights.querySelectorAll("input")];
  let squares = [];
  // Castling rights that the FEN gives as file letters (Shredder-FEN). The key is `K`, `Q`, `k` or
  // `q`, and the value is the file letter.
  let letters = {};
  let brush = EMPTY; // the letter that a click places
  let variant = ""; // the variant suffix of a draughts FEN
  let opened = false; // true if the server was asked to open the position

  const kind = () => game.value === "chess" ? "chess" : "draughts";
  const suffix = () => game.value in VARIANTS ? `:V${game.value}` : "";

  function draw() {
    board.set({ game: kind(), squares: [...squares] });
  }

  function drawPalette() {
    const option = letter => {
      const name = letter === EMPTY ? say("empty square") : pieceName(kind(), letter);
      const picture = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, ...letter === EMPTY ? [] : [piece(kind(), letter)]);
      const input = element("input", { type: "radio", name: "brush", value: letter, "aria-label": name, onchange: () => { brush = letter; } });
      return element("label", { title: name }, input, picture);
    };
    palette.replaceChildren(...[...PIECES[kind()]].map(option));
    choose(PIECES[kind()][0]);
  }

  function choose(letter) {
    brush = letter;
    for (const input of palette.querySelectorAll("input")) input.checked = input.value === letter;
  }

  function written() {
    const white = turn.value === "white";
    if (kind() === "draughts") {
      const of = (man, king) => squares.flatMap((letter, square) =>
        letter === man ? [square + 1] : letter === king ? [`K${square + 1}`] : []).join(",");
      return `${white ? "W" : "B"}:W${of("w", "W")}:B${of("b", "B")}${variant}`;
    }
    const row = number => squares.slice(8 * number, 8 * number + 8).join("").replace(/\.+/g, empty => empty.length);
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].map(row).join("/");
    const may = castling.filter(box => box.checked).map(box => letters[box.value] ?? box.value).join("") || "-";
    const square = passant.value === "-" ? "-" : passant.value + (white ? 6 : 3);
    return `${rows} ${white ? "w" : "b"} ${may} ${square} ${clock.value || 0} ${number.value || 1}`;
  }

  function changed() {
    fen.value = written();
    ask();
  }

  function ask() {
    begins.forEach(button => { button.disabled = true; });
    examine(kind(), fen.value);
  }

  // Updates the board and the controls from the FEN. `found` contains the squares as parsed by the server.
  function take(found) {
    squares = [...found];
    const words = fen.value.trim().split(/\s+/);
    if (kind() === "draughts") {
      turn.value = fen.value.trim().startsWith("B") ? "black" : "white";
      variant = /:V[a-z]+/i.exec(fen.value)?.[0] ?? "";
      game.value = gameOf("draughts", fen.value);
    } else {
      turn.value = words[1] === "b" ? "black" : "white";
      readRights(words[2] ?? "");
      [clock.value, number.value] = [Number(words[4]) || 0, Number(words[5]) || 1];
      passant.value = /^[a-h]/.exec(words[3] ?? "")?.[0] ?? "-";
    }
    draw();
  }

  // Reads the castling rights. A letter from a to h is the file of the rook. The right is a kingside
  // right if the rook is on the h-file side of the king, and otherwise a queenside right.
  function readRights(text) {
    letters = {};
    for (const letter of text.match(/[a-h]/gi) ?? []) {
      const white = letter === letter.toUpperCase();
      const king = squares.indexOf(white ? "K" : "k") % 8;
      const short = "abcdefgh".indexOf(letter.toLowerCase()) > king;
      const right = short ? "k" : "q";
      letters[white ? right.toUpperCase() : right] = letter;
    }
    castling.forEach(box => { box.checked = text.includes(box.value) || box.value in letters; });
  }

  function put(square, letter) {
    squares[square] = letter;
    draw();
    changed();
  }

  function begin(text) {
    rights.hidden = passant.parentElement.hidden = clock.closest(".pair").hidden = kind() !== "chess";
    letters = {};
    [clock.value, number.value] = [0, 1];
    squares = Array(COUNT[kind()]).fill(EMPTY);
    variant = suffix();
    drawPalette();
    draw();
    fen.value = text;
    ask();
  }

  board.pick = square => put(square, squares[square] === brush ? EMPTY : brush);
  // A letter key places its piece on the focused square.
  byId("setup-board").addEventListener("keydown", event => {
    const square = event.target.dataset.square;
    const letter = ["Delete", "Backspace"].includes(event.key) ? EMPTY : event.key;
    if (square === undefined || !PIECES[kind()].includes(letter) || event.ctrlKey || event.altKey || event.metaKey) return;
    put(Number(square), letter);
    event.preventDefault();
  });
  // Listen to "input", not "change": otherwise the server's answer to an earlier FEN would overwrite a
  // number that is being typed.
  for (const control of [turn, passant, clock, number, ...castling]) control.addEventListener("input", changed);
  fen.addEventListener("input", ask);
  game.addEventListener("change", () => begin(START[kind()] + suffix()));
  const does = {
    "setup-clear": () => {
      squares.fill(EMPTY);
      readRights("");
      passant.value = "-";
      [clock.value, number.value] = [0, 1];
      draw();
      changed();
    },
    "setup-first": () => begin(START[kind()] + suffix()),
    "setup-flip": () => board.set({ flipped: !board.state.flipped }),
    "setup-analyse": () => { opened = true; analyse(kind(), fen.value.trim()); },
    "setup-play": () => { dialog.close(); play(kind(), variant.slice(2), fen.value.trim()); },
  };
  for (const [id, action] of Object.entries(does)) byId(id).addEventListener("click", action);

  return {
    open: (chosen, text) => {
      game.value = chosen;
      opened = false;
      dialog.showModal();
      begin(text || START[kind()] + suffix());
    },
    // Handles the server's answer about a FEN. `found` is null if the FEN is unreadable, and `why` is
    // null if the position is legal.
    examined: ({ text, squares: found, why }) => {
      if (!dialog.open || text !== fen.value) return;
      error.textContent = why ?? "";
      begins.forEach(button => { button.disabled = why !== null; });
      if (found !== null && fen.value !== written()) take(found);
    },
    // Closes the dialog after the server has opened the position.
    done: () => { if (opened) dialog.close(); opened = false; },
  };
}
