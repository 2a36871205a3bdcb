// Analysed games.
const SIGNS = ["??", "?", "?!"];
const CLASSES = { "??": "s-blunder", "?": "s-mistake", "?!": "s-inaccuracy" };
const SIDES = ["white", "black"];

const graph = drawing("svg", { class: "graph points", preserveAspectRatio: "none", role: "img", "aria-label": "White's expected points over the game" });
const clocks = drawing("svg", { class: "graph times", preserveAspectRatio: "none", role: "img", "aria-label": "time used for each move" });
const caption = element("p", { class: "caption" });
const summary = element("div", { class: "scroll", role: "region", "aria-label": "summary", tabindex: 0 });
const turning = element("ul", { class: "turning" });
const body = element("tbody");

const percent = points => `${Math.round(100 * points)}%`;
// What is said of the position after `count` moves.
const position = count => count === 0 ? game.start : game.steps[count - 1];
const players = one => [one.white, one.black];

// White's share of the points, as an area from below.
function share(one) {
  const all = [one.start, ...one.steps].map((after, index) => `${index},${(100 - 100 * after.w).toFixed(1)}`);
  return `0,100 ${all.join(" ")} ${one.steps.length},100`;
}

function drawGraph() {
  const count = Math.max(game.steps.length, 2);
  graph.setAttribute("viewBox", `0 0 ${count} 100`);
  graph.replaceChildren(
    drawing("polygon", { class: "share", points: share(game) }),
    drawing("line", { class: "half", x1: 0, x2: count, y1: 50, y2: 50 }));
  game.steps.forEach((step, index) => {
    if (step.g === undefined) return;
    const [x, y] = [index + 1, Math.max(4, Math.min(96, 100 - 100 * step.w))];
    graph.append(drawing("line", { class: `dot ${CLASSES[step.g]}`, x1: x, x2: x, y1: y, y2: y }));
  });
  graph.append(drawing("line", { class: "now", y1: 0, y2: 100 }));
}

function drawTimes() {
  const longest = Math.max(0, ...game.steps.map(step => step.t ?? 0));
  clocks.style.display = longest > 0 ? "" : "none";
  clocks.setAttribute("viewBox", `0 0 ${Math.max(game.steps.length, 2)} 100`);
  clocks.replaceChildren(...game.steps.flatMap((step, index) => {
    if (!step.t) return [];
    const height = 100 * step.t / longest;
    return [drawing("rect", { class: mover(index) === 0 ? "first" : "second", x: index + .1, y: 100 - height, width: .8, height })];
  }));
  clocks.append(drawing("line", { class: "now", y1: 0, y2: 100 }));
  caption.textContent = "White's expected points" + (longest > 0 ? `; below, the time used, at most ${longest} s for a move` : "");
}

// An arrow between the centres of two squares; `kind` is its class.
function arrow([from, to], kind) {
  const [[row, column], [row2, column2]] = [place(from), place(to)];
  const [x, y, x2, y2] = [10 * column + 5, 10 * row + 5, 10 * column2 + 5, 10 * row2 + 5];
  const length = Math.hypot(x2 - x, y2 - y) || 1;
  const [dx, dy] = [(x2 - x) / length, (y2 - y) / length];
  // The head is four long and ends in the centre.
  const [bx, by] = [x2 - 4 * dx, y2 - 4 * dy];
  board.append(
    drawing("line", { class: `arrow ${kind}`, x1: x, y1: y, x2: bx, y2: by }),
    drawing("polygon", { class: `head ${kind}`, points: `${x2},${y2} ${bx - 2.2 * dy},${by + 2.2 * dx} ${bx + 2.2 * dy},${by - 2.2 * dx}` }));
}

// The moves of a line that is played instead of move `index`, with their numbers.
function line(index, texts) {
  const words = texts.map((text, n) => (mover(index + n) === 0 || n === 0 ? numbered(index + n) + " " : "") + text);
  return words.join(" ");
}

function drawArrows() {
  const here = position(ply), next = game.steps[ply];
  const same = next && here.a && next.p[0] === here.a[0] && next.p[1] === here.a[1];
  if (next && !same) arrow(next.p, next.g === undefined ? "played" : "bad");
  if (here.a) arrow(here.a, "best");
}

function sign(text) {
  return element("span", { class: `sign ${CLASSES[text]}` }, text);
}

function tell() {
  const here = position(ply), step = game.steps[ply - 1];
  const first = element("p");
  if (step) {
    first.append(`${numbered(ply - 1)} ${step.m}`, step.g === undefined ? "" : sign(step.g));
    if (step.k === 1) first.append(" is in the book");
    if (step.k === 2) first.append(" was the only move");
    if (step.l !== undefined) {
      const before = position(ply - 1);
      first.append(` loses ${step.l.toFixed(2)} points; better was ${line(ply - 1, before.b.slice(0, 5))}`);
    }
    first.append(". ");
  }
  first.append(`White's score is ${here.e}, for ${percent(here.w)} of the points.`);
  const lines = [first];
  if (here.b) lines.push(element("p", { class: "line" }, `Best: ${line(ply, here.b)}`));
  if (step && step.c) lines.push(element("p", {}, step.c.join(" ")));
  if (ply === game.steps.length) lines.push(element("p", {}, `Result: ${game.result}`));
  said.replaceChildren(...lines);
}

function show() {
  drawBoard();
  drawArrows();
  tell();
  const sides = flipped ? [0, 1] : [1, 0];
  [above, below].forEach((row, index) => {
    const side = sides[index], told = game.players[side];
    row.replaceChildren(element("b", { class: SIDES[side] }, players(game)[side]),
      element("span", {}, told === null ? "" : `accuracy ${told[0].toFixed(1)}%`));
  });
  for (const svg of [graph, clocks]) {
    const now = svg.querySelector(".now");
    now.setAttribute("x1", ply);
    now.setAttribute("x2", ply);
  }
  for (const item of turning.querySelectorAll("button")) {
    const isNow = Number(item.dataset.ply) === ply;
    item.classList.toggle("now", isNow);
    if (isNow) turning.scrollTop = item.offsetTop - turning.clientHeight / 2 + item.offsetHeight / 2;
  }
  point();
}

function table(head, rows, name) {
  const row = (cells, kind) => element("tr", {}, ...cells.map(cell => element(kind, {}, cell)));
  return element("table", { class: name }, element("thead", {}, row(head, "th")), element("tbody", {}, ...rows.map(cells => row(cells, "td"))));
}

function drawSummary() {
  const rows = SIDES.map((_, side) => {
    const told = game.players[side];
    const figures = told === null ? ["–", "–", "–", "–", "–"] : [`${told[0].toFixed(1)}%`, told[1].toFixed(3), ...told[2]];
    return [players(game)[side], ...figures];
  });
  summary.replaceChildren(table(["", "accuracy", "loss", ...SIGNS], rows, "summary"));
}

// The moves that lost most, each with the position before it; those with `?!` where there are no others.
function turningPoints(one) {
  const all = one.steps.map((step, index) => ({ step, index })).filter(({ step }) => step.g !== undefined);
  const grave = all.filter(({ step }) => step.g !== "?!");
  return grave.length > 0 ? grave : all;
}

function drawTurning() {
  const items = turningPoints(game).map(({ step, index }) => {
    const before = position(index);
    const item = element("button", { "data-ply": index, onclick: () => go(index) },
      element("small", {}, `${percent(before.w)} → ${percent(step.w)}`),
      `${numbered(index)} ${step.m}`, sign(step.g), element("br"), element("small", {}, `better ${numbered(index)} ${before.b[0]}`));
    item.lastChild.style.float = "none";
    return element("li", {}, item);
  });
  turning.replaceChildren(...items.length > 0 ? items : [element("li", { class: "quiet" }, "No move lost much.")]);
}

// The next turning point in a direction.
function toTurningPoint(direction) {
  const plies = turningPoints(game).map(({ index }) => index);
  const wanted = direction > 0 ? plies.find(at => at > ply) : plies.findLast(at => at < ply);
  if (wanted !== undefined) go(wanted);
}

function open(chosen, at) {
  game = chosen;
  title.textContent = [games.length > 1 ? `Game ${game.number}` : "", game.event, game.date, game.result].filter(Boolean).join(" · ");
  drawMoves((link, step) => {
    if (step.g !== undefined) {
      link.className = CLASSES[step.g];
      link.append(step.g);
    } else if (step.k === 1) link.className = "book";
  });
  drawGraph();
  drawTimes();
  drawSummary();
  drawTurning();
  for (const row of body.rows) row.classList.toggle("now", Number(row.dataset.number) === game.number);
  go(at ?? turningPoints(game)[0]?.index ?? game.steps.length);
}

// The graph of a game, small.
function spark(one) {
  const svg = drawing("svg", { class: "spark points", preserveAspectRatio: "none", viewBox: `0 0 ${Math.max(one.steps.length, 2)} 100` });
  svg.append(drawing("polygon", { class: "share", points: share(one) }));
  return svg;
}

function list() {
  body.append(...games.map(one => {
    const choose = () => {
      open(one);
      above.scrollIntoView({ block: "nearest", behavior: "smooth" });
    };
    const row = element("tr", { "data-number": one.number, tabindex: 0, onclick: choose });
    row.addEventListener("keydown", event => { if (event.key === "Enter") choose(); });
    const accuracy = one.players.map(told => told === null ? "–" : `${told[0].toFixed(1)}%`);
    const blunders = one.players.map(told => told === null ? 0 : told[2][0]).join(" : ");
    const cells = [one.number, one.white, one.black, one.result, spark(one), ...accuracy, blunders, Math.ceil(one.steps.length / 2)];
    row.append(...cells.map(cell => element("td", {}, cell)));
    return row;
  }));
  const head = ["#", "White", "Black", "", "course", "accuracy", "", "??", "moves"].map(text => element(text ? "th" : "td", {}, text));
  return element("div", { class: "list", role: "region", "aria-label": "list of games", tabindex: 0 }, element("table", {}, element("thead", {}, element("tr", {}, ...head)), body));
}

follows(graph, Math.round);
follows(clocks, Math.ceil);
const chosen = list();
document.getElementById("games").replaceChildren(
  element("div", { class: "story" },
    element("div", {}, above, board, below, buttons(), said),
    element("div", {}, title, graph, clocks, caption, summary, moves, element("h3", {}, "Turning points"), turning)),
  ...games.length > 1 ? [chosen] : [],
  element("p", { class: "keys" }, "Keys: ← and → step, n and p go to the next and previous turning point, f turns the board."));
begin(games[0], { n: () => toTurningPoint(1), p: () => toTurningPoint(-1) });
root.dataset.ready = "";
