// A board: drawn as SVG, played on by a grid of buttons that lies over it, a button a square.
//
// A move is chosen by its squares: the first is that of the piece, each further one must be on the way
// of a legal move, the last is where one ends. If several end there, `choose` asks which is meant.

import { element, svg } from "./dom.js";
import { piece, spoken } from "./pieces.js";
import { Premove } from "./premove.js";

// What differs between the boards of the games: columns, where a square lies, and its name.
const GEOMETRY = {
  chess: {
    size: 8, count: 64,
    place: square => [square % 8, Math.floor(square / 8)],
    name: square => "abcdefgh"[square % 8] + (8 - Math.floor(square / 8)),
  },
  draughts: {
    size: 10, count: 50,
    place: square => {
      const row = Math.floor(square / 5);
      return [2 * (square % 5) + (row % 2 === 0 ? 1 : 0), row];
    },
    name: square => String(square + 1),
  },
};
const UNIT = 100;
const DRAG = 5;

export class Board {
  // `play` is called with a legal move, `choose` with several and a function that takes the chosen one,
  // `planned` with the names of the squares of a premove, none if it is forgotten.
  constructor(host, { play, choose, planned }) {
    Object.assign(this, { host, play, choose, planned });
    this.premove = new Premove();
    this.game = null;
    this.flipped = false;
    this.chosen = [];
    this.legal = [];
    this.focused = null;
    this.pick = null;    // takes each square that is clicked, instead of moves
    this.marked = [];    // squares that are marked for it
    host.addEventListener("keydown", event => this.key(event));
    host.addEventListener("contextmenu", event => { if (this.forget()) event.preventDefault(); });
  }

  // Shows a position. `moved` is the way of the last move; it is shown as it goes if `moving`. `waits` is
  // the colour of a player who can enter a premove.
  show({ game, squares, legal, moved, check, moving, waits = null }) {
    if (game !== this.game) {
      this.game = game;
      this.geometry = GEOMETRY[game];
      this.focused = null;
      this.build();
    }
    Object.assign(this, { squares, legal, moved, check });
    this.premove.colour = waits;
    this.chosen = [];
    this.render();
    if (moving) this.move(moved);
  }

  // Plays the premove, if there is one and it has become legal. Returns whether there was one.
  playPremove() {
    if (!this.premove.isWhole) return false;
    const meant = this.premove.meant(this.legal);
    this.render();
    if (meant.length === 1) this.play(meant[0]);
    else if (meant.length > 1) this.choose(meant, m => this.play(m));
    return true;
  }

  // Forgets what is chosen, and the premove. Returns whether there was any.
  forget() {
    const [some, planned] = [this.chosen.length + this.premove.squares.length > 0, this.premove.isWhole];
    this.chosen = [];
    this.premove.forget();
    if (some) this.render();
    if (planned) this.planned([]);
    return some;
  }

  flip(flipped) {
    this.flipped = flipped;
    if (!this.game) return;
    this.build();
    this.render();
  }

  // The left upper corner of a square.
  corner(square) {
    const { size, place } = this.geometry;
    const [column, row] = place(square);
    return this.flipped ? [size - 1 - column, size - 1 - row] : [column, row];
  }

  middle(square) {
    return this.corner(square).map(x => (x + 0.5) * UNIT);
  }

  build() {
    const { size, count, name, place } = this.geometry;
    const side = size * UNIT;
    this.layers = Object.fromEntries(["ground", "marks", "names", "pieces", "arrows"]
      .map(name => [name, svg("g", { class: name })]));
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        this.layers.ground.append(svg("rect", {
          x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT,
          class: (row + column) % 2 === 0 ? "light" : "dark",
        }));
      }
    }
    this.buttons = [];
    const grid = element("div", { class: `squares of-${size}`, role: "group", "aria-label": "squares" });
    for (let square = 0; square < count; square++) {
      const [column, row] = this.corner(square);
      const button = element("button", { "data-square": square, tabindex: -1 });
      button.style.gridColumn = column + 1;
      button.style.gridRow = row + 1;
      grid.append(button);
      this.buttons.push(button);
      this.label(square, column, row, size, name, place);
    }
    grid.addEventListener("click", event => this.click(event));
    grid.addEventListener("pointerdown", event => this.grab(event));
    grid.addEventListener("focusin", event => this.focus(Number(event.target.dataset.square)));
    this.picture = svg("svg", { viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true", class: `picture ${this.game}` },
      ...Object.values(this.layers));
    this.host.replaceChildren(this.picture, grid);
  }

  // Coordinates: at the edges in chess, on each square in draughts.
  label(square, column, row, size, name) {
    const text = (x, y, anchor, words) => this.layers.names.append(
      svg("text", { x, y, "text-anchor": anchor, class: (row + column) % 2 === 0 ? "on-light" : "on-dark" }, words));
    const [x, y] = [column * UNIT, row * UNIT];
    if (this.game === "draughts") return text(x + 6, y + 22, "start", name(square));
    if (row === size - 1) text(x + UNIT - 6, y + UNIT - 7, "end", name(square)[0]);
    if (column === 0) text(x + 6, y + 22, "start", name(square)[1]);
  }

  render() {
    const { pieces, marks } = this.layers;
    this.drawn = new Map();
    pieces.replaceChildren();
    for (let square = 0; square < this.geometry.count; square++) {
      const node = piece(this.game, this.squares[square]);
      if (!node) continue;
      this.put(node, this.middle(square));
      this.drawn.set(square, node);
      pieces.append(node);
    }
    marks.replaceChildren();
    this.layers.arrows.replaceChildren();
    const mark = (square, name) => {
      const [column, row] = this.corner(square);
      marks.append(svg("rect", { x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT, class: name }));
    };
    for (const square of new Set(this.moved)) mark(square, "moved");
    if (this.moved.length > 2) this.way(this.moved, "moved-way");
    if (this.check !== null) mark(this.check, "check");
    for (const square of this.marked) mark(square, "named");
    this.showChoice(mark);
    for (const square of this.premove.squares) mark(square, "planned");
    const movable = new Set([...this.buttons.keys()].filter(square => this.starts(square)));
    const first = this.focused ?? [...movable][0] ?? 0;
    this.buttons.forEach((button, square) => {
      const words = [this.geometry.name(square), spoken(this.game, this.squares[square])];
      if (this.chosen.includes(square)) words.push("chosen");
      else if (this.targets.has(square)) words.push("can be moved to");
      else if (this.premove.squares.includes(square)) words.push("premove");
      button.setAttribute("aria-label", words.join(", "));
      const taken = movable.has(square) || this.targets.has(square);
      button.classList.toggle("movable", taken && this.premove.colour === null);
      button.classList.toggle("plannable", taken && this.premove.colour !== null);
      button.tabIndex = square === first ? 0 : -1;
    });
  }

  // Whether a move, or a premove, can begin on this square.
  starts(square) {
    return this.legal.some(m => m.routes[0][0] === square) || this.premove.starts(this.game, this.squares[square]);
  }

  put(node, [x, y]) {
    node.setAttribute("transform", `translate(${x - UNIT / 2} ${y - UNIT / 2})`);
  }

  // The last move as the hand makes it, leg by leg.
  move(route) {
    const node = this.drawn.get(route.at(-1));
    if (!node || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    node.parentNode.append(node);
    const frames = route.map(square => {
      const [x, y] = this.middle(square);
      return { transform: `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)` };
    });
    node.animate(frames, { duration: 160 + 140 * (route.length - 2), easing: "ease-in-out" });
  }

  // The routes that go over the squares chosen so far, with their moves.
  open() {
    const follows = route => {
      let at = 0;
      return this.chosen.every((square, index) => {
        at = route.indexOf(square, index === 0 ? 0 : at + 1);
        return at >= 0 && (index > 0 || at === 0);
      });
    };
    return this.legal.flatMap(m => m.routes.filter(follows).map(route => ({ m, route })));
  }

  showChoice(mark) {
    this.targets = new Set();
    if (this.chosen.length === 0) return;
    for (const square of this.chosen) mark(square, "chosen");
    const last = this.chosen.at(-1);
    for (const { m, route } of this.open()) {
      const rest = route.slice(this.chosen.length === 1 ? 1 : route.indexOf(last, 1) + 1);
      rest.forEach((square, index) => {
        if (this.targets.has(square)) return;
        this.targets.add(square);
        const ends = index === rest.length - 1;
        const [cx, cy] = this.middle(square);
        const taken = this.squares[square] !== "." && square !== this.chosen[0];
        const r = taken ? 44 : ends ? 15 : 8;
        this.layers.marks.append(svg("circle", { cx, cy, r, class: taken ? "target taken" : "target" }));
      });
      for (const square of m.takes) {
        if (this.game === "draughts") {
          const [cx, cy] = this.middle(square);
          this.layers.marks.append(svg("circle", { cx, cy, r: 46, class: "victim" }));
        }
      }
      if (route.length > 2) this.way(route, "open-way");
    }
  }

  // A way over several squares, as a line.
  way(route, name, ends = false) {
    const points = route.map(square => this.middle(square).join(",")).join(" ");
    const layer = name === "arrow" || name === "open-way" ? this.layers.arrows : this.layers.marks;
    layer.append(svg("polyline", { points, class: name }));
    if (!ends) return;
    const [[x0, y0], [x, y]] = [this.middle(route.at(-2)), this.middle(route.at(-1))];
    const angle = Math.atan2(y - y0, x - x0) * 180 / Math.PI;
    layer.append(svg("path", { class: "head", d: "M0 0L-30-16V16z", transform: `translate(${x} ${y}) rotate(${angle})` }));
  }

  // Arrows for what the engine would play, best first.
  arrows(routes) {
    this.layers?.arrows.replaceChildren();
    if (this.chosen.length > 0) return this.render();
    routes.slice(0, 3).forEach((route, rank) => {
      if (route.length < 2) return;
      const count = this.layers.arrows.childNodes.length;
      this.way(route, "arrow", true);
      [...this.layers.arrows.childNodes].slice(count).forEach(node => node.classList.add(`rank-${rank}`));
    });
  }

  click(event) {
    const button = event.target.closest("button");
    if (!button || this.dragged) return;
    this.choose_square(Number(button.dataset.square));
  }

  choose_square(square, dropped = false) {
    if (this.pick) return this.pick(square);
    if (this.premove.colour !== null) {
      this.premove.take(square, { game: this.game, squares: this.squares, dropped });
      this.render();
      return this.planned(this.premove.isWhole ? this.premove.squares.map(this.geometry.name) : []);
    }
    const starts = this.starts(square);
    if (this.chosen.length > 0) {
      this.chosen.push(square);
      const found = this.open();
      const ending = found.filter(({ route }) => route.at(-1) === square).map(({ m }) => m);
      const moves = [...new Set(ending)];
      if (moves.length > 0) {
        this.chosen = [];
        this.render();
        if (moves.length === 1) this.play(moves[0]);
        else this.choose(moves, m => this.play(m));
        return;
      }
      if (found.length === 0) {
        const again = this.chosen[0] === square;
        this.chosen = starts && !again ? [square] : [];
      }
    } else if (starts) {
      this.chosen = [square];
    }
    this.render();
  }

  // Takes a piece up, to be dragged.
  grab(event) {
    const square = Number(event.target.dataset?.square ?? -1);
    this.dragged = false;
    if (event.button !== 0 || square < 0 || this.pick || !this.starts(square)) return;
    const [x, y] = [event.clientX, event.clientY];
    const grid = event.currentTarget;
    const scale = this.geometry.size * UNIT / grid.getBoundingClientRect().width;
    let drags = false;
    const move = event => {
      if (!drags && Math.hypot(event.clientX - x, event.clientY - y) < DRAG) return;
      if (!drags) {
        drags = true;
        if (this.premove.colour !== null) this.premove.squares = [square];
        else this.chosen = [square];
        this.render();
      }
      const box = grid.getBoundingClientRect();
      const node = this.drawn.get(square);
      if (!node) return;
      if (!node.classList.contains("held")) {
        node.parentNode.append(node);
        node.classList.add("held");
      }
      this.put(node, [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale]);
    };
    const end = event => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!drags) return;
      // The click that follows belongs to the drag; that of another press does not.
      this.dragged = true;
      setTimeout(() => { this.dragged = false; });
      const over = document.elementFromPoint(event.clientX, event.clientY)?.closest("button[data-square]");
      const to = over && this.host.contains(over) ? Number(over.dataset.square) : null;
      if (event.type === "pointercancel" || to === null || to === square && !this.targets.has(to)) {
        this.chosen = [];
        this.premove.forget();
        this.render();
      } else {
        this.choose_square(to, true);
      }
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

  // Arrows go from square to square; in draughts up and down go to the nearer dark square of the row.
  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Escape" && this.forget()) {
      // Nothing is left to be done.
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
