// A board for playing: a grid of buttons over the picture, one button per square.
//
// A move is entered square by square. The first square is the origin, and each further square must
// be on the route of a legal move. The last square of a route completes the move. If several moves
// match, `choose` asks the user.

import { Board } from "./board.js";
import { element, svg } from "./dom.js";
import { colourOf, spoken } from "./pieces.js";
import { meant, planned } from "./premove.js";

// Distance in pixels after which a pointer movement is a drag.
const DRAG = 5;
const INITIAL = {
  legal: [], // the legal moves, each with its text, routes and captured squares
  chosen: [], // the squares of the move being entered
  waits: null, // the colour of a player who may enter a premove
  premove: [], // the squares of the premove
  marked: [], // squares to highlight for `pick`
  held: null, // the square of the piece being dragged
};

export class PlayBoard extends Board {
  // Callbacks: `play` is called with a legal move, `choose` with several moves and a callback for the
  // chosen move, and `plan` with the square names of a premove (empty if cancelled).
  constructor(host, { play, choose, plan }) {
    super(host, INITIAL);
    Object.assign(this, { play, choose, plan });
    this.pick = null; // handles clicked squares; while it is set, no moves can be entered
    this.draw = null; // handles the shapes after the user has drawn or erased a shape
    this.focused = null;
    host.addEventListener("keydown", event => this.key(event));
    host.addEventListener("contextmenu", event => event.preventDefault());
  }

  // A change of position discards the move being entered.
  set(changes) {
    if (changes.game && changes.game !== this.state.game) this.focused = null;
    super.set("squares" in changes ? { chosen: [], ...changes } : changes);
  }

  set marked(squares) { this.state.marked = squares; }

  // Plays the premove if it is legal now. Returns true if there was a premove but it is illegal.
  playPremove() {
    const { premove, legal } = this.state;
    if (premove.length < 2) return false;
    const moves = meant(legal, premove);
    this.set({ premove: [] });
    this.take(moves);
    return moves.length === 0;
  }

  // Discards the move being entered and the premove. Returns whether there was anything to discard.
  forget() {
    const { chosen, premove } = this.state;
    if (chosen.length + premove.length === 0) return false;
    this.set({ chosen: [], premove: [] });
    if (premove.length > 1) this.plan([]);
    return true;
  }

  build() {
    super.build();
    const { size, count } = this.geometry;
    const grid = element("div", { class: `squares of-${size}`, role: "group", "aria-label": "squares" });
    this.buttons = Array.from({ length: count }, (_, square) => {
      const [column, row] = this.corner(square);
      const button = element("button", { "data-square": square, tabindex: -1 });
      button.style.gridColumn = column + 1;
      button.style.gridRow = row + 1;
      return button;
    });
    grid.append(...this.buttons);
    grid.addEventListener("click", event => this.click(event));
    grid.addEventListener("pointerdown", event => this.grab(event));
    grid.addEventListener("pointerdown", event => this.sketch(event));
    grid.addEventListener("focusin", event => this.focus(Number(event.target.dataset.square)));
    this.host.append(grid);
  }

  render() {
    if (!this.state.game) return;
    // `open` contains the routes through the squares entered so far. `targets` maps each remaining
    // square of these routes to true if the square ends its route, otherwise to false.
    this.open = this.state.chosen.length > 0 ? this.following(this.state.chosen) : [];
    this.targets = new Map();
    for (const { route, next } of this.open) {
      route.slice(next).forEach((square, index, rest) => {
        if (!this.targets.has(square)) this.targets.set(square, index === rest.length - 1);
      });
    }
    super.render();
    this.renderButtons();
  }

  renderButtons() {
    const { game, squares, chosen, premove, waits } = this.state;
    const movable = this.buttons.map((_, square) => this.starts(square));
    const first = this.focused ?? Math.max(0, movable.indexOf(true));
    this.buttons.forEach((button, square) => {
      const words = [this.geometry.name(square), spoken(game, squares[square])];
      if (chosen.includes(square)) words.push("selected");
      else if (this.targets.has(square)) words.push("legal destination");
      else if (premove.includes(square)) words.push("premove");
      button.setAttribute("aria-label", words.join(", "));
      const taken = movable[square] || this.targets.has(square);
      button.classList.toggle("movable", taken && waits === null);
      button.classList.toggle("plannable", taken && waits !== null);
      button.tabIndex = square === first ? 0 : -1;
    });
  }

  marks() {
    const { game, squares, marked, chosen, premove } = this.state;
    const circle = (square, r, name) => {
      const [cx, cy] = this.middle(square);
      return svg("circle", { cx, cy, r, class: name });
    };
    // The halo makes a ring visible on squares of any colour.
    const ring = (square, r, name) => [circle(square, r, "halo"), circle(square, r, name)];
    const targets = [...this.targets].flatMap(([square, ends]) => {
      const taken = squares[square] !== "." && square !== chosen[0];
      return taken ? ring(square, 43, "target taken") : [circle(square, ends ? 15 : 8, "target")];
    });
    const victims = game === "draughts" ? new Set(this.open.flatMap(({ m }) => m.takes)) : [];
    return [
      ...super.marks(),
      ...marked.map(square => this.mark(square, "named")),
      ...chosen.map(square => this.mark(square, "chosen")),
      ...targets,
      ...[...victims].flatMap(square => ring(square, 43, "victim")),
      ...premove.map(square => this.mark(square, "planned")),
      ...this.obliged().flatMap(square => ring(square, 43, "obliged")),
    ];
  }

  // Returns the squares of the pieces that must capture. The list is empty in chess, and after a
  // piece has been chosen.
  obliged() {
    const { game, legal, chosen } = this.state;
    if (game !== "draughts" || chosen.length > 0 || !legal.some(m => m.takes.length > 0)) return [];
    return [...new Set(legal.map(m => m.routes[0][0]))];
  }

  // While a move is being entered, its possible routes are drawn instead of the usual arrows.
  arrows() {
    if (this.state.chosen.length === 0) return super.arrows();
    return this.open.filter(({ route }) => route.length > 2).map(({ route }) => this.line(route, "open-way"));
  }

  // Places a piece on its square. A dragged piece stays under the pointer.
  put(node, square) {
    node.classList.toggle("held", square === this.state.held);
    if (square !== this.state.held) super.put(node, square);
  }

  starts(square) {
    const { game, squares, legal, waits } = this.state;
    return legal.some(m => m.routes[0][0] === square) || waits !== null && colourOf(game, squares[square]) === waits;
  }

  // Returns the routes of legal moves that visit the given squares in order, each with the index of
  // its next square.
  following(chosen) {
    const next = route => chosen.reduce((at, square, index) => {
      if (at < 0) return at;
      const found = route.indexOf(square, at);
      return found < 0 || index === 0 && found > 0 ? -1 : found + 1;
    }, 0);
    return this.state.legal.flatMap(m => m.routes.map(route => ({ m, route, next: next(route) }))).filter(({ next }) => next > 0);
  }

  take(moves) {
    if (moves.length === 1) this.play(moves[0]);
    else if (moves.length > 1) this.choose(moves, m => this.play(m));
  }

  click(event) {
    const button = event.target.closest("button");
    if (button && !this.dragged) this.enter(Number(button.dataset.square));
  }

  enter(square, dropped = false) {
    const { waits, chosen } = this.state;
    if (this.pick) return this.pick(square);
    if (waits !== null) {
      const premove = planned(this.state, square, dropped);
      this.set({ premove });
      return this.plan(premove.length > 1 ? premove.map(this.geometry.name) : []);
    }
    const starts = this.starts(square) ? [square] : [];
    if (chosen.length === 0) return this.set({ chosen: starts });
    const open = this.following([...chosen, square]);
    const moves = [...new Set(open.filter(({ route }) => route.at(-1) === square).map(({ m }) => m))];
    if (moves.length > 0) {
      this.set({ chosen: [] });
      this.take(moves);
    } else if (open.length > 0) {
      this.set({ chosen: [...chosen, square] });
    } else {
      this.set({ chosen: chosen[0] === square ? [] : starts });
    }
  }

  // Draws an arrow or circle with the right mouse button: green by default, red with Shift or Ctrl,
  // blue with Alt, yellow with Alt and Shift or Ctrl. Drawing the same shape again erases it. While
  // a move is being entered or a premove is set, a right click only discards the move or premove.
  sketch(event) {
    const from = Number(event.target.dataset?.square ?? -1);
    if (event.button !== 2 || from < 0 || this.forget() || !this.draw) return;
    const colour = [["green", "red"], ["blue", "yellow"]][Number(event.altKey)][Number(event.shiftKey || event.ctrlKey)];
    const { shapes } = this.state;
    const after = event => {
      const over = document.elementFromPoint(event.clientX, event.clientY)?.closest("button[data-square]");
      const to = over && this.host.contains(over) ? Number(over.dataset.square) : null;
      return to === null ? shapes : [...shapes, { colour, from, to: to === from ? null : to }];
    };
    const move = event => this.set({ shapes: after(event) });
    const end = event => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      const all = event.type === "pointercancel" ? shapes : after(event);
      const last = all.length > shapes.length ? all.at(-1) : null;
      const same = shape => shape.from === last?.from && shape.to === last?.to;
      const others = shapes.filter(shape => !same(shape));
      const erased = shapes.some(shape => same(shape) && shape.colour === colour);
      const now = !last ? shapes : erased ? others : [...others, last];
      this.set({ shapes: now });
      if (last) this.draw(now);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  grab(event) {
    const square = Number(event.target.dataset?.square ?? -1);
    this.dragged = false;
    if (event.button !== 0 || square < 0 || this.pick || !this.starts(square)) return;
    const [x, y] = [event.clientX, event.clientY];
    const grid = event.currentTarget;
    const move = event => {
      if (this.state.held === null) {
        if (Math.hypot(event.clientX - x, event.clientY - y) < DRAG) return;
        this.set({ held: square, ...this.state.waits !== null ? { premove: [square] } : { chosen: [square] } });
      }
      const node = this.drawn.get(square)?.node;
      if (!node) return;
      if (node !== this.layers.pieces.lastChild) this.layers.pieces.append(node);
      const box = grid.getBoundingClientRect();
      const [column, row] = [event.clientX - box.left, event.clientY - box.top].map(at => at / box.width * this.geometry.size - 0.5);
      node.setAttribute("transform", `translate(${100 * column} ${100 * row})`);
    };
    const end = event => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (this.state.held === null) return;
      // Ignore the click event that follows a drag, but not the next click.
      this.dragged = true;
      setTimeout(() => { this.dragged = false; });
      const over = document.elementFromPoint(event.clientX, event.clientY)?.closest("button[data-square]");
      const to = over && this.host.contains(over) ? Number(over.dataset.square) : null;
      const back = event.type === "pointercancel" || to === null || to === square && !this.targets.has(to);
      this.set(back ? { held: null, chosen: [], premove: [] } : { held: null });
      if (!back) this.enter(to, true);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  focus(square) {
    if (Number.isNaN(square)) return;
    this.focused = square;
    this.buttons.forEach((button, index) => { button.tabIndex = index === square ? 0 : -1; });
  }

  // Moves the focus with the arrow keys. In draughts, the up and down keys move it to the nearest
  // dark square in the next row.
  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Escape" && this.forget()) {
      // `forget` has already discarded the move or the premove.
    } else if (step && event.target.dataset.square !== undefined) {
      const [column, row] = this.corner(Number(event.target.dataset.square));
      const at = (x, y) => this.buttons.find((_, square) => {
        const [c, r] = this.corner(square);
        return c === x && r === y;
      });
      const [dx, dy] = step;
      const next = at(column + dx, row + dy) ?? at(column + 2 * dx, row + dy)
        ?? at(column + dx - 1, row + dy) ?? at(column + dx + 1, row + dy);
      next?.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
