// Optional sounds: short tones from the Web Audio API, off by default.

import { byId } from "./dom.js";

const box = byId("sounds");
box.checked = localStorage.getItem("sounds") === "on";
box.addEventListener("change", () => {
  localStorage.setItem("sounds", box.checked ? "on" : "off");
  sound("move");
});

// The tones of each sound: frequency in hertz, start and duration in seconds.
const TONES = {
  move: [[300, 0, 0.06]],
  capture: [[220, 0, 0.05], [180, 0.05, 0.07]],
  check: [[520, 0, 0.06], [620, 0.07, 0.1]],
  end: [[392, 0, 0.12], [494, 0.12, 0.12], [587, 0.24, 0.25]],
};
let context = null;

export function sound(name) {
  if (!box.checked) return;
  context ??= new AudioContext();
  for (const [pitch, begin, length] of TONES[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + begin;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.25, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}

// Plays the sound for the change from one board state to the next.
export function soundOf(before, after) {
  const pieces = squares => squares.replaceAll(".", "").length;
  const squares = board => board.plies[board.at - 1]?.squares ?? board.start;
  if (after.ending && !before.ending) sound("end");
  else if (after.at <= before.at) return;
  else if (after.check !== null) sound("check");
  else sound(pieces(squares(after)) < pieces(squares(before)) ? "capture" : "move");
}
