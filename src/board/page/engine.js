// The engine panel of a study: the switch, the score, and the lines. A click on a move plays the
// line up to that move. Hovering over a move shows the position after it.

import { Board } from "./board.js";
import { byId, element } from "./dom.js";
import { percent } from "./graph.js";
import { numbered } from "./moves.js";

const TYPES = { threads: "threads", hash: "hash" };

// Formats a score from White's point of view. `short` selects a format that fits on the bar.
export function score({ score, mate }, short = false) {
  if (mate !== null) return `${short ? "" : mate > 0 ? "+" : "−"}M${Math.abs(mate)}`;
  const pawns = Math.abs(score) / 100;
  if (short) return pawns.toFixed(pawns < 9.95 ? 1 : 0);
  return (score < 0 ? "−" : "+") + pawns.toFixed(2);
}

export function engine({ ask }) {
  const [panel, onOff, best, about, rows, count] = ["engine", "switch", "score", "effort-shown", "lines", "count"].map(byId);
  const preview = element("div", { id: "preview", hidden: "" });
  const small = new Board(preview);
  let state = null;
  let lines = [];
  document.body.append(preview);

  for (const id of Object.keys(TYPES)) {
    const select = byId(id);
    select.value = localStorage.getItem(id) ?? select.value;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    select.addEventListener("change", () => {
      localStorage.setItem(id, select.value);
      if (runs()) start();
    });
  }

  const runs = () => Boolean(state?.can.includes("stop"));
  const start = () => ask({
    ask: "analyse", lines: Number(count.value), threads: Number(byId("threads").value), hash: Number(byId("hash").value),
  });
  const toggle = () => runs() ? ask({ ask: "stop" }) : start();
  onOff.addEventListener("click", toggle);
  count.addEventListener("change", () => { if (runs()) start(); });

  const move = event => {
    const button = event.target.closest("button[data-move]");
    return button && lines[button.dataset.line]?.moves[button.dataset.move] ? button : null;
  };

  function show(event) {
    const button = move(event);
    preview.hidden = !button;
    if (!button) return;
    const { line, move: at } = button.dataset;
    small.set({ game: state.game, squares: lines[line].moves[at].squares, flipped: byId("board").dataset.flipped === "yes" });
    const [box, own] = [button.getBoundingClientRect(), preview.getBoundingClientRect()];
    const below = box.bottom + own.height + 8 < innerHeight;
    preview.style.left = `${Math.max(4, Math.min(box.left, innerWidth - own.width - 4))}px`;
    preview.style.top = `${below ? box.bottom + 4 : box.top - own.height - 4}px`;
  }

  rows.addEventListener("pointerover", show);
  rows.addEventListener("focusin", show);
  for (const type of ["pointerleave", "focusout"]) rows.addEventListener(type, () => { preview.hidden = true; });
  rows.addEventListener("click", event => {
    const more = event.target.closest("button.full");
    if (more) {
      more.parentElement.classList.toggle("open");
      more.setAttribute("aria-expanded", more.parentElement.classList.contains("open"));
    }
    const button = move(event);
    if (!button) return;
    const { line, move: at } = button.dataset;
    ask({ ask: "line", moves: lines[line].moves.slice(0, Number(at) + 1).map(one => one.text) });
  });

  function row(line, index) {
    const moves = line.moves.flatMap(({ shown }, at) => {
      const { number, black } = numbered(state, state.at + at);
      const before = at === 0 || !black ? [element("span", { class: "number" }, `${number}${black ? "…" : "."}`)] : [];
      return [...before, element("button", { "data-line": index, "data-move": at }, shown), " "];
    });
    const open = rows.children[index]?.classList.contains("open");
    return element("p", { class: open ? "open" : null },
      element("button", { class: "full", "aria-expanded": open ? "true" : "false", "aria-label": `whole line ${index + 1}` }, "▾"),
      element("b", {}, score(line)), " ", ...moves);
  }

  return {
    toggle,
    // Shows the lines of a board. `message` is the engine's report, if there is one.
    show: (next, seen, message) => {
      [state, lines] = [next, seen];
      panel.hidden = state?.mode !== "study";
      if (panel.hidden) return;
      onOff.setAttribute("aria-checked", runs());
      rows.className = runs() ? `of-${count.value}` : "";
      best.textContent = seen[0] ? score(seen[0]) : "";
      best.hidden = !seen[0];
      const speed = message?.time > 0 ? `, ${Math.round(message.nodes / message.time)} kn/s` : "";
      if (message) about.textContent = `depth ${message.depth}${speed}`;
      else if (seen.length === 0) about.textContent = !runs() ? "off" : state.legal.length === 0 ? "game over" : "starting…";
      // The preview stays open while the lines are updated, and closes when there are no lines.
      if (seen.length === 0) preview.hidden = true;
      const focused = rows.contains(document.activeElement) ? document.activeElement.dataset : null;
      rows.replaceChildren(...seen.map(row));
      if (focused) rows.querySelector(`[data-line="${focused.line}"][data-move="${focused.move}"]`)?.focus({ preventScroll: true });
    },
    bar: (seen, flipped) => {
      const [bar, first] = [byId("bar"), seen[0]];
      bar.hidden = state?.mode !== "study";
      bar.style.setProperty("--share", `${100 * (first?.white ?? 0.5)}%`);
      bar.classList.toggle("turned", flipped);
      bar.classList.toggle("behind", (first?.white ?? 0.5) < 0.5);
      bar.setAttribute("aria-label", first ? `evaluation ${score(first)}, White’s expected points ${percent(first.white)}` : "no evaluation");
      bar.querySelector("span").textContent = first ? score(first, true) : "";
    },
  };
}
