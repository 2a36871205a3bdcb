// The arbiter's desk: possible events as buttons, the log with its rulings, the clock, and the
// score sheet. The page contains no rules and no vocabulary of the log. The server sends the
// possible events and the possible continuations of a line. Typing, buttons and clicks compose one
// line, which is sent when it is complete.

import { byId, element } from "./dom.js";
import { counted, eventName, isFrench, say } from "./french.js";
import { inUnits, prepare, storedRow, sure } from "./panel.js";
import { fillSheet } from "./sheet.js";

const NAMES = { white: "White", black: "Black" };
// Events with a large button, in the order of the buttons. Other events are found with the search.
const AT_HAND = ["choose", "accept", "refuse", "promote", "crown", "waive", "resume", "decide", "touch", "illegal", "offer", "claim", "flag", "resign",
  "start", "stop"];
const MARKS = { square: /^(?:[a-h][1-8]|[1-9]|[1-4]\d|50)$/ };

export function referee({ ask, board, tell, speak, read }) {
  let state = null; // the last board from the server, including the panel
  let laws = new Map(); // the laws by rule
  let next = null; // possible continuations of the line
  let endsWithMove = false;
  let chips = false; // whether the last word was chosen with a button or on the board, not typed
  let held = null; // the square of the piece in hand
  let released = false; // whether a piece was just released, so that clicks remove captured pieces
  let follow = null; // a line to send after the next accepted event
  let closeClocks = null; // closes the full-screen clocks
  const [panel, line, log] = ["referee", "line", "log"].map(byId);

  const send = text => ask({ ask: "event", line: text.trim() });
  const possible = text => state.referee.possible.some(event => event.line === text);
  const name = square => board.geometry.name(square);

  // ------------------------------------------------------------------------------------ the line

  // Sets the line. A line that ends with a move from the board is sent as soon as it is complete.
  function compose(text, isMove = false) {
    line.value = text;
    chips = true;
    endsWithMove = isMove;
    ask({ ask: "next", line: text });
  }

  function forget() {
    next = null;
    held = null;
    line.value = "";
    byId("next").replaceChildren();
    byId("line-help").textContent = "";
    pick();
  }

  function hearNext(said) {
    if (!state) return;
    next = said;
    if (chips && said.whole && (endsWithMove || said.words.length === 0)) return send(line.value);
    const word = text => element("button", { type: "button", onclick: () => compose(`${next.line}${text} `) }, text);
    byId("next").replaceChildren(...said.words.slice(0, 80).map(word));
    byId("line-help").textContent = said.means;
    if (chips) (byId("next").querySelector("button") ?? line).focus();
    pick();
  }

  line.addEventListener("input", () => {
    chips = false;
    if (line.value.trim()) ask({ ask: "next", line: line.value });
    else forget();
  });
  byId("event").addEventListener("submit", event => {
    event.preventDefault();
    if (line.value.trim()) send(line.value);
  });
  byId("event").addEventListener("keydown", event => { if (event.key === "Escape") forget(); });

  // ----------------------------------------------------------------------------------- the board

  // Sets the effect of a click on a square: append the square to the line, move a piece by hand, or
  // record an illegal move.
  function pick() {
    const squares = (next?.words ?? []).filter(word => MARKS.square.test(word));
    const means = byId("means").value;
    board.marked = [];
    board.pick = null;
    if (squares.length > 0) {
      const at = squares.map(word => [...Array(board.geometry.count).keys()].find(square => name(square) === word));
      board.marked = at;
      board.pick = square => { if (at.includes(square)) compose(`${next.line}${name(square)} `); };
    } else if (means !== "moves" && !state.ending) {
      board.marked = held === null ? [] : [held];
      board.pick = means === "hands" ? touch : against;
    }
    board.render();
  }

  const owner = square => {
    const letter = state.referee.squares[square];
    if (letter === ".") return null;
    const white = state.game === "draughts" ? letter.toLowerCase() === "w" : letter !== letter.toLowerCase();
    return white ? "white" : "black";
  };

  // Handles a click on a square: touches a piece, releases the touched piece on the square, or
  // removes a captured piece.
  function touch(square) {
    const [side, at] = [state.turn, name(square)];
    const { lines, captures } = state.referee;
    const takes = released || captures;
    if (held !== null && owner(square) !== side && square !== held) {
      const taken = owner(square) !== null;
      send(`${lines.release} ${name(held)} ${at}`);
      released = true;
      follow = taken ? { line: `${lines.remove} ${at}`, event: lines.remove } : null;
    } else if (owner(square) === null || square === held) {
      held = null;
      return pick();
    } else if (owner(square) !== side && takes) {
      send(`${lines.remove} ${at}`);
    } else {
      send(`${lines.touch} ${at}`);
      held = owner(square) === side ? square : null;
      return;
    }
    held = null;
  }

  function against(square) {
    if (held === null) {
      if (owner(square) === null) return;
      held = square;
      return pick();
    }
    if (square !== held) send(`${state.referee.lines.illegal} ${name(held)} ${name(square)}`);
    held = null;
    pick();
  }

  function play(m) {
    if (next?.words.includes(m.text)) compose(`${next.line}${m.text} `, true);
    else send(`${state.referee.lines.play} ${m.text}`);
  }

  byId("means").addEventListener("change", () => { held = null; if (state) pick(); });

  // ----------------------------------------------------------------------------------- the clock

  function press() {
    if (!state.running) ask({ ask: "watch", runs: true });
    else if (state.referee.lines.press) send(state.referee.lines.press);
    else tell(say("No clock can be pressed now."));
  }

  function drawClock() {
    const { presses, clocked } = state.referee;
    byId("clockwork").hidden = !clocked;
    byId("press").textContent = say(state.running ? presses ? `Press ${NAMES[presses]}'s clock` : "Clock running" : "Start clock");
    byId("press").disabled = state.running && !presses;
    byId("halt").disabled = !state.running;
  }

  byId("press").addEventListener("click", press);
  byId("halt").addEventListener("click", () => ask({ ask: "watch", runs: false }));
  byId("whole-screen").addEventListener("click", async () => {
    const { showClocks } = await import("./clocks.js");
    closeClocks = showClocks({ read, press });
  });
  for (const type of ["keydown", "keyup"]) {
    document.addEventListener(type, event => {
      const elsewhere = event.target.closest("input, textarea, select, dialog, summary, a, button") && !event.target.closest("#board");
      if (event.key !== " " || !state?.referee.clocked || elsewhere) return;
      event.preventDefault();
      event.stopPropagation();
      if (type === "keydown" && !event.repeat) press();
    }, true);
  }

  // ------------------------------------------------------------------------- what can happen next

  function offered(event) {
    const record = () => send(event.line);
    const flagged = { flag: [event.side], flags: ["white", "black"] }[event.name] ?? [];
    // If no clock runs on this page, the arbiter uses another clock.
    const isEarly = () => state.running && flagged.some(side => read(side).left > 0);
    const whole = () => isEarly() ? sure("The clock still shows time. Has the flag fallen?", "Record", record) : record();
    const more = () => compose(`${event.line} `);
    const name = eventName(event);
    const main = element("button", { type: "button", title: event.means, "data-line": event.line, onclick: event.whole ? whole : more },
      event.whole ? name : `${name} …`);
    if (!event.whole || !event.more) return [main];
    return [element("span", { class: "both" }, main, element("button", { type: "button", class: "extend", "aria-label": `${event.line}, ${say("more options")}`, "data-line": `${event.line} …`, onclick: more }, "…"))];
  }

  const box = (title, events) => events.length === 0 ? [] : [element("div", { class: "can", role: "group", "aria-label": title },
    element("h2", {}, title), element("div", { class: "row" }, ...events.flatMap(offered)))];
  const bySide = list => [["white", "White"], ["black", "Black"], [null, "Arbiter"]]
    .flatMap(([side, title]) => box(say(title), list.filter(event => event.side === side)));

  // Returns the events with large buttons: common events, and reactions to earlier events. All
  // claims of a player share one button, and the kind of claim is chosen afterwards.
  function atHand() {
    const all = state.referee.possible;
    const claims = ["white", "black"].flatMap(side => {
      const first = all.find(event => event.side === side && event.name.startsWith("claim "));
      if (!first) return [];
      const line = first.line.slice(0, first.line.indexOf("claim") + 5);
      return [{ ...first, line, name: "claim", means: say("makes a claim"), whole: false, more: true }];
    });
    const order = event => AT_HAND.findIndex(name => event.name === name || event.name.startsWith(`${name} `));
    const isRare = event => event.name.startsWith("claim ") || event.name === "refuse search";
    const others = all.filter(event => !isRare(event) && order(event) >= 0);
    return [...others, ...claims].sort((a, b) => order(a) - order(b));
  }

  function drawOthers() {
    const words = byId("search-events").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = event => words.every(word => `${event.line} ${event.means} ${eventName(event)}`.toLowerCase().includes(word));
    byId("others").replaceChildren(...bySide(state.referee.possible.filter(fits)));
  }

  byId("search-events").addEventListener("input", drawOthers);

  // Draws the buttons again. `focused` is the event of the button that had the focus, or null. The
  // new button for this event gets the focus. If there is none, the input field gets it.
  function drawPossible(focused) {
    const host = byId("possible");
    host.replaceChildren(...bySide(atHand()));
    byId("rest").hidden = state.referee.possible.length === 0;
    drawOthers();
    if (focused === null) return;
    const again = [...panel.querySelectorAll("button")].find(button => button.dataset.line === focused && button.checkVisibility());
    (again ?? line).focus({ preventScroll: true });
  }

  // ------------------------------------------------------------------------------------- the log

  function ruling({ text, rule }) {
    const law = laws.get(rule);
    if (!law) return element("li", {}, text);
    const says = element("p", {}, element("b", {}, law.article), ` ${law.says}`);
    const read = law.reading ? [element("p", { class: "quiet" }, law.reading)] : [];
    return element("li", {}, element("details", {}, element("summary", {}, text), says, ...read));
  }

  // A struck line shows an event that was taken back; it has no number.
  const struck = text => element("li", { class: "struck", "data-line": `struck ${text}`, lang: state.referee.french ? "fr" : "en" },
    element("span", { class: "quiet" }, `${say("Taken back:")} `), element("s", {}, element("code", {}, text)));

  const entry = event => element("li", { "data-line": event.line, lang: state.referee.french ? "fr" : "en" },
    element("code", {}, event.line), element("ul", {}, ...event.rulings.map(ruling)));

  function drawLog(all) {
    const { events } = state.referee;
    const rows = [];
    for (let number = 0; number <= events.length; number++) {
      rows.push(...state.referee.struck.filter(([before]) => before === number).map(([, text]) => ({ line: `struck ${text}`, draw: () => struck(text) })));
      if (number < events.length) rows.push({ line: events[number].line, event: events[number], draw: () => entry(events[number]) });
    }
    if (all) log.replaceChildren();
    const shown = [...log.children];
    const same = shown.findIndex((node, index) => node.dataset.line !== rows[index]?.line);
    const from = same < 0 ? shown.length : same;
    shown.slice(from).forEach(node => node.remove());
    const fresh = rows.slice(from);
    log.append(...fresh.map(row => row.draw()));
    if (fresh.length > 0 || all) log.scrollTop = log.scrollHeight;
    return fresh.flatMap(({ event }) => event ?? []);
  }

  function announce(fresh) {
    const french = state.referee.french;
    for (const event of fresh) {
      for (const { text, spoken } of event.rulings) if (spoken) speak(text, french ? "fr" : "en");
      const side = event.pressed;
      if (side) speak(inWords(side, state.clocks[side === "white" ? 0 : 1]), "en");
    }
  }

  byId("print").addEventListener("click", () => ask({ ask: "sheet" }));

  return {
    play,
    next: hearNext,
    laws: said => {
      laws = new Map(said.laws.map(law => [law.rule, law]));
      if (state) drawLog(true);
    },
    sheet: said => {
      fillSheet(said);
      print();
    },
    refused: () => { follow = null; held = null; released = false; if (state) pick(); },
    close: () => {
      if (!state) return;
      closeClocks?.();
      state = null;
      board.pick = null;
      board.marked = [];
      panel.hidden = true;
    },
    show: (now, same) => {
      const other = !state || !same;
      const grew = same && state ? now.referee.events.length - state.referee.events.length : 0;
      const plies = state?.plies.length;
      state = now;
      panel.hidden = false;
      const kept = held;
      const focus = document.activeElement?.closest("#possible, #others, #next") ? document.activeElement.dataset.line ?? "" : null;
      if (grew !== 0 || other) forget();
      if (other || now.plies.length !== plies) released = false;
      held = kept !== null && owner(kept) === state.turn && grew > 0 ? kept : null;
      byId("edition").textContent = state.referee.title;
      byId("against-rules").hidden = byId("against-rules").disabled = !possible(state.referee.lines.illegal);
      if (byId("against-rules").disabled && byId("means").value === "against") byId("means").value = "moves";
      drawClock();
      drawPossible(focus);
      const fresh = drawLog(other);
      if (!other) announce(fresh);
      pick();
      if (follow && grew > 0) {
        const { line: then, event } = follow;
        follow = null;
        if (possible(event)) send(then);
      }
    },
  };
}

export function inWords(side, milliseconds) {
  if (milliseconds === null) return "";
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [[Math.floor(seconds / 3600), "hour"], [Math.floor(seconds / 60) % 60, "minute"], [seconds % 60, "second"]];
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return `${NAMES[side]}: ${words.join(" ") || "no time"}`;
}

// The dialog for a log: continue a stored log, start a new one, or open a file.
export function newLog({ begin, open, resume, forget }) {
  const dialog = byId("referee-dialog");
  prepare(dialog);
  let waits = false; // true while the server's answer to the terms is pending
  const value = id => byId(id).value.trim();
  const rules = () => {
    const found = [];
    for (const field of dialog.querySelectorAll("[data-rule]")) {
      const typed = field.type === "checkbox" ? String(field.checked) : field.value.trim();
      const text = field.dataset.rule === "time" ? inUnits(typed) : typed;
      if (text === "" || text === field.dataset.usual) continue;
      found.push(`${field.dataset.rule} = ${"text" in field.dataset ? JSON.stringify(text) : text}`);
    }
    return [...found, ...value("rules").split("\n").filter(line => line.trim())].join(", ");
  };
  dialog.querySelector("form").addEventListener("submit", () => {
    const date = new Date();
    const two = number => String(number).padStart(2, "0");
    byId("log-error").textContent = "";
    waits = true;
    begin({
      edition: value("edition-name"), rules: rules(),
      heads: {
        event: value("log-event"), round: value("log-round"), white: value("log-white"), black: value("log-black"),
        date: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
      },
    });
  });
  byId("log-file").addEventListener("change", async event => {
    const [file] = event.target.files;
    if (!file) return;
    dialog.close();
    open(await file.text());
    event.target.value = "";
  });
  return {
    show: (why = "") => {
      waits = false;
      byId("log-error").textContent = why;
      if (!dialog.open) dialog.showModal();
    },
    // Closes the dialog after the server has created the log.
    done: () => {
      if (waits) dialog.close();
      waits = false;
    },
    unfinished: logs => {
      const row = log => {
        const goOn = id => { dialog.close(); resume(id); };
        return storedRow(log, `${log.about}, ${counted(log.events, "{0} event", "{0} events")}`, { resume: goOn, forget });
      };
      byId("logs").replaceChildren(...logs.map(row));
    },
  };
}
