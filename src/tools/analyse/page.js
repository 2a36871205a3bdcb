// The script of the page that `adoube analyse --to html` writes.

import { element, svg } from "../../page/dom.js";
import { Graph, area, dot, even, percent } from "../../page/graph.js";
import { SIGNS, blame, movers, signs, turningPoints, written } from "../../page/moves.js";
import { Viewer, data, games } from "../../page/viewer.js";

const SIDES = ["white", "black"];
// The numeric annotation glyphs of bad moves, worst first.
const GLYPHS = [4, 2, 6];

const viewer = new Viewer({ open, show });
const go = ply => viewer.go(ply);
const graph = new Graph(svg("svg", { class: "graph points", role: "img", "aria-label": "White's expected points over the game" }), { go });
const clocks = new Graph(svg("svg", { class: "graph times", role: "img", "aria-label": "time used for each move" }), { go, whole: Math.ceil });
const caption = element("p", { class: "caption" });
const summary = element("div", { class: "scroll", role: "region", "aria-label": "summary", tabindex: 0 });
const turning = element("ul", { class: "turning" });
const body = element("tbody");

const name = step => step.g === undefined ? "" : blame([step.g]);
const sign = step => element("span", { class: `sign ${name(step)}` }, signs(step.n ?? []));
// Returns the analysis of the position after `count` moves.
const position = (game, count) => count === 0 ? game.start : game.steps[count - 1];
const points = game => [game.start, ...game.steps].map(after => after.w);

function drawGraph(game) {
  const dots = game.steps.flatMap((step, index) => step.g === undefined ? [] : [dot(index + 1, step.w, name(step))]);
  graph.draw(game.steps.length, area(points(game)), even(game.steps.length), ...dots);
}

function drawTimes(game) {
  const longest = Math.max(0, ...game.steps.map(step => step.t ?? 0));
  clocks.picture.style.display = longest > 0 ? "" : "none";
  clocks.draw(game.steps.length, ...game.steps.flatMap((step, index) => {
    if (!step.t) return [];
    const height = 100 * step.t / longest;
    return [svg("rect", { class: viewer.mover(index) === 0 ? "first" : "second", x: index + .1, y: 100 - height, width: .8, height })];
  }));
  caption.textContent = "White's expected points" + (longest > 0 ? `; below, the time used, at most ${longest} s for a move` : "");
}

// Formats a variation with move numbers. Its first move is an alternative to the move at `index`.
function line(game, index, texts) {
  return texts.map((text, n) => (viewer.mover(index + n) === 0 || n === 0 ? `${written(game, index + n)} ` : "") + text).join(" ");
}

// Formats a variation of the record, with its comments and nested variations. Its first move is an
// alternative to the move at `index`.
function variation(game, index, moves) {
  let numbered = true;
  const words = moves.flatMap(({ m, n = [], b = [], c = [], v = [] }, at) => {
    const ply = index + at;
    const number = viewer.mover(ply) === 0 || numbered || b.length > 0 ? `${written(game, ply)} ` : "";
    numbered = c.length > 0 || v.length > 0;
    return [...b, number + m + signs(n), ...c, ...v.map(one => variation(game, ply, one))];
  });
  return `(${words.join(" ")})`;
}

function arrows(game, ply) {
  const here = position(game, ply), next = game.steps[ply];
  const same = next && here.a && next.p[0] === here.a[0] && next.p[1] === here.a[1];
  const all = [];
  if (next && !same) all.push({ route: next.p, kind: next.g === undefined ? "played" : "bad" });
  if (here.a) all.push({ route: here.a, kind: "best" });
  return all;
}

function tell(game, ply) {
  const here = position(game, ply), step = game.steps[ply - 1];
  const first = element("p");
  if (step) {
    first.append(`${written(game, ply - 1)} ${step.m}`, step.n ? sign(step) : "");
    if (step.k === 1) first.append(" is a book move");
    if (step.k === 2) first.append(" was the only legal move");
    if (step.g !== undefined) {
      const before = position(game, ply - 1);
      first.append(` changes White's expected points from ${percent(before.w)} to ${percent(here.w)}; better was ${line(game, ply - 1, before.b.slice(0, 5))}`);
    }
    first.append(". ");
  }
  first.append(`White's score is ${here.e}, for an expected ${percent(here.w)} of the points.`);
  const lines = [first];
  if (here.b) lines.push(element("p", { class: "line" }, `Best: ${line(game, ply, here.b)}`));
  for (const [score, moves] of here.o ?? []) lines.push(element("p", { class: "line" }, `${score}: ${line(game, ply, moves)}`));
  if (step && step.c) lines.push(element("p", {}, step.c.join(" ")));
  for (const moves of (step && step.v) ?? []) lines.push(element("p", { class: "variation" }, variation(game, ply - 1, moves)));
  if (ply === game.steps.length) lines.push(element("p", {}, `Result: ${game.result}`));
  viewer.said.replaceChildren(...lines);
}

function show(game, ply) {
  viewer.board.set({ arrows: arrows(game, ply) });
  tell(game, ply);
  viewer.players(side => {
    const play = game.players[side];
    return { name: [game.white, game.black][side], note: play === null ? "" : `accuracy ${play[0].toFixed(1)}%` };
  });
  graph.at(ply);
  clocks.at(ply);
  for (const item of turning.querySelectorAll("button")) {
    const isNow = Number(item.dataset.ply) === ply;
    item.classList.toggle("now", isNow);
    if (isNow) turning.scrollTop = item.offsetTop - turning.clientHeight / 2 + item.offsetHeight / 2;
  }
}

function drawSummary(game) {
  const row = (cells, kind) => element("tr", {}, ...cells.map(cell => element(kind, {}, cell)));
  const rows = SIDES.map(side => {
    const play = game.players[SIDES.indexOf(side)];
    const figures = play === null ? ["–", "–", "–", "–", "–"] : [`${play[0].toFixed(1)}%`, play[1].toFixed(3), ...play[2]];
    return row([game[side], ...figures], "td");
  });
  const head = row(["player", "accuracy", "loss", ...GLYPHS.map(nag => SIGNS[nag])], "th");
  summary.replaceChildren(element("table", { class: "summary" }, element("thead", {}, head), element("tbody", {}, ...rows)));
}

function drawTurning(game) {
  const items = turningPoints(game.steps, name).map(({ m: step, ply }) => {
    const before = position(game, ply);
    const item = element("button", { "data-ply": ply, onclick: () => go(ply) },
      element("small", { class: "shares", title: "the expected points of the player who moves" }, [before.w, step.w].map(white => percent(movers(game, ply, white))).join(" → ")),
      `${written(game, ply)} ${step.m}`, sign(step), element("br"), element("small", {}, `better ${written(game, ply)} ${before.b[0]}`));
    return element("li", {}, item);
  });
  turning.replaceChildren(...items.length > 0 ? items : [element("li", { class: "quiet" }, "No move lost much.")]);
}

// Goes to the next turning point (direction 1) or to the previous one (direction -1).
function toTurningPoint(direction) {
  const plies = turningPoints(viewer.game.steps, name).map(({ ply }) => ply);
  const wanted = direction > 0 ? plies.find(at => at > viewer.ply) : plies.findLast(at => at < viewer.ply);
  if (wanted !== undefined) go(wanted);
}

function open(game) {
  viewer.title.textContent = [games.length > 1 ? `Game ${game.number}` : "", game.event, game.date, game.result].filter(Boolean).join(" · ");
  viewer.moves.show(game, game.steps.map(step => ({ text: step.m + signs(step.n ?? []), name: name(step) || (step.k === 1 ? "book" : null) })));
  drawGraph(game);
  drawTimes(game);
  drawSummary(game);
  drawTurning(game);
  for (const row of body.rows) row.classList.toggle("now", Number(row.dataset.number) === game.number);
  return turningPoints(game.steps, name)[0]?.ply;
}

// Draws a small graph of a game, for the list of games.
function spark(game) {
  const small = new Graph(svg("svg", { class: "spark points" }));
  small.draw(game.steps.length, area(points(game)));
  return small.picture;
}

function list() {
  body.append(...games.map(one => {
    const choose = () => {
      viewer.open(one);
      viewer.reveal("smooth");
    };
    const row = element("tr", { "data-number": one.number, tabindex: 0, onclick: choose, onkeydown: event => { if (event.key === "Enter") choose(); } });
    const accuracy = one.players.map(play => play === null ? "–" : `${play[0].toFixed(1)}%`);
    const blunders = one.players.map(play => play === null ? 0 : play[2][0]).join(" : ");
    const cells = [one.number, one.white, one.black, one.result, spark(one), ...accuracy, blunders, Math.ceil(one.steps.length / 2)];
    row.append(...cells.map(cell => element("td", {}, cell)));
    return row;
  }));
  const head = ["#", "White", "Black", "", "course", "accuracy", "", "??", "moves"].map(text => element(text ? "th" : "td", {}, text));
  return element("div", { class: "list", role: "region", "aria-label": "list of games", tabindex: 0 }, element("table", {}, element("thead", {}, element("tr", {}, ...head)), body));
}

const chosen = list();
const table = viewer.table();
table.append(viewer.said);
document.getElementById("games").replaceChildren(
  element("div", { class: "viewer" }, table,
    element("div", {}, viewer.title, graph.picture, clocks.picture, caption, summary, viewer.moves.list, element("h3", {}, "Turning points"), turning)),
  ...games.length > 1 ? [chosen] : [],
  element("p", { class: "keys" }, "Keys: ← and → step, n and p go to the next and previous turning point, f turns the board."));
viewer.begin(games[0], { n: () => toTurningPoint(1), p: () => toTurningPoint(-1) });
document.documentElement.dataset.ready = "";
