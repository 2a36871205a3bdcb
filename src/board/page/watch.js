// The page of a match broadcast. It shows the server's messages and sends none.

import { Board } from "./board.js";
import { PlayerRow } from "./clock.js";
import { byId, element } from "./dom.js";

const SIDES = ["white", "black"];

let match = null;
let received = 0; // the time at which the running games arrived, for their clocks
let over = false;
const cards = new Map(); // running games by number
const lastJson = new Map(); // the last JSON of each table, to skip unchanged tables

// ----------------------------------------------------------------------------- a running game

class Card {
  constructor(number) {
    const frame = element("div", { class: "frame" });
    this.board = new Board(frame, { game: match.game });
    this.rows = SIDES.map(() => new PlayerRow(element("div")));
    const [white, black] = this.rows.map(row => row.host);
    this.last = element("b");
    this.node = element("article", { class: "game", "data-number": number },
      element("h2", {}, element("span", {}, `Game ${number}`), this.last), black, frame, white);
  }

  show(game) {
    this.game = game;
    const names = game.players.map(player => match.engines[player]);
    const last = game.last ?? "";
    this.last.textContent = last;
    this.node.dataset.last = last;
    this.rows.forEach((row, index) => row.set({
      side: SIDES[index], name: names[index], note: game.said[index], left: game.clocks[index], turn: game.turn === SIDES[index],
    }));
    const label = `Game ${game.number}: ${names.join(" against ")}${last && `, after ${last}`}`;
    this.board.set({ squares: game.squares, moved: game.changed, label });
  }

  tick(past) {
    this.rows.forEach((row, index) => {
      const left = this.game.clocks[index];
      row.tick(left === null ? null : left - (this.game.turn === SIDES[index] ? past : 0));
    });
  }
}

function showGames({ games }) {
  received = performance.now();
  const running = new Set(games.map(game => game.number));
  for (const [number, card] of cards) {
    if (running.has(number)) continue;
    card.node.remove();
    cards.delete(number);
  }
  for (const game of games) {
    if (!cards.has(game.number)) {
      const card = new Card(game.number);
      cards.set(game.number, card);
      byId("games").append(card.node);
    }
    cards.get(game.number).show(game);
  }
}

// --------------------------------------------------------------------------------- the tables

// Calls `act` if the value has changed since the last call with this name.
function changed(name, what, act) {
  const text = JSON.stringify(what);
  if (lastJson.get(name) === text) return;
  lastJson.set(name, text);
  act(what);
}

function table(name, { columns, rows }) {
  const words = columns.indexOf("engine");
  const cell = kind => (text, index) => element(kind, { class: index <= words ? "words" : null, title: kind === "td" && index <= words ? text : null }, text);
  const head = element("tr", {}, ...columns.map((text, index) => cell(text ? "th" : "td")(text, index)));
  const body = rows.map(row => element("tr", {}, ...row.map(cell("td"))));
  const scroll = element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": name },
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
  return element("section", {}, element("h2", {}, name), scroll);
}

const column = (name, items) => element("div", { class: "round" }, element("h3", {}, name), element("ol", {}, ...items));

// Shows the bracket with the same elements and classes as in the report.
function showBracket(bracket) {
  byId("bracket-section").hidden = bracket === null;
  if (bracket === null) return;
  const side = ({ player, points, advances }) => element("span", { class: advances ? "through" : null },
    player === null ? element("i", {}, "…") : element("span", { title: match.engines[player] }, match.engines[player]),
    element("b", {}, points));
  byId("bracket").replaceChildren(...bracket.rounds.map(({ name, matches }) => column(name, matches.map(({ sides, bye, result }) =>
    element("li", {}, element("div", { class: bye ? "met bye" : "met", title: bye ? "bye" : result },
      ...sides.filter(({ player }) => !bye || player !== null).map(side)))))));
}

function showRounds(rounds) {
  byId("rounds-section").hidden = rounds.length === 0;
  byId("rounds").replaceChildren(...rounds.map(({ name, matches }) => column(name, matches.map(({ players, result }) => element("li", {},
    ...players.filter(player => player !== null).map(player => element("span", { title: player }, player)),
    element("small", {}, result))))));
}

function showEnded(ended) {
  byId("ended-section").hidden = ended.length === 0;
  const head = ["game", "White", "Black", "", "reason"];
  const rows = ended.map(({ number, players, score, how }) => element("tr", {},
    element("td", { class: "words" }, element("a", { href: `report#${number}.0`, "aria-label": `replay game ${number}` }, String(number))),
    ...players.map(player => element("td", { class: "words" }, match.engines[player])),
    element("td", {}, score), element("td", { class: "words" }, how)));
  byId("ended").replaceChildren(
    element("thead", {}, element("tr", {}, ...head.map(text => element(text ? "th" : "td", { class: text ? "words" : null }, text)))),
    element("tbody", {}, ...rows));
  const [last] = ended;
  if (last) byId("status").textContent = `Game ${last.number}: ${last.how}.`;
}

function showScores(message) {
  byId("headline").textContent = message.winner ? `Winner: ${message.winner}` : message.headline ?? "";
  byId("progress").textContent = `${message.played} of ${message.games} games played`;
  changed("tables", message.tables, tables => byId("tables").replaceChildren(...tables.map(one => table(...one))));
  changed("bracket", message.bracket, showBracket);
  changed("rounds", message.rounds, showRounds);
  changed("ended", message.ended, showEnded);
  if (!message.over) return;
  // After the match, the server has a report with all games.
  over = true;
  location.replace("report");
}

// ---------------------------------------------------------------------------- server messages

const handlers = {
  match: message => {
    match = message;
    byId("title").textContent = document.title = message.title;
    for (const card of cards.values()) card.node.remove();
    cards.clear();
    lastJson.clear();
    byId("alert").textContent = "";
    document.documentElement.dataset.live = "yes";
  },
  games: showGames,
  scores: showScores,
};

function connect() {
  const address = new URL("live", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  socket.addEventListener("message", event => {
    const message = JSON.parse(event.data);
    handlers[message.say]?.(message);
  });
  socket.addEventListener("close", () => {
    if (over) return;
    document.documentElement.dataset.live = "no";
    byId("alert").textContent = "Connection to the match lost, reconnecting… The page shows the last known state.";
    setTimeout(connect, 3000);
  });
}

setInterval(() => {
  const past = performance.now() - received;
  for (const card of cards.values()) card.tick(past);
}, 200);
connect();
