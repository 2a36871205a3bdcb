// The course of a studied game: analysed when that is asked for, drawn as White's expected points, with the
// moves that lost most.

import { byId, element, svg } from "./dom.js";
import { blame, numbered } from "./tree.js";

const percent = points => `${Math.round(100 * points)}%`;

export function story({ ask }) {
  const [section, effort, review, cancel, reviewing, count, graph, told, turning] =
    ["story", "effort", "review", "cancel", "reviewing", "reviewed", "graph", "accuracy", "turning"].map(byId);
  let moves = []; // the main line

  function progress(reached) {
    const [done, of] = reached ?? [0, 1];
    for (const node of [reviewing, count, cancel]) node.hidden = !reached;
    reviewing.max = of;
    reviewing.value = done;
    count.textContent = `${done} of ${of} positions`;
  }

  function draw(white, here) {
    const last = Math.max(moves.length, 2);
    let known = 0.5;
    const points = white.map((points, ply) => `${ply},${(100 - 100 * (known = points ?? known)).toFixed(1)}`);
    const nodes = [svg("polygon", { class: "share", points: `0,100 ${points.join(" ")} ${moves.length},100` }),
      svg("line", { class: "half", x1: 0, x2: last, y1: 50, y2: 50 })];
    moves.forEach((twig, index) => {
      const [name, y] = [blame(twig.nags ?? []), 100 - 100 * (white[index + 1] ?? 0.5)];
      const at = Math.max(4, Math.min(96, y));
      if (name) nodes.push(svg("line", { class: `dot ${name}`, x1: index + 1, x2: index + 1, y1: at, y2: at }));
    });
    nodes.push(svg("line", { class: "now", x1: here, x2: here, y1: 0, y2: 100 }));
    graph.setAttribute("viewBox", `0 0 ${last} 100`);
    graph.replaceChildren(...nodes);
  }

  // The moves that lost most; those that are dubious where there are no worse.
  function turningPoints(state, white) {
    const all = moves.map((twig, ply) => ({ twig, ply, name: blame(twig.nags ?? []) })).filter(one => one.name);
    const grave = all.filter(one => one.name !== "dubious");
    return (grave.length > 0 ? grave : all).map(({ twig, ply, name }) => {
      const { number, black } = numbered(state, ply);
      const shares = [white[ply] ?? 0.5, white[ply + 1] ?? 0.5].map(percent).join(" → ");
      const go = () => ask({ ask: "go", number: twig.number });
      return element("li", {}, element("button", { class: name, onclick: go }, `${number}${black ? "…" : "."} ${twig.text} `, element("small", {}, shares)));
    });
  }

  graph.addEventListener("click", event => {
    const box = graph.getBoundingClientRect();
    const ply = Math.round((event.clientX - box.left) / box.width * Math.max(moves.length, 2));
    ask({ ask: "go", number: moves[Math.min(ply, moves.length) - 1]?.number ?? 0 });
  });
  review.addEventListener("click", () => {
    const [kind, number] = effort.value.split(" ");
    ask({ ask: "review", effort: { [kind]: Number(number) } });
  });
  cancel.addEventListener("click", () => ask({ ask: "cancel" }));

  return {
    progress,
    show: state => {
      const { tree, course, progress: reached } = state.study;
      moves = tree.line.moves;
      section.hidden = moves.length === 0;
      review.hidden = effort.parentElement.hidden = !state.can.includes("review");
      progress(reached);
      graph.parentElement.hidden = !course;
      if (!course) return;
      // Of a variation the place from which it leaves.
      const here = moves.findLastIndex(twig => twig.number <= tree.here) + 1;
      draw(course.white, here);
      const players = course.accuracy.map((accuracy, side) => accuracy ? `${["White", "Black"][side]} ${accuracy}%` : "").filter(Boolean);
      told.textContent = players.length > 0 ? `Accuracy: ${players.join(", ")}` : "White’s expected points";
      turning.replaceChildren(...turningPoints(state, course.white));
    },
  };
}
