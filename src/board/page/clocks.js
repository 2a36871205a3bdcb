// The full-screen clocks of the arbiter's desk.

import { clock } from "./clock.js";
import { element } from "./dom.js";
import { say } from "./french.js";

const SIDES = ["black", "white"];

// Opens the clocks. `read(side)` returns the player's name, the remaining time and whether the
// clock runs. `press` presses the running clock, or starts the clock if none runs. Returns a
// function that closes the clocks.
export function showClocks({ read, press }) {
  const faces = SIDES.map(side => {
    const [name, time] = [element("span", { class: "name" }), element("b", { role: "timer" })];
    return { side, name, time, node: element("button", { type: "button", class: `face ${side}`, onclick: press }, name, time) };
  });
  const leave = element("button", { type: "button", class: "leave", onclick: () => close() }, say("Leave full screen"));
  const host = element("dialog", { id: "clocks", "aria-label": say("Clocks") }, ...faces.map(face => face.node), leave);

  function draw() {
    for (const { side, name, time, node } of faces) {
      const { player, left, runs } = read(side);
      name.textContent = player;
      const text = left === null ? "–" : clock(left);
      if (time.textContent !== text) {
        time.textContent = text;
        time.style.setProperty("--length", text.length);
      }
      node.classList.toggle("runs", runs);
      node.classList.toggle("low", left !== null && left < 20_000);
    }
  }

  const timer = setInterval(draw, 100);
  let closed = false;
  function close() {
    if (closed) return;
    closed = true;
    clearInterval(timer);
    document.removeEventListener("fullscreenchange", left);
    if (document.fullscreenElement === host) document.exitFullscreen().catch(() => {});
    host.close();
    host.remove();
  }
  // Escape leaves full screen without a key event for the page, so listen for the change instead.
  const left = () => { if (!document.fullscreenElement) close(); };

  host.addEventListener("close", close);
  // The space bar presses the clock, even if a button has the focus.
  host.addEventListener("keydown", event => {
    if (event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) press();
  });
  host.addEventListener("keyup", event => { if (event.key === " ") event.preventDefault(); });
  document.body.append(host);
  host.showModal();
  draw();
  // If full screen is not permitted, the clocks fill the window.
  host.requestFullscreen?.().then(() => document.addEventListener("fullscreenchange", left), () => {});
  return close;
}
