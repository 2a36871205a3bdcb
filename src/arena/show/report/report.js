// The game viewer of a match report.

import { download, element, svg } from "../../../page/dom.js";
import { Graph, curve, even, percent } from "../../../page/graph.js";
import { written } from "../../../page/moves.js";
import { Viewer, data, games } from "../../../page/viewer.js";

const RESULTS = ["0–1", "½–½", "1–0"];

const key = engine => element("span", { class: `key s${engine % 8}` }, data.engines[engine]);

const graph = new Graph(svg("svg", { class: "graph curves", role: "img", "aria-label": "White's expected points according to each engine" }), { go: ply => viewer.go(ply) });
const viewer = new Viewer({ open, show });
const body = element("tbody");
const region = element("div", { class: "list", role: "region", "aria-label": "list of games", tabindex: 0, onscroll: draw });

// Converts the moves of a game from the lists stored in the page to objects. Opening moves have no
// time.
function steps(game) {
  if (Array.isArray(game.steps[0])) game.steps = game.steps.map(([m, d, t = null, s = null, p = null, w = null]) => ({ m, d, t, s, p, w }));
  return game.steps;
}

// White's expected points after each move of one player, according to that player.
const judged = (game, side) => game.steps.map(({ w }, index) => [index + 1, w / 1000, w])
  .filter(([ply, , w]) => w !== null && viewer.mover(ply - 1) === side);

function drawGraph(game) {
  const curves = [game.white, game.black].map((engine, side) => curve(judged(game, side), `s${engine % 8}`));
  graph.draw(game.steps.length, even(game.steps.length), ...curves);
}

// Describes a player's last move by its score, depth and thinking time.
function lastThought(game, ply, side) {
  const index = [ply - 1, ply - 2].find(index => index >= 0 && viewer.mover(index) === side);
  const step = game.steps[index];
  if ((step?.t ?? null) === null) return "";
  const depth = step.p === null ? "" : ` depth ${step.p}`;
  const score = step.s === null ? "" : `${step.s}${depth} · `;
  return `${score}${step.t.toFixed(2)} s`;
}

function show(game, ply) {
  viewer.players(side => ({ name: key([game.white, game.black][side]), note: lastThought(game, ply, side) }));
  graph.at(ply);
  const step = game.steps[ply - 1];
  const words = ply === game.steps.length ? [`${RESULTS[game.points]}, ${game.ending}`]
    : step?.t === null ? ["opening"] : [];
  if ((step?.w ?? null) !== null) words.unshift(`White's expected points: ${percent(step.w / 1000)}`);
  viewer.said.textContent = words.join(" · ");
}

function open(game) {
  viewer.title.textContent = `Game ${game.number}`;
  const moves = steps(game).map(({ m, t }) => ({ text: m, name: t === null ? "book" : null }));
  viewer.moves.show(game, moves, moves.length === 0 ? "The moves of this game are not on this page." : "");
  drawGraph(game);
  mark();
}

// Formats a game as PGN or PDN with its moves, scores and times.
function recorded(one) {
  const words = [];
  steps(one).forEach((step, index) => {
    const black = (index + one.black_first) % 2 === 1;
    if (!black || index === 0) words.push(written(one, index).replace("…", "..."));
    words.push(step.m);
    const score = step.s === null ? "" : `${step.s}/${step.p ?? 0} `;
    words.push(step.t === null ? "{book}" : `{${score}${step.t.toFixed(3)}s}`);
  });
  words.push(`{${one.ending.replace(/[{}]/g, "?")}}`, /\[Result "(.*?)"\]/.exec(one.tags)?.[1] ?? "*");
  return `${one.tags}\n\n${words.join(" ").replace(/(.{60,78}) /g, "$1\n")}\n\n`;
}

// Downloads the listed games that have moves on the page.
function save() {
  const name = `${data.title.replace(/[^\p{L}\p{N}]+/gu, "-")}.${data.size === 8 ? "pgn" : "pdn"}`;
  download(name, shown.filter(one => one.tags).map(recorded).join(""));
}

let shown = games;

// The list creates only the rows near its visible part. Two empty rows take up the height of the
// other rows.
const AROUND = 40;
const ROW_HEIGHT = 33; // in pixels, as in report.css

const space = rows => {
  const cell = element("td", { colspan: 6 });
  cell.style.height = `${rows * ROW_HEIGHT}px`;
  return element("tr", { class: "space", "aria-hidden": true }, cell);
};

function row(one, index) {
  const choose = () => {
    viewer.open(one, 0);
    viewer.reveal("smooth");
  };
  const cells = [one.number, key(one.white), key(one.black), RESULTS[one.points], one.ending, Math.ceil(one.steps.length / 2) || ""];
  return element("tr", { "data-number": one.number, "aria-rowindex": index + 2, onclick: choose }, ...cells.map(cell => element("td", {}, cell)));
}

function draw() {
  const first = Math.max(0, Math.floor(region.scrollTop / ROW_HEIGHT) - AROUND);
  const rows = shown.slice(first, first + Math.ceil(region.clientHeight / ROW_HEIGHT) + 2 * AROUND);
  const after = shown.length - first - rows.length;
  body.replaceChildren(...first > 0 ? [space(first)] : [], ...rows.map((one, index) => row(one, first + index)), ...after > 0 ? [space(after)] : []);
  mark();
}

function mark() {
  for (const row of body.rows) row.classList.toggle("now", Number(row.dataset.number) === viewer.game?.number);
}

function list() {
  const [engine, result] = [engineFilter.value, resultFilter.value];
  shown = games.filter(one => engine === "" || one.white === Number(engine) || one.black === Number(engine))
    .filter(one => {
      if (result === "" || engine === "") return result === "" || RESULTS[one.points] === result || result.length === 1;
      const points = one.white === Number(engine) ? one.points : 2 - one.points;
      return result.length > 1 ? RESULTS[one.points] === result : points === Number(result);
    });
  count.textContent = `${shown.length} of ${games.length}`;
  table.setAttribute("aria-rowcount", shown.length + 1);
  region.scrollTop = 0;
  draw();
}

const options = (label, choices) => element("select", { "aria-label": label, onchange: list },
  ...choices.map(([value, text]) => element("option", { value }, text)));

const engineFilter = options("engine", [["", "all engines"], ...data.engines.map((name, index) => [index, name])]);
const resultFilter = options("result", [["", "all results"], ["1–0", "1–0"], ["½–½", "½–½"], ["0–1", "0–1"], ["2", "won by the engine"], ["0", "lost by the engine"]]);
const count = element("span", { class: "quiet" });
const table = element("table");

if (games.length === 0) {
  document.getElementById("games").replaceChildren(element("p", { class: "quiet" }, "No game has been played."));
} else {
  const head = element("tr", {}, ...["#", "White", "Black", "", "ended by", "moves"].map(text => element(text ? "th" : "td", {}, text)));
  document.getElementById("games").replaceChildren(
    element("div", { class: "viewer" }, viewer.table(),
      element("div", {}, viewer.title, graph.picture, element("p", { class: "caption" }, "White's expected points according to each engine"), viewer.moves.list, viewer.said)),
    element("div", { class: "filters" }, engineFilter, resultFilter, count,
      element("button", { class: "save", onclick: save }, data.size === 8 ? "Download as PGN" : "Download as PDN")),
    region);
  table.append(element("thead", {}, head), body);
  region.append(table);
  list();
  viewer.begin(games.findLast(one => one.steps.length > 0) || games[games.length - 1]);
}
document.documentElement.dataset.ready = "";
