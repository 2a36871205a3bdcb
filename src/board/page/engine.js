// The engine panels of a study: the switch, the engine, the score, and the lines. A click on a move
// plays the line up to that move. Hovering over a move shows the position after it.

import { Board } from "./board.js";
import { byId, element } from "./dom.js";
import { percentage, say } from "./french.js";
import { numbered } from "./moves.js";

const SETTINGS = ["threads", "hash", "seconds"];

// Formats a score from White's point of view. `short` selects a format that fits on the bar.
export function score({ score, mate }, short = false) {
  if (mate !== null) return `${short ? "" : mate > 0 ? "+" : "−"}M${Math.abs(mate)}`;
  const pawns = Math.abs(score) / 100;
  if (short) return pawns.toFixed(pawns < 9.95 ? 1 : 0);
  return (score < 0 ? "−" : "+") + pawns.toFixed(2);
}

export function engine({ ask }) {
  const count = byId("count");
  const preview = element("div", { id: "preview", hidden: "" });
  const small = new Board(preview);
  let state = null;
  let named = []; // the engines named when the server was started
  document.body.append(preview);

  for (const id of SETTINGS) {
    const select = byId(id);
    select.value = localStorage.getItem(id) ?? select.value;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    select.addEventListener("change", () => {
      localStorage.setItem(id, select.value);
      panels.forEach(panel => panel.restart());
    });
  }
  count.addEventListener("change", () => panels.forEach(panel => panel.restart()));

  function panel(index) {
    const suffix = index === 0 ? "" : "-2";
    const [section, onOff, choice, best, about, rows, error] =
      ["engine", "switch", "engine-name", "score", "effort-shown", "lines", "engine-error"].map(id => byId(id + suffix));
    let lines = [];

    let stopping = false; // true while the server's answer to a stop is pending
    const runs = () => !stopping && Boolean(state?.study?.engines[index].runs);
    const start = () => {
      stopping = false;
      ask({
        ask: "analyse", panel: index, lines: Number(count.value), ...Object.fromEntries(SETTINGS.map(id => [id, Number(byId(id).value)])),
        ...choice.value ? { engine: choice.value } : {},
      });
    };
    const stop = () => {
      stopping = runs();
      ask({ ask: "stop", panel: index });
      onOff.setAttribute("aria-checked", false);
    };
    const toggle = () => runs() ? stop() : start();
    onOff.addEventListener("click", toggle);
    choice.addEventListener("change", () => {
      localStorage.setItem(`engine-${state.game}${suffix}`, choice.value);
      if (runs()) start();
    });

    // Lists the engines for the open game. The browser remembers the choice for chess and for draughts.
    function fill() {
      const names = named.filter(one => one.game === state.game && one.analyses).map(one => one.name);
      choice.hidden = names.length === 0;
      const listed = ["", ...names].join("\n");
      if (choice.dataset.listed === `${state.game}\n${listed}`) return;
      choice.dataset.listed = `${state.game}\n${listed}`;
      choice.replaceChildren(...["", ...names].map(value => element("option", { value }, value || "Adoube")));
      const last = localStorage.getItem(`engine-${state.game}${suffix}`) ?? (index > 0 ? names[0] : "");
      choice.value = names.includes(last) ? last : "";
    }

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
      if (!button || state.study.threat) return;
      const { line, move: at } = button.dataset;
      ask({ ask: "line", moves: lines[line].moves.slice(0, Number(at) + 1).map(one => one.text) });
    });

    function row(line, number) {
      const moves = line.moves.flatMap(({ shown }, at) => {
        const { number: move, black } = numbered(state, state.at + at + (state.study.threat ? 1 : 0));
        const before = at === 0 || !black ? [element("span", { class: "number" }, `${move}${black ? "…" : "."}`)] : [];
        return [...before, element("button", { "data-line": number, "data-move": at }, shown), " "];
      });
      const open = rows.children[number]?.classList.contains("open");
      return element("p", { class: open ? "open" : null },
        element("button", { class: "full", "aria-expanded": open ? "true" : "false", "aria-label": say("whole line {0}", number + 1) }, "▾"),
        element("b", {}, score(line)), " ", ...moves);
    }

    return {
      toggle, runs, stop,
      restart: () => { if (runs()) start(); },
      // Shows the lines of this panel. `message` is the engine's report, if there is one.
      show: (seen, message) => {
        lines = seen;
        section.hidden = state?.mode !== "study" || index > 0 && !second;
        if (section.hidden) return;
        fill();
        const { engine: name, error: failed, runs: isOn } = state.study.engines[index];
        stopping &&= isOn;
        error.textContent = failed ? `${name || "Adoube"} ${failed}` : "";
        onOff.setAttribute("aria-checked", runs());
        rows.className = runs() ? `lines of-${count.value}` : "lines";
        best.textContent = seen[0] ? score(seen[0]) : "";
        best.hidden = !seen[0];
        const report = (...parts) => about.replaceChildren(...parts.filter(Boolean).flatMap(part => [element("span", {}, part), " "]));
        if (message) report(say("depth {0}", message.depth), message.time > 0 && `${Math.round(message.nodes / message.time)} kn/s`);
        else if (seen.length === 0) report(say(!runs() ? "off" : state.legal.length === 0 ? "game over" : state.study.threat && state.check !== null ? "check: no threat" : "starting…"));
        if (seen.length === 0) preview.hidden = true;
        const focused = rows.contains(document.activeElement) ? document.activeElement.dataset : null;
        rows.replaceChildren(...seen.map(row));
        if (focused) rows.querySelector(`[data-line="${focused.line}"][data-move="${focused.move}"]`)?.focus({ preventScroll: true });
      },
    };
  }

  let second = localStorage.getItem("second") === "on"; // whether the second panel is open
  const panels = [panel(0), panel(1)];
  const drawSecond = () => {
    byId("second").setAttribute("aria-expanded", second);
    document.body.classList.toggle("second", second);
  };
  byId("second").addEventListener("click", () => {
    second = !second;
    localStorage.setItem("second", second ? "on" : "off");
    drawSecond();
    panels[1].show([]);
    if (second) panels[1].toggle();
    else if (panels[1].runs()) panels[1].stop();
  });
  drawSecond();

  // Starts the first engine if it is off.
  const start = () => { if (!panels[0].runs()) panels[0].toggle(); };

  // Shows what the opponent threatens: the best moves if the side to move passed.
  const threat = byId("threat");
  const threaten = () => {
    const on = !state.study.threat;
    ask({ ask: "threat", on });
    if (on) start();
  };
  threat.addEventListener("click", threaten);

  return {
    toggle: panels[0].toggle,
    start,
    threaten: () => { if (!threat.hidden) threaten(); },
    engines: found => { named = found; },
    // Shows the lines of both panels. `message` is the report of one of them.
    show: (next, seen, message) => {
      state = next;
      threat.hidden = state.game !== "chess";
      threat.setAttribute("aria-pressed", Boolean(state.study?.threat));
      panels.forEach((panel, index) => {
        if (!message || message.panel === index) panel.show(seen[index], message);
      });
    },
    bar: (first, flipped) => {
      const bar = byId("bar");
      bar.hidden = state?.mode !== "study";
      bar.style.setProperty("--share", `${100 * (first?.white ?? 0.5)}%`);
      bar.classList.toggle("turned", flipped);
      bar.classList.toggle("behind", (first?.white ?? 0.5) < 0.5);
      bar.setAttribute("aria-label", first ? say("evaluation {0}, White’s expected points {1}", score(first), percentage(Math.round(100 * first.white))) : say("no evaluation"));
      bar.querySelector("span").textContent = first ? score(first, true) : "";
    },
  };
}
