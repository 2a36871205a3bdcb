// Lists of games. The games in a file can be searched and sorted. The browser stores the user's
// latest analyses.

import { byId, element } from "./dom.js";
import { counted, say } from "./french.js";
import { shownResult } from "./moves.js";

const COLUMNS = [
  ["#", game => game.number], ["White", game => named(game.white, game.ratings?.[0])],
  ["Black", game => named(game.black, game.ratings?.[1])], ["Result", game => shownResult(game.result)],
  ["Date", game => game.date], ["Event", game => game.event], ["Moves", game => Math.ceil(game.plies / 2)],
];
const MAX_SHOWN = 300;

const named = (name, rating) => rating ? `${name} (${rating})` : name;

// Shows the games in a file. `open` receives the index of the chosen game.
export function gameList({ open }) {
  const [section, search, found, table] = ["several", "search-games", "found", "listed"].map(byId);
  let games = [];
  let by = [0, 1]; // the index of the sorted column, and the direction

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = game => words.every(word => game.text.includes(word));
    const [column, direction] = by;
    const key = COLUMNS[column][1];
    const shown = games.filter(fits).sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      return direction * (typeof x === "number" ? x - y : String(x).localeCompare(String(y)));
    });
    found.textContent = say("{0} of {1} games", shown.length, games.length);
    const head = COLUMNS.map(([name], index) => element("th", { "aria-sort": index !== column ? null : direction > 0 ? "ascending" : "descending" },
      element("button", { type: "button", onclick: () => { by = [index, index === column ? -direction : 1]; draw(); } }, say(name))));
    const rows = shown.slice(0, MAX_SHOWN).map(game => element("tr", { onclick: () => open(game.index) },
      ...game.why ? [element("td", {}, game.number), element("td", { colspan: COLUMNS.length - 1 }, say("unreadable: {0}", game.why))]
        : COLUMNS.map(([name, value]) => element("td", {}, name === "#" ? element("button", { type: "button", "aria-label": say("open game {0}", game.number) }, game.number) : value(game)))));
    table.replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  }

  search.addEventListener("input", draw);
  // Enter opens the first game found.
  search.addEventListener("keydown", event => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    table.querySelector("tbody tr")?.click();
  });
  return {
    count: () => games.length,
    show: listed => {
      games = listed.map((game, index) => ({ ...game, index, number: index + 1, text: `${game.white} ${game.black} ${game.event} ${game.date} ${game.result}`.toLowerCase() }));
      by = [0, 1];
      search.value = "";
      section.hidden = games.length < 2;
      byId("study-dialog").classList.toggle("wide", games.length >= 2);
      draw();
    },
  };
}

// Stores a text for a reload of the page. A text that is too long for the browser is not stored.
export function keepForReload(key, text) {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    sessionStorage.removeItem(key);
  }
}

const KEY = "analyses";
const MAX_STORED = 10;

const stored = () => {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
};

const put = all => {
  // If the storage is full, the oldest analyses are dropped.
  for (let count = MAX_STORED; count > 0; count--) {
    try {
      return localStorage.setItem(KEY, JSON.stringify(all.slice(0, count)));
    } catch { /* the storage is full */ }
  }
};

// Stores changed analyses, so that closing the tab does not lose them. `open` receives the stored
// analysis that the user has chosen.
export function recent({ open }) {
  const forget = key => {
    put(stored().filter(one => one.key !== key));
    draw();
  };
  const draw = () => byId("recent").replaceChildren(...stored().map(one => {
    const about = `${one.name}, ${new Date(one.time).toLocaleString(document.documentElement.lang === "fr" ? "fr" : [], { dateStyle: "medium", timeStyle: "short" })}`;
    return element("p", { class: "row" }, element("span", {}, about),
      element("button", { type: "button", onclick: () => open(one) }, say("Open")),
      element("button", { type: "button", "aria-label": say("delete: {0}", about), onclick: () => forget(one.key) }, say("Delete")));
  }));
  return {
    draw,
    keep: (key, state) => {
      const [white, black] = state.players;
      const moves = Math.ceil(state.study.tree.line.moves.length / 2);
      const players = white === "?" && black === "?" ? say(state.game === "chess" ? "Chess" : "Draughts") : `${white} – ${black}`;
      const one = {
        key, game: state.game, record: state.record, number: state.study.tree.here, time: Date.now(),
        name: `${players}, ${counted(moves, "{0} move", "{0} moves")}`,
      };
      put([one, ...stored().filter(other => other.key !== key)]);
    },
  };
}
