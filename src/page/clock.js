// A player's row next to a board: name, note and clock.

import { element } from "./dom.js";

// The remaining time, in milliseconds, below which a clock changes colour.
const LOW = 20_000;

export function clock(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const two = number => String(number).padStart(2, "0");
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export class PlayerRow {
  constructor(host) {
    this.host = host;
    this.name = element("span", { class: "name" });
    this.note = element("span", { class: "note" });
    this.clock = element("span", { class: "clock", role: "timer" });
    host.classList.add("player");
    host.append(this.name, this.note, this.clock);
  }

  // Updates the row. `name` is text or an element. `left` is the time in milliseconds, or null if
  // there is no clock.
  set({ side, name, note = "", left = null, turn = false }) {
    this.host.classList.toggle("turn", turn);
    this.name.className = `name ${side}`;
    if (typeof name === "string") this.name.title = name;
    if (this.shown !== name) this.name.replaceChildren(name);
    this.shown = name;
    this.note.textContent = note;
    this.clock.setAttribute("aria-label", `${side === "white" ? "White" : "Black"}'s clock`);
    this.tick(left);
  }

  tick(left) {
    const shown = left === null ? "" : clock(left);
    if (this.clock.textContent !== shown) this.clock.textContent = shown;
    this.clock.hidden = left === null;
    this.clock.classList.toggle("low", left !== null && left < LOW);
  }
}
