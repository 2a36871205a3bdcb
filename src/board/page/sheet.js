// The score sheet, visible only in print.

import { byId, element } from "./dom.js";
import { isFrench, say } from "./french.js";
import { shownResult } from "./moves.js";

const ROWS = 30;

export function fillSheet({ heads, rows, result, remarks }) {
  const cell = move => [
    element("td", {}, move?.text ?? ""), element("td", { class: "time" }, move?.time ?? ""),
  ];
  // Fill at least two columns, like a printed score sheet.
  const count = Math.max(2, Math.ceil(rows.length / ROWS));
  const tables = Array.from({ length: count }, (_, index) => {
    const body = Array.from({ length: ROWS }, (_, at) => {
      const row = rows[index * ROWS + at];
      const number = row?.number ?? (rows.at(-1)?.number ?? 0) + index * ROWS + at + 1 - rows.length;
      return element("tr", {}, element("th", { scope: "row" }, String(number)), ...cell(row?.moves[0]), ...cell(row?.moves[1]));
    });
    const head = element("tr", {}, element("td", {}), ...["White", "Black"].map(side => element("th", { scope: "col", colspan: 2 }, say(side))));
    const columns = ["number", null, "time", null, "time"].map(name => element("col", { class: name }));
    return element("table", {}, element("colgroup", {}, ...columns), element("thead", {}, head), element("tbody", {}, ...body));
  });
  const list = heads.flatMap(([name, value]) => [element("dt", {}, say(name === "Event" ? "Tournament" : name)), element("dd", {}, value)]);
  const sign = who => element("p", {}, say(who));
  const said = remarks.length > 0 ? [element("h2", {}, say("Remarks")), element("ul", {}, ...remarks.map(text => element("li", {}, text)))] : [];
  byId("sheet").replaceChildren(
    element("h1", {}, say("Score sheet")), element("dl", {}, ...list), element("div", { class: "columns" }, ...tables),
    element("p", { class: "result" }, say("Result: {0}", shownResult(result))), ...said,
    element("div", { class: "signed" }, sign("White"), sign("Black"), sign("Arbiter")),
  );
  byId("sheet").lang = isFrench() ? "fr" : "en";
}
