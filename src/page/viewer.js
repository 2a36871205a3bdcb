// A page for replaying games: the board between the players' rows, the move list, navigation
// buttons, keyboard shortcuts, and the address. `#12.30` in the address opens game 12 after 30
// plies.

import { Board } from "./board.js";
import { PlayerRow } from "./clock.js";
import { element } from "./dom.js";
import { MoveList } from "./moves.js";

const root = document.documentElement;
addEventListener("error", event => { root.dataset.error = event.message; });

// The base-64 digits that encode squares in the data, as in `src/page/mod.rs`.
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

export const data = JSON.parse(document.getElementById("data").textContent);
export const games = data.games.sort((a, b) => a.number - b.number);

export class Viewer {
  // `open` is called when another game is opened, and can return the ply to display. `show` is
  // called when another position is displayed.
  constructor({ open, show }) {
    this.opened = open;
    this.shown = show;
    this.game = null;
    this.ply = 0;
    this.steering = false; // true once the first game is open; then the address follows the display
    this.board = new Board(element("div", { class: "board" }), { game: data.size === 8 ? "chess" : "draughts", label: "board" });
    this.rows = [new PlayerRow(element("div")), new PlayerRow(element("div"))];
    const list = element("ol", { class: "moves flow", "aria-label": "moves", tabindex: 0 });
    this.moves = new MoveList(list, ply => this.go(ply));
    this.title = element("h3");
    this.said = element("div", { class: "said" });
  }

  table() {
    const [above, below] = this.rows.map(row => row.host);
    return element("div", {}, above, this.board.host, below, this.steps());
  }

  steps() {
    const button = (text, label, action) => element("button", { "aria-label": label, title: label, onclick: action }, text);
    return element("div", { class: "steps" },
      button("«", "first position", () => this.go(0)), button("‹", "previous move", () => this.go(this.ply - 1)),
      button("›", "next move", () => this.go(this.ply + 1)), button("»", "last position", () => this.go(Infinity)),
      button("⇅", "flip the board", () => this.turn()));
  }

  open(game, ply) {
    this.game = game;
    const at = this.opened(game) ?? game.steps.length;
    this.go(ply ?? at);
  }

  go(ply) {
    if (!this.game) return;
    this.ply = Math.max(0, Math.min(this.game.steps.length, ply));
    const [squares, moved] = this.position();
    this.board.set({ squares, moved, arrows: [] });
    this.board.host.dataset.ply = this.ply;
    this.moves.at(this.ply);
    this.shown(this.game, this.ply);
    // Replace the history entry, so that steps do not fill the browser's history.
    if (this.steering) history.replaceState(null, "", `#${this.game.number}.${this.ply}`);
  }

  // Returns the contents of the squares, and the squares that the last move changed.
  position() {
    const squares = [...this.game.board ?? data.start];
    let moved = [];
    for (const { d } of this.game.steps.slice(0, this.ply)) {
      moved = [];
      for (let at = 0; at < d.length; at += 2) {
        const square = DIGITS.indexOf(d[at]);
        squares[square] = d[at + 1];
        moved.push(square);
      }
    }
    return [squares, moved];
  }

  // Returns the side to move after `ply` plies: 0 for White, 1 for Black.
  mover(ply) { return (ply + this.game.black_first) % 2; }

  // Shows the players. `of` returns the contents of the row for side 0 (White) or 1 (Black).
  players(of) {
    const sides = this.board.state.flipped ? [0, 1] : [1, 0];
    sides.forEach((side, index) => this.rows[index].set({ side: ["white", "black"][side], ...of(side) }));
  }

  turn() {
    this.board.set({ flipped: !this.board.state.flipped });
    this.go(this.ply);
  }

  // Scrolls to the board unless the whole board is on the screen.
  reveal(behavior = "auto") {
    const [top, bottom] = [this.rows[0].host.getBoundingClientRect().top, this.rows[1].host.getBoundingClientRect().bottom];
    if (top < 0 || bottom > innerHeight) this.rows[0].host.scrollIntoView({ block: "start", behavior });
  }

  // Opens the game named in the address, or `first` if there is none. `keys` contains additional
  // key bindings.
  begin(first, keys = {}) {
    const all = { ArrowLeft: () => this.go(this.ply - 1), ArrowRight: () => this.go(this.ply + 1), f: () => this.turn(), ...keys };
    addEventListener("keydown", event => {
      if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.altKey || event.metaKey) return;
      if (!Object.hasOwn(all, event.key)) return;
      all[event.key]();
      event.preventDefault();
    });
    const follow = () => {
      const [, number, at] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) || [];
      const wanted = games.find(one => one.number === Number(number));
      if (!wanted) return false;
      this.open(wanted, at === undefined ? undefined : Number(at));
      this.reveal();
      return true;
    };
    if (!follow()) this.open(first);
    this.steering = true;
    addEventListener("hashchange", follow);
  }
}
