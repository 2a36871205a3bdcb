// The moves played in the position: how often and with which results in the games of the opened
// file, and their weight in the opening book.

import { byId, element } from "./dom.js";
import { counted, percentage, say } from "./french.js";

const KEY = "explore";

// Sets up the table of the moves played. `ask` sends a request. Returns a function that draws the
// table.
export function played({ ask }) {
  const [section, button, table, about] = ["played", "explore", "played-moves", "played-about"].map(byId);
  let wanted = localStorage.getItem(KEY) === "on";

  button.addEventListener("click", () => {
    wanted = !wanted;
    localStorage.setItem(KEY, wanted ? "on" : "off");
    ask({ ask: "explore", on: wanted });
  });

  // Returns a bar divided into White's wins, draws and Black's wins.
  function results({ games, white, draws, black }) {
    const known = white + draws + black;
    if (known === 0) return element("span", { class: "quiet" }, games > 0 ? say("no result") : "");
    const shares = [["white", white], ["draw", draws], ["black", black]];
    const bar = element("span", { class: "results", role: "img", "aria-label": say("White wins {0}, draws {1}, Black wins {2}", white, draws, black) });
    bar.append(...shares.filter(([, count]) => count > 0).map(([name, count]) => {
      const part = element("i", { class: name }, count / known >= 0.2 ? String(count) : "");
      part.style.flexGrow = count;
      return part;
    }));
    bar.title = bar.getAttribute("aria-label");
    return bar;
  }

  const row = move => element("tr", {},
    element("td", {}, element("button", { onclick: () => ask({ ask: "move", text: move.text }) }, move.shown)),
    element("td", {}, move.games || "–"), element("td", {}, results(move)),
    element("td", {}, move.rating ?? ""), element("td", {}, move.book === null ? "" : percentage(move.book)));

  const HEADS = ["Move", "Games", "Results", "Rating", "Book"];

  return state => {
    const found = state.study?.played;
    button.hidden = !state.study;
    button.setAttribute("aria-expanded", Boolean(found));
    document.body.classList.toggle("explores", Boolean(found));
    section.hidden = !found;
    if (state.study && wanted && !found) ask({ ask: "explore", on: true });
    if (!found) return;
    about.textContent = found.moves.length > 0 ? "" : say("No move was played in this position ({0}).", counted(found.games, "{0} game", "{0} games"));
    about.hidden = found.moves.length > 0;
    table.hidden = found.moves.length === 0;
    const head = element("thead", {}, element("tr", {}, ...HEADS.map(text => element("th", { scope: "col" }, say(text)))));
    table.replaceChildren(head, element("tbody", {}, ...found.moves.map(row)));
  };
}
