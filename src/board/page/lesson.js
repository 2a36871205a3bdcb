// Learning from mistakes: after a review, the user looks for a better move than the move played. The
// server judges the user's moves and hides the better line.

import { byId, element } from "./dom.js";
import { counted, say } from "./french.js";
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

  function said({ side, verdict, played, tried }) {
    return {
      guess: say(`${NAMES[side]} played {0}. Find a better move.`, played),
      weighing: say("{0} is being compared with the better move…", tried),
      wrong: say(tried === played ? "{0} was played in the game. Try another move." : "{0} is not good enough. Try another move.", tried),
      right: say("{0} is the better move.", tried),
      good: say("{0} is about as good as the better move.", tried),
      shown: say("The better move:"),
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
        begins[index].textContent = counted(count, `${NAMES[side]}’s {0} mistake`, `${NAMES[side]}’s {0} mistakes`);
        begins[index].title = say(`learn from ${NAMES[side]}’s mistakes`);
      });
      if (!now) return;
      const line = now.answer.map((move, index) => {
        const at = now.ply + index;
        return `${index === 0 || !written(state, at).endsWith("…") ? `${written(state, at)} ` : ""}${move}`;
      }).join(" ");
      text.className = ["wrong"].includes(now.verdict) ? "error" : "";
      const last = !isSecret() && now.number === now.of ? [element("br"), say("That was the last mistake.")] : [];
      text.replaceChildren(element("b", {}, `${say("Mistake {0} of {1}.", now.number, now.of)} `), said(now), ...line ? [element("br"), line] : [], ...last);
      answer.hidden = !isSecret();
      next.textContent = say(isSecret() ? "Skip" : "Next mistake");
      next.classList.toggle("main", !isSecret());
      next.hidden = now.of === 1;
    },
  };
}
