// The move tree of a study: display, navigation, and annotation of the current move.

import { byId, element } from "./dom.js";
import { isFrench, say } from "./french.js";
import { Rows, SIGNS, VERDICTS, blame, numbered, reveal, signs, written } from "./moves.js";

// The names of annotation glyphs (NAGs) 1 to 6, by number.
const SPOKEN = ["", "good move", "mistake", "brilliant move", "blunder", "interesting move", "dubious move"];

const isSign = nag => nag >= 1 && nag <= 6;

export function tree({ ask }) {
  const list = byId("moves");
  const [notes, sign, verdict, comment] = ["notes", "sign", "verdict", "comment"].map(byId);
  let state = null;
  let shown = null;
  let groups = new Map(); // for each move, the numbers of its alternatives and of the move itself
  let words = new Map(); // for each move, its description for screen readers
  let waiting = null; // timer of a comment that has not been sent yet

  // Fills the selection lists. Called again after a change of language.
  function fillNotes() {
    const { lang } = document.documentElement;
    if (sign.lang === lang) return;
    sign.lang = lang;
    sign.replaceChildren(...["none", ...SPOKEN.slice(1)].map((text, nag) => element("option", { value: nag }, `${SIGNS[nag]} ${say(text)}`.trim())));
    verdict.replaceChildren(element("option", { value: 0 }, say("none")), ...[...VERDICTS].map(([nag, text]) => element("option", { value: nag }, text)));
  }

  const remark = text => element("span", { class: "remark" }, ` ${text} `);

  function button(twig, ply) {
    const { number, black } = numbered(state, ply);
    const nags = twig.nags ?? [];
    // The spoken form of a move is in English.
    const said = [isFrench() ? twig.text : twig.spoken, ...nags.map(nag => SPOKEN[nag] ?? VERDICTS.get(nag)).filter(Boolean).map(text => say(text))].join(", ");
    const whole = say(black ? "{0}, black: {1}" : "{0}, white: {1}", number, said);
    words.set(twig.number, [`${whole}.`, ...twig.comments ?? []].join(" "));
    return element("button", {
      "data-number": twig.number, class: blame(nags), "aria-label": `${whole}, ${twig.text}${signs(nags)}`,
      "aria-current": twig.number === shown.here ? "step" : null,
    }, twig.text + signs(nags));
  }

  // Returns the nodes of a variation as running text.
  function inline(line, ply, group) {
    const nodes = [];
    let again = true;
    line.moves.forEach((twig, index) => {
      join(twig, index === 0 ? group : []);
      const { black } = numbered(state, ply + index);
      if (twig.before) nodes.push(...twig.before.map(remark));
      if (!black || again || twig.before) nodes.push(element("span", { class: "number", "aria-hidden": "true" }, written(state, ply + index)));
      nodes.push(button(twig, ply + index), " ", ...(twig.comments ?? []).map(remark));
      const variations = twig.variations ?? [];
      for (const one of variations) nodes.push(element("span", { role: "group", "aria-label": say("variation") }, "(", ...inline(one, ply + index, groups.get(twig.number)), ") "));
      again = variations.length > 0 || (twig.comments ?? []).length > 0;
    });
    return [...nodes, ...line.closing.map(remark)];
  }

  function join(twig, group) {
    group.push(twig.number);
    groups.set(twig.number, group);
  }

  // Returns the rows of the main line, with comments and variations between them.
  function rows({ moves, closing }) {
    const rows = new Rows(state);
    moves.forEach((twig, ply) => {
      join(twig, []);
      rows.aside(...(twig.before ?? []).map(remark));
      rows.add(button(twig, ply), ply);
      const variations = (twig.variations ?? []).map(one =>
        element("div", { class: "variation", role: "group", "aria-label": say("variation") }, ...inline(one, ply, groups.get(twig.number))));
      rows.aside(...(twig.comments ?? []).map(remark), ...variations);
    });
    rows.aside(...closing.map(remark));
    return rows.all;
  }

  function drawNotes() {
    fillNotes();
    const value = (nags, fits) => String(nags.find(fits) ?? 0);
    sign.value = value(shown.nags, isSign);
    verdict.value = value(shown.nags, nag => VERDICTS.has(nag));
    sign.disabled = verdict.disabled = shown.here === 0;
  }

  const does = {
    sideways: step => {
      const group = groups.get(shown?.here) ?? [];
      const next = group[group.indexOf(shown?.here) + step];
      if (next) ask({ ask: "go", number: next });
      return group.length > 1;
    },
    // Returns the number of moves that deleting the current move would remove.
    following: () => {
      const size = line => line.moves.reduce((sum, twig) => sum + 1 + (twig.variations ?? []).reduce((all, one) => all + size(one), 0), 0);
      const after = line => {
        for (const [index, twig] of line.moves.entries()) {
          if (twig.number === shown.here) return size({ moves: line.moves.slice(index) }) - (twig.variations ?? []).reduce((all, one) => all + size(one), 0);
          const found = (twig.variations ?? []).map(after).find(count => count > 0);
          if (found) return found;
        }
        return 0;
      };
      return shown ? after(shown.line) : 0;
    },
    promote: () => { if (state?.can.includes("promote")) ask({ ask: "promote" }); },
    comment: () => {
      annotate(true);
      comment.focus();
    },
    // Sends the comment on the current move if it has not been sent yet.
    flush: () => {
      if (waiting === null) return;
      clearTimeout(waiting);
      waiting = null;
      send();
    },
    // Returns the description of the current move.
    words: () => words.get(shown?.here) ?? "",
    show: (next, fresh) => {
      [state, shown, groups, words] = [next, next.study.tree, new Map(), new Map()];
      const focused = list.contains(document.activeElement);
      list.replaceChildren(...rows(shown.line));
      const now = reveal(list);
      if (focused) (now ?? list.querySelector("button"))?.focus({ preventScroll: true });
      annotate(localStorage.getItem("annotate") === "on");
      drawNotes();
      // Do not overwrite a comment while it is being typed.
      if (waiting === null && (fresh || document.activeElement !== comment)) comment.value = shown.comments.join("\n");
    },
  };

  function send() {
    const others = shown.nags.filter(nag => !isSign(nag) && !VERDICTS.has(nag));
    const nags = [Number(sign.value), Number(verdict.value)].filter(Boolean);
    const comments = comment.value.split("\n").map(line => line.trim()).filter(Boolean);
    ask({ ask: "remark", comments, nags: [...nags, ...others] });
  }

  function annotate(open) {
    notes.hidden = !open;
    byId("annotate").setAttribute("aria-expanded", open);
    localStorage.setItem("annotate", open ? "on" : "off");
  }

  byId("annotate").addEventListener("click", () => annotate(notes.hidden));
  list.addEventListener("click", event => {
    const number = event.target.closest("button[data-number]")?.dataset.number;
    if (number) ask({ ask: "go", number: Number(number) });
  });
  for (const select of [sign, verdict]) select.addEventListener("change", send);
  comment.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(does.flush, 400);
  });
  byId("promote").addEventListener("click", does.promote);
  return does;
}
