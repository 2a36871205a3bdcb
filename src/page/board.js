// The picture of a board. `set` merges changes into the board's state, and `render` draws
// everything from the state.

import { svg } from "./dom.js";
import { piece } from "./pieces.js";

// The geometry of each board: its width, the number of squares, and functions that return the column
// and row (`place`) and the name of a square.
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
const INITIAL = {
  game: null, // "chess" or "draughts"; without a game nothing is drawn
  squares: "", // the contents of the squares, one letter each
  flipped: false,  // true if Black is at the bottom
  moved: [],       // the squares of the last move
  way: [], // the squares on the route of the last move, in order
  check: null, // the square of a king in check
  arrows: [], // arrows, each with a route over squares and a kind (its CSS class)
  shapes: [], // the user's arrows and circles; `to` is null for a circle
  label: null, // the text alternative; without a label the picture is decorative
};

export class Board {
  constructor(host, state = {}) {
    this.host = host;
    this.state = { ...INITIAL, ...state };
    this.built = "";
  }

  set(changes) {
    Object.assign(this.state, changes);
    this.render();
  }

  get geometry() { return GEOMETRY[this.state.game]; }

  render() {
    const { game, flipped, label } = this.state;
    if (!game) return;
    const shape = `${game} ${flipped}`;
    if (this.built !== shape) this.build();
    this.built = shape;
    if (label) this.picture.setAttribute("aria-label", label);
    this.renderPieces();
    this.layers.marks.replaceChildren(...this.marks());
    this.layers.arrows.replaceChildren(...this.arrows());
  }

  // Builds everything that depends only on the game and the orientation.
  build() {
    const { game, label } = this.state;
    const { size, count } = this.geometry;
    this.layers = Object.fromEntries(["ground", "marks", "names", "pieces", "arrows"]
      .map(name => [name, svg("g", { class: name })]));
    for (let at = 0; at < size * size; at++) {
      const [column, row] = [at % size, Math.floor(at / size)];
      this.layers.ground.append(svg("rect", {
        x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT,
        class: (row + column) % 2 === 0 ? "light" : "dark",
      }));
    }
    for (let square = 0; square < count; square++) this.layers.names.append(...this.names(square));
    this.picture = svg("svg", {
      class: `picture ${game}`, viewBox: `0 0 ${size * UNIT} ${size * UNIT}`,
      ...label ? { role: "img" } : { "aria-hidden": "true" },
    }, ...Object.values(this.layers));
    this.drawn = new Map();
    this.host.replaceChildren(this.picture);
  }

  // Returns the coordinate labels of a square: at the edges in chess, on each square in draughts.
  names(square) {
    const { size, name } = this.geometry;
    const [column, row] = this.corner(square);
    const [x, y] = [column * UNIT, row * UNIT];
    const text = (x, y, anchor, words) =>
      svg("text", { x, y, "text-anchor": anchor, class: (row + column) % 2 === 0 ? "on-light" : "on-dark" }, words);
    if (this.state.game === "draughts") return [text(x + 3, y + 16, "start", name(square))];
    return [
      ...row === size - 1 ? [text(x + UNIT - 6, y + UNIT - 7, "end", name(square)[0])] : [],
      ...column === 0 ? [text(x + 6, y + 22, "start", name(square)[1])] : [],
    ];
  }

  // Draws the pieces. The node of a piece that has not moved is reused.
  renderPieces() {
    const { game, squares } = this.state;
    for (let square = 0; square < this.geometry.count; square++) {
      const letter = squares[square] ?? ".";
      let drawn = this.drawn.get(square);
      if ((drawn?.letter ?? ".") !== letter) {
        drawn?.node.remove();
        this.drawn.delete(square);
        const node = piece(game, letter);
        drawn = node && { letter, node };
        if (node) {
          this.layers.pieces.append(node);
          this.drawn.set(square, drawn);
        }
      }
      if (drawn) this.put(drawn.node, square);
    }
  }

  put(node, square) {
    const [column, row] = this.corner(square);
    node.setAttribute("transform", `translate(${column * UNIT} ${row * UNIT})`);
  }

  marks() {
    const { moved, way, check } = this.state;
    return [
      ...[...new Set(moved)].map(square => this.mark(square, "moved")),
      ...way.length > 2 ? [this.line(way, "moved-way")] : [],
      ...check === null ? [] : [this.mark(check, "check")],
    ];
  }

  // Returns an arrow's head, which points in the direction of the last step of its route.
  head(route, name) {
    const [[x0, y0], [x, y]] = [this.middle(route.at(-2)), this.middle(route.at(-1))];
    const angle = Math.atan2(y - y0, x - x0) * 180 / Math.PI;
    return svg("path", { class: name, d: "M0 0L-30-16V16z", transform: `translate(${x} ${y}) rotate(${angle})` });
  }

  shape({ colour, from, to }) {
    if (to !== null) return [this.line([from, to], `arrow drawn ${colour}`), this.head([from, to], `head drawn ${colour}`)];
    const [cx, cy] = this.middle(from);
    return [svg("circle", { cx, cy, r: 45, class: `arrow drawn ${colour}` })];
  }

  arrows() {
    const shapes = this.state.shapes.flatMap(shape => this.shape(shape));
    return shapes.concat(this.state.arrows.filter(({ route }) => route.length > 1).flatMap(({ route, kind }) => {
      return [this.line(route, `arrow ${kind}`), this.head(route, `head ${kind}`)];
    }));
  }

  corner(square) {
    const { size, place } = this.geometry;
    const [column, row] = place(square);
    return this.state.flipped ? [size - 1 - column, size - 1 - row] : [column, row];
  }

  middle(square) {
    return this.corner(square).map(x => (x + 0.5) * UNIT);
  }

  mark(square, name) {
    const [column, row] = this.corner(square);
    return svg("rect", { x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT, class: name });
  }

  line(route, name) {
    return svg("polyline", { points: route.map(square => this.middle(square).join(",")).join(" "), class: name });
  }

  animate(route) {
    const node = this.drawn.get(route.at(-1))?.node;
    const { animation } = document.documentElement.dataset;
    if (!node || animation === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.layers.pieces.append(node);
    const frames = route.map(square => {
      const [column, row] = this.corner(square);
      return { transform: `translate(${column * UNIT}px, ${row * UNIT}px)` };
    });
    node.animate(frames, { duration: (animation === "slow" ? 3 : 1) * (160 + 140 * (route.length - 2)), easing: "ease-in-out" });
  }
}
