// The dialog for the tags of a game: players, event, date and result.

import { byId, element } from "./dom.js";
import { say } from "./french.js";
import { prepare } from "./panel.js";

const RESULTS = { white: "White wins", black: "Black wins", draw: "draw", none: "none" };
const WINNERS = { "1-0": "white", "2-0": "white", "0-1": "black", "0-2": "black", "1/2-1/2": "draw", "1-1": "draw" };

// Returns a function that opens the dialog.
export function tags({ ask }) {
  const dialog = byId("tags-dialog");
  const fields = [...dialog.querySelectorAll("input")];
  const result = dialog.querySelector("select");
  const shown = new Map(); // the text of each field when the dialog was opened
  let before = "";
  prepare(dialog);
  dialog.querySelector("form").addEventListener("submit", () => {
    // Send only the changed fields. For an unchanged field, the server could remove the tag if the page does not
    // show its value, such as the rating `2100?`, or shorten the value if it is long.
    const changed = fields.filter(field => field.value !== shown.get(field));
    const tags = Object.fromEntries(changed.map(({ name, value }) => [name, value.trim()]));
    ask({ ask: "tags", tags, result: result.value === before ? null : result.value });
    dialog.close();
  });
  return ({ players, study }) => {
    const known = Object.fromEntries(study.heads);
    [known.White, known.Black] = players.map(name => name === "?" ? "" : name);
    for (const field of fields) {
      field.value = known[field.name] ?? "";
      shown.set(field, field.value);
    }
    before = WINNERS[known.Result] ?? "none";
    result.replaceChildren(...Object.entries(RESULTS).map(([value, text]) => element("option", { value }, say(text))));
    result.value = before;
    byId("menu").hidePopover();
    dialog.showModal();
  };
}
