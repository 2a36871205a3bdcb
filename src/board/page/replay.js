// Replay: shows the moves of a game one after another, until the last move or until the user shows
// another position.

import { byId } from "./dom.js";
import { say } from "./french.js";

// The shortest and longest pause, in seconds, if a replay uses the thinking times of the game.
const [SHORTEST, LONGEST] = [0.3, 10];
// The pause, in seconds, for a move with an unknown thinking time.
const UNKNOWN = 2;

// `shown` returns the number of plies shown, the number of plies of the game, and the seconds that
// the next move took. `forward` shows the next move.
export function replay({ shown, forward }) {
  const [button, pace] = ["replay", "pace"].map(byId);
  pace.value = localStorage.getItem("pace") ?? pace.value;
  if (pace.selectedIndex < 0) pace.value = "1";
  pace.addEventListener("change", () => localStorage.setItem("pace", pace.value));
  let timer = null;

  function draw() {
    button.setAttribute("aria-pressed", String(timer !== null));
    button.textContent = timer === null ? "▷" : "❙❙";
    button.title = say(timer === null ? "replay the moves" : "stop the replay");
    button.setAttribute("aria-label", button.title);
  }

  // Stops the replay. Returns whether a replay was running.
  function stop() {
    const ran = timer !== null;
    clearTimeout(timer);
    timer = null;
    draw();
    return ran;
  }

  // Waits and shows the next move, if the user has not shown another position meanwhile.
  function wait() {
    const { ply, seconds } = shown();
    const pause = pace.value === "played" ? Math.min(Math.max(seconds ?? UNKNOWN, SHORTEST), LONGEST) : Number(pace.value);
    timer = setTimeout(() => {
      if (shown().ply !== ply) return stop();
      step();
    }, 1000 * pause);
  }

  function step() {
    forward();
    const { ply, plies } = shown();
    if (ply < plies) wait();
    else stop();
  }

  button.addEventListener("click", () => {
    if (timer !== null) return stop();
    if (shown().ply >= shown().plies) return;
    step();
    draw();
  });
  return {
    stop,
    // Shows the button if there are moves to replay.
    show: can => {
      button.hidden = !can;
      if (can) draw();
      else stop();
    },
  };
}
