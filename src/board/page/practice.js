// Practice: the user plays on from a position of a study. The engine judges each move and answers it.

import { byId, element } from "./dom.js";
import { say } from "./french.js";

// The time in which the engine judges and answers a move, in milliseconds.
const THOUGHT = 1200;
// The minimum loss of expected points for each verdict, as in a review, worst verdict first.
const VERDICTS = [
  [0.15, "{0} is a blunder; {1} was better."], [0.1, "{0} is a mistake; {1} was better."],
  [0.05, "{0} is dubious; {1} was better."], [-Infinity, "{0} is a good move."],
];

// Returns the solution of a puzzle that was opened from an EPD file.
export const solutionOf = state => state.study?.heads.find(([tag]) => tag === "Solution")?.[1];

// `search` starts the engine if it is off. `redraw` draws the marks on the board again.
export function practice({ ask, search, redraw }) {
  const [section, text] = ["practice", "practice-text"].map(byId);
  let you = null; // the side of the user; null if practice is off
  let state = null;
  let best = null; // the engine's best line in the user's last position
  let line = null; // the engine's best line in the displayed position
  let verdict = "";
  let timer = null;

  const yours = () => state.turn === you;

  function draw(...more) {
    const turn = state.legal.length === 0 ? "No legal moves." : yours() ? "Your move." : "The engine is thinking…";
    text.replaceChildren(...verdict ? [element("b", {}, verdict), " "] : [], say(turn), ...more);
    byId("hint").disabled = !yours() || state.legal.length === 0;
  }

  function end() {
    you = null;
    clearTimeout(timer);
    section.hidden = true;
    document.body.classList.remove("practises");
    redraw();
  }

  function judge(played) {
    const change = line.white - best.white;
    const loss = you === "white" ? -change : change;
    const isBest = played === best.moves[0].shown;
    verdict = say(isBest ? "{0} is the best move." : VERDICTS.find(([limit]) => loss >= limit)[1], played, best.moves[0].shown);
  }

  function answer() {
    if (!line) {
      timer = setTimeout(answer, THOUGHT / 4);
      return;
    }
    if (best) judge(state.plies[state.at - 1].text);
    ask({ ask: "move", text: line.moves[0].text });
  }

  byId("practise").addEventListener("click", () => {
    [you, best, line, verdict] = [state.turn, null, null, ""];
    document.body.classList.add("practises");
    section.hidden = false;
    search();
    draw();
    redraw();
  });
  byId("end-practice").addEventListener("click", end);
  byId("hint").addEventListener("click", () => draw(" ", say(line ? "Hint: {0}." : "The engine has not found a move yet.", line?.moves[0].shown)));

  return {
    isOn: () => you !== null,
    show: next => {
      const before = state;
      state = next;
      if (you === null) return;
      const isOther = next.start !== before.start || solutionOf(next) !== solutionOf(before);
      if (next.mode !== "study" || next.study.lesson || isOther) return end();
      if (next.at === before.at && next.fen === before.fen) return;
      clearTimeout(timer);
      const plays = before.turn === you && next.at === before.at + 1 && next.at === next.plies.length;
      best = plays ? line : null;
      line = null;
      if (plays || yours() && next.at !== before.at + 1) verdict = "";
      if (plays && next.legal.length > 0) timer = setTimeout(answer, THOUGHT);
      draw();
    },
    // Stores the best line from the first engine's report on the displayed position.
    hear: message => { if (message.panel === 0 && message.lines[0]?.moves.length > 0) line = message.lines[0]; },
  };
}
