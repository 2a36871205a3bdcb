// Learning from mistakes: after a review, the user looks for a better move than the move played. The
// server judges the user's moves and hides the better line.

import { byId, element } from "./dom.js";
import { written } from "./moves.js";

const SIDES = ["white", "black"];
const NAMES = { white: "White", black: "Black" };

export function lesson({ ask }) {
  const [section, text, answer, next, end] = ["lesson", "lesson-text", "lesson-answer", "lesson-next", "lesson-end"].map(byId);
  const begins = SIDES.map(side => byId(`learn-${side}`));
  let now = null;

  SIDES.forEach((side, index) => begins[index].addEventListener("click", () => ask({ ask: "learn", side })));
  answer.addEventListener("click", () => ask({ ask: "answer" }));
  next.addEventListener("click", () => ask({ ask: "next-mistake" }));
  end.addEventListener("click", () => ask({ ask: "end-lesson" }));

  const isSecret = () => Boolean(now) && ["guess", "weighing", "wrong"].includes(now.verdict);

  function said({ side, verdict, played, tried, number, of }) {
    const last = number === of ? " That was the last mistake." : "";
    return {
      guess: `${NAMES[side]} played ${played}. Find a better move.`,
      weighing: `${tried} is being compared with the better move…`,
      wrong: tried === played ? `${tried} was played in the game. Try another move.` : `${tried} is not good enough. Try another move.`,
      right: `${tried} is the better move.${last}`,
      good: `${tried} is about as good as the better move.${last}`,
      shown: `The better move:${last}`,
    }[verdict];
  }

  return {
    isSecret,
    show: state => {
      now = state.study?.lesson ?? null;
      document.body.classList.toggle("learns", Boolean(now));
      document.body.classList.toggle("secret", isSecret());
      section.hidden = !now;
      SIDES.forEach((side, index) => {
        const count = state.study?.mistakes[index] ?? 0;
        begins[index].hidden = count === 0;
        begins[index].textContent = `${NAMES[side]}’s ${count} ${count === 1 ? "mistake" : "mistakes"}`;
        begins[index].title = `learn from ${NAMES[side]}’s mistakes`;
      });
      if (!now) return;
      const line = now.answer.map((move, index) => {
        const at = now.ply + index;
        return `${index === 0 || !written(state, at).endsWith("…") ? `${written(state, at)} ` : ""}${move}`;
      }).join(" ");
      text.className = ["wrong"].includes(now.verdict) ? "error" : "";
      text.replaceChildren(element("b", {}, `Mistake ${now.number} of ${now.of}. `), said(now), ...line ? [element("br"), line] : []);
      answer.hidden = !isSecret();
      next.textContent = isSecret() ? "Skip" : "Next mistake";
      next.classList.toggle("main", !isSecret());
      next.hidden = now.of === 1;
    },
  };
}
