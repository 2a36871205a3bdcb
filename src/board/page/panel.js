// The dialogs: a new game, what to analyse, and which of several moves is meant.

import { byId, element } from "./dom.js";

const LEVELS = {
  chess: [["full", "full strength"], ...[800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800]
    .map(elo => [`elo ${elo}`, `${elo} Elo`])],
  draughts: [["full", "full strength"], ...[["nodes 100", "beginner"], ["nodes 1000", "club player"],
    ["nodes 20000", "strong player"], ["nodes 500000", "master"]]],
};

// A dialog's form is never sent: its buttons say what is done.
function prepare(dialog) {
  dialog.querySelector("form").addEventListener("submit", event => event.preventDefault());
  for (const button of dialog.querySelectorAll("[data-close]")) button.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
}

function level(text) {
  const [kind, number] = text.split(" ");
  return number === undefined ? kind : { [kind]: Number(number) };
}

// What a journal's game is, in words.
function described({ terms, plies }) {
  const game = terms.chess960 != null ? "Chess960" : terms.game === "chess" ? "Chess" : "Draughts";
  const you = terms.you ? `you play ${terms.you}` : "two players";
  return `${game}, ${you}, ${Math.ceil(plies / 2)} ${plies > 2 ? "moves" : "move"}`;
}

export function newGame({ begin, resume, forget }) {
  const dialog = byId("new-dialog");
  prepare(dialog);
  const [game, number, you, levels, time, start] = ["game", "number", "you", "level", "time", "start"].map(byId);
  const kind = () => game.value === "draughts" ? "draughts" : "chess";
  const shape = () => {
    byId("numbered").hidden = game.value !== "chess960";
    start.parentElement.hidden = game.value === "chess960";
    number.disabled = game.value !== "chess960";
    const kept = levels.value;
    levels.replaceChildren(...LEVELS[kind()].map(([value, text]) => element("option", { value }, text)));
    levels.value = [...levels.options].some(option => option.value === kept) ? kept : kind() === "chess" ? "elo 1400" : "nodes 1000";
  };
  game.addEventListener("change", shape);
  levels.replaceChildren(element("option", { value: "" }));
  shape();
  byId("dice").addEventListener("click", () => { number.value = Math.floor(Math.random() * 960); });
  dialog.querySelector("form").addEventListener("submit", () => {
    const colours = { random: Math.random() < 0.5 ? "white" : "black", both: null };
    const terms = {
      game: kind(), level: level(levels.value), time: time.value.trim(),
      you: you.value in colours ? colours[you.value] : you.value,
    };
    if (game.value === "chess960") terms.chess960 = Number(number.value);
    else if (start.value.trim()) terms.start = start.value.trim();
    dialog.close();
    begin(terms);
  });
  return {
    open: (why = "") => {
      byId("new-error").textContent = why;
      if (!dialog.open) dialog.showModal();
    },
    unfinished: games => {
      const list = games.map(one => element("p", { class: "row" },
        element("span", {}, described(one)),
        element("button", { type: "button", onclick: () => { dialog.close(); resume(one.id); } }, "Go on"),
        element("button", { type: "button", "aria-label": `forget: ${described(one)}`, onclick: () => forget(one.id) }, "Forget")));
      byId("unfinished").replaceChildren(...list);
    },
  };
}

export function study({ open }) {
  const dialog = byId("study-dialog");
  prepare(dialog);
  const [game, text, file] = ["study-game", "study-text", "file"].map(byId);
  let games = [];
  // Of a text with many games one is opened.
  const several = () => {
    games = text.value.split(/\n(?=\[Event\s)/);
    const tag = (one, name) => new RegExp(`\\[${name}\\s+"([^"]*)"`).exec(one)?.[1] ?? "?";
    const options = games.map((one, index) =>
      element("option", { value: index }, `${index + 1}. ${tag(one, "White")} – ${tag(one, "Black")}`));
    byId("which").replaceChildren(...options);
    byId("several").hidden = games.length < 2;
  };
  const guess = () => {
    several();
    if (/^\s*[WB]:|\[GameType "20"|^\s*(?:\[.*\]\s*)*1\.\s*\d+-\d+/.test(text.value)) game.value = "draughts";
    else if (/\/.*\/.*\/|1\.\s*[a-hNBRQKO]/.test(text.value)) game.value = "chess";
  };
  text.addEventListener("input", guess);
  const take = async chosen => {
    if (!chosen) return;
    text.value = await chosen.text();
    guess();
  };
  file.addEventListener("change", () => take(file.files[0]));
  dialog.querySelector("form").addEventListener("submit", () => {
    dialog.close();
    open(game.value, games.length > 1 ? games[Number(byId("which").value)] : text.value);
  });
  return {
    // Many games stay there, for the next of them.
    open: (kind, fen) => {
      if (games.length < 2) {
        game.value = kind;
        text.value = fen;
        several();
      }
      dialog.showModal();
    },
    drop: async chosen => {
      await take(chosen);
      if (!dialog.open) dialog.showModal();
    },
  };
}

// Asks which of several moves is meant. The one whose button has the focus is shown by `preview`.
export function chooser(preview) {
  const dialog = byId("choice");
  prepare(dialog);
  return (moves, take) => {
    const buttons = moves.map(m => {
      const show = () => preview(m.routes[0]);
      return element("button", {
        type: "button", onfocus: show, onpointerenter: show,
        onclick: () => { dialog.close(); take(m); },
      }, m.shown);
    });
    byId("choices").replaceChildren(...buttons);
    dialog.showModal();
    dialog.addEventListener("close", () => preview(null), { once: true });
  };
}
