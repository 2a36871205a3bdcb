// The analysis of a whole game: a graph of White's expected points, and a list of the worst moves.

import { byId, element, svg } from "./dom.js";
import { percentage, say } from "./french.js";
import { Graph, area, dot, even } from "./graph.js";
import { blame, movers, numbered, turningPoints, written } from "./moves.js";

export function story({ ask }) {
  const [section, effort, review, cancel, reviewing, count, summary, turning] =
    ["story", "effort", "review", "cancel", "reviewing", "reviewed", "accuracy", "turning"].map(byId);
  const phases = byId("phases");
  const go = ply => ask({ ask: "go", number: moves[ply - 1]?.number ?? 0 });
  const graph = new Graph(byId("graph"), { go });
  const times = new Graph(byId("spent"), { go, whole: Math.ceil });
  const name = twig => blame(twig.nags ?? []);
  let moves = [];

  function progress(reached) {
    const [done, of] = reached ?? [0, 1];
    for (const node of [reviewing, count, cancel]) node.hidden = !reached;
    reviewing.max = of;
    reviewing.value = done;
    count.textContent = done < of ? say("{0} of {1} positions", done, of) : say("checking puzzles…");
  }

  function draw(white, here) {
    const dots = moves.map((twig, index) => [name(twig), index])
      .filter(([name]) => name).map(([name, index]) => dot(index + 1, white[index + 1] ?? 0.5, name));
    graph.draw(moves.length, area(white), even(moves.length), ...dots);
    graph.at(here);
  }

  // Draws a bar for the time of each move: White's upwards, Black's downwards. The height is the
  // square root of the time, so that short times are visible.
  function drawTimes(state, spent, here) {
    const longest = Math.max(0, ...spent);
    times.picture.toggleAttribute("hidden", longest === 0);
    if (longest === 0) return;
    const bars = spent.map((time, ply) => {
      const { black } = numbered(state, ply);
      const height = 48 * Math.sqrt((time ?? 0) / longest);
      const title = svg("title", {}, `${written(state, ply)} ${say("{0} s", time ?? "–")}`);
      return svg("rect", { class: black ? "black" : "white", x: ply + 0.1, y: black ? 50 : 50 - height, width: 0.8, height }, title);
    });
    times.draw(moves.length, ...bars, even(moves.length));
    times.at(here);
  }

  function drawTurning(state, white) {
    turning.replaceChildren(...turningPoints(moves, name).map(({ m: twig, ply, name }) => {
      const shares = [white[ply] ?? 0.5, white[ply + 1] ?? 0.5].map(share => percentage(Math.round(100 * movers(state, ply, share)))).join(" → ");
      const go = () => ask({ ask: "go", number: twig.number });
      return element("li", {}, element("button", { class: name, onclick: go, title: say("the expected points of the player who moves") }, `${written(state, ply)} ${twig.text} `, element("small", {}, shares)));
    }));
  }

  const judge = byId("judge");
  let opened = null; // true or false after the user has opened or closed the section
  judge.addEventListener("click", () => {
    opened = section.hidden;
    section.hidden = !opened;
    judge.setAttribute("aria-expanded", opened);
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
      section.hidden = moves.length === 0 || !(opened ?? Boolean(course));
      judge.setAttribute("aria-expanded", !section.hidden);
      review.hidden = effort.parentElement.hidden = !state.can.includes("review");
      progress(reached);
      graph.picture.parentElement.hidden = !course;
      // Within a variation, mark the move of the main line where the variation starts.
      const here = moves.findLastIndex(twig => twig.number <= tree.here) + 1;
      drawTimes(state, state.study.times ?? [], here);
      if (!course) return;
      draw(course.white, here);
      const players = course.accuracy.map((accuracy, side) => accuracy ? `${say(["White", "Black"][side])} ${percentage(accuracy)}` : "").filter(Boolean);
      summary.textContent = players.length > 0 ? say("Accuracy: {0}", players.join(", ")) : say("White’s expected points");
      const names = ["Opening: {0}", "Middlegame: {0}", "Endgame: {0}"];
      const shown = course.phases.map((both, index) => both.some(Boolean) ? say(names[index], both.map(one => one ? percentage(one) : "–").join(" / ")) : "");
      phases.textContent = shown.filter(Boolean).join(" · ");
      phases.title = say("accuracy of White / Black in each phase");
      drawTurning(state, course.white);
    },
  };
}
