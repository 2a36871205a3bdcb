// A graph over the plies of a game, one unit wide per ply and 100 units high.

import { svg } from "./dom.js";

export class Graph {
  // `go` is called with the clicked ply; `whole` rounds a fractional ply to a whole ply.
  constructor(picture, { go = null, whole = Math.round } = {}) {
    this.picture = picture;
    this.plies = 0;
    this.now = svg("line", { class: "now", y1: 0, y2: 100 });
    picture.setAttribute("preserveAspectRatio", "none");
    if (go) {
      picture.addEventListener("click", event => {
        const box = picture.getBoundingClientRect();
        go(Math.min(this.plies, whole((event.clientX - box.left) / box.width * Math.max(this.plies, 2))));
      });
    }
  }

  draw(plies, ...shapes) {
    this.plies = plies;
    this.picture.setAttribute("viewBox", `0 0 ${Math.max(plies, 2)} 100`);
    this.picture.replaceChildren(...shapes, this.now);
  }

  at(ply) {
    this.now.setAttribute("x1", ply);
    this.now.setAttribute("x2", ply);
  }
}

// Returns the vertical coordinate of White's expected points: 0 points are at the bottom, 1 at the
// top.
const height = white => (100 - 100 * white).toFixed(1);

// Returns the area below the curve of expected points. `all` contains the value before the first
// move and after each move. A missing value is replaced by the previous value, or by 0.5 at the
// start.
export function area(all) {
  let known = 0.5;
  const points = all.map((white, ply) => `${ply},${height(known = white ?? known)}`);
  return svg("polygon", { class: "share", points: `0,100 ${points.join(" ")} ${all.length - 1},100` });
}

// Returns a curve through [ply, expected points] pairs.
export const curve = (points, name) =>
  svg("polyline", { class: name, points: points.map(([ply, white]) => `${ply},${height(white)}`).join(" ") });

export const even = plies => svg("line", { class: "half", x1: 0, x2: Math.max(plies, 2), y1: 50, y2: 50 });

// Returns a mark for a move, clamped to the graph.
export function dot(ply, white, name) {
  const y = Math.max(4, Math.min(96, 100 - 100 * white));
  return svg("line", { class: `dot ${name}`, x1: ply, x2: ply, y1: y, y2: y });
}

export const percent = points => `${Math.round(100 * points)}%`;
