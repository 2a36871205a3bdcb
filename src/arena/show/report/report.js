// The games of a match.
const RESULTS = ["0–1", "½–½", "1–0"];

function key(engine) {
  return element("span", { class: "key s" + engine % 8 }, data.engines[engine]);
}

const evaluation = drawing("svg", { class: "evaluation", preserveAspectRatio: "none" });
const body = element("tbody");

// Pawns for White, between -10 and 10.
function worth(index) {
  const score = game.steps[index].s;
  if (score === undefined) return null;
  const mate = /^[+-]M/.test(score);
  const value = mate ? (score[0] === "+" ? 10 : -10) : Math.max(-10, Math.min(10, parseFloat(score)));
  return mover(index) === 0 ? value : -value;
}

function drawEvaluation() {
  const count = Math.max(game.steps.length, 2);
  evaluation.setAttribute("viewBox", `0 0 ${count} 24`);
  evaluation.replaceChildren(drawing("line", { class: "zero", x1: 0, x2: count, y1: 12, y2: 12 }));
  for (const side of [0, 1]) {
    const points = game.steps.map((_, index) => index).filter(index => mover(index) === side && worth(index) !== null)
      // Near 0 a pawn is more than far off.
      .map(index => `${index + .5},${(12 - 11 * Math.tanh(worth(index) / 4)).toFixed(2)}`);
    const engine = side === 0 ? game.white : game.black;
    evaluation.append(drawing("polyline", { class: "s" + engine % 8, points: points.join(" ") }));
  }
  evaluation.append(drawing("line", { class: "now", y1: 0, y2: 24 }));
}

// How a player last judged the position, and how long it took to.
function lastWord(side) {
  for (let index = ply - 1; index >= 0 && index >= ply - 2; index--) {
    const step = game.steps[index];
    if (mover(index) === side && step.t !== undefined) {
      const depth = step.p === undefined ? "" : ` depth ${step.p}`;
      const score = step.s === undefined ? "" : `${step.s}${depth} · `;
      return `${score}${step.t.toFixed(2)} s`;
    }
  }
  return "";
}

function show() {
  drawBoard();
  const sides = [[game.white, 0], [game.black, 1]];
  if (!flipped) sides.reverse();
  [above, below].forEach((line, index) => {
    const [engine, side] = sides[index];
    line.replaceChildren(key(engine), element("span", {}, lastWord(side)));
  });
  const line = evaluation.querySelector(".now");
  line.setAttribute("x1", ply - .5);
  line.setAttribute("x2", ply - .5);
  const end = ply === game.steps.length;
  said.textContent = end ? `${RESULTS[game.points]}, ${game.ending}` : ply > 0 && game.steps[ply - 1].t === undefined ? "opening" : "";
  point();
}

function open(chosen, at) {
  game = chosen;
  title.textContent = `Game ${game.number}`;
  drawMoves((link, step) => { if (step.t === undefined) link.className = "book"; });
  drawEvaluation();
  for (const row of body.rows) row.classList.toggle("now", Number(row.dataset.number) === game.number);
  go(at === undefined ? game.steps.length : at);
}

// A game as PGN or PDN; moves, scores and times as the page has them.
function recorded(one) {
  const words = [];
  one.steps.forEach((step, index) => {
    const black = (index + one.black_first) % 2 === 1;
    const number = one.first + Math.floor((index + one.black_first) / 2);
    if (!black || index === 0) words.push(number + (black ? "..." : "."));
    words.push(step.m);
    const score = step.s === undefined ? "" : `${step.s}/${step.p ?? 0} `;
    words.push(step.t === undefined ? "{book}" : `{${score}${step.t.toFixed(3)}s}`);
  });
  words.push(`{${one.ending.replace(/[{}]/g, "?")}}`, /\[Result "(.*?)"\]/.exec(one.tags)?.[1] ?? "*");
  return `${one.tags}\n\n${words.join(" ").replace(/(.{60,78}) /g, "$1\n")}\n\n`;
}

// Saves the games whose moves are in the page and that the list shows.
function save() {
  const text = shown.filter(one => one.tags).map(recorded).join("");
  const link = element("a", { download: `${data.title.replace(/[^\p{L}\p{N}]+/gu, "-")}.${data.size === 8 ? "pgn" : "pdn"}` });
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.click();
  URL.revokeObjectURL(link.href);
}

let shown = games;

function list() {
  const [engine, result] = [engineFilter.value, resultFilter.value];
  shown = games.filter(one => engine === "" || one.white === Number(engine) || one.black === Number(engine))
    .filter(one => {
      if (result === "" || engine === "") return result === "" || RESULTS[one.points] === result || result.length === 1;
      const points = one.white === Number(engine) ? one.points : 2 - one.points;
      return result.length > 1 ? RESULTS[one.points] === result : points === Number(result);
    });
  const rows = shown.map(one => {
    const row = element("tr", { "data-number": one.number, onclick: () => {
      open(one, 0);
      above.scrollIntoView({ block: "nearest", behavior: "smooth" });
    } });
    const cells = [one.number, key(one.white), key(one.black), RESULTS[one.points], one.ending, Math.ceil(one.steps.length / 2) || ""];
    row.append(...cells.map(cell => element("td", {}, cell)));
    return row;
  });
  body.replaceChildren(...rows);
  count.textContent = `${rows.length} of ${games.length}`;
}

function options(choices) {
  const select = element("select", {}, ...choices.map(([value, text]) => element("option", { value }, text)));
  select.onchange = list;
  return select;
}

const engineFilter = options([["", "all engines"], ...data.engines.map((name, index) => [index, name])]);
const resultFilter = options([["", "all results"], ["1–0", "1–0"], ["½–½", "½–½"], ["0–1", "0–1"], ["2", "won by the engine"], ["0", "lost by the engine"]]);
engineFilter.setAttribute("aria-label", "engine");
resultFilter.setAttribute("aria-label", "result");
const count = element("span", { class: "quiet" });

if (games.length === 0) {
  document.getElementById("games").replaceChildren(element("p", { class: "quiet" }, "No game has been played."));
} else {
  const head = element("tr", {}, ...["#", "White", "Black", "", "ended by", "moves"].map(text => element(text ? "th" : "td", {}, text)));
  document.getElementById("games").replaceChildren(
    element("div", { class: "viewer" },
      element("div", {}, above, board, below, buttons()),
      element("div", {}, title, evaluation, moves, said)),
    element("div", { class: "filters" }, engineFilter, resultFilter, count,
      element("button", { class: "save", onclick: save }, data.size === 8 ? "Download as PGN" : "Download as PDN")),
    element("div", { class: "list", role: "region", "aria-label": "list of games", tabindex: 0 }, element("table", {}, element("thead", {}, head), body)));
  follows(evaluation, Math.ceil);
  list();
  begin(games.findLast(one => one.steps.length > 0) || games[games.length - 1]);
}
root.dataset.ready = "";
