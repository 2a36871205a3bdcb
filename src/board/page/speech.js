// Speech: announces events and accepts dictated moves, if the browser supports them.

import { byId } from "./dom.js";
import { say } from "./french.js";

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;

// `heard` receives the text of a dictated move.
export function speech({ heard, warn }) {
  const [onOff, dictate] = ["speech", "dictate"].map(byId);
  byId("spoken-settings").hidden = !window.speechSynthesis;
  onOff.checked = Boolean(window.speechSynthesis) && localStorage.getItem("speech") === "on";
  onOff.addEventListener("change", () => {
    localStorage.setItem("speech", onOff.checked ? "on" : "off");
    if (!onOff.checked) window.speechSynthesis.cancel();
  });
  dictate.hidden = !Recognition;
  dictate.addEventListener("click", () => {
    const listens = new Recognition();
    listens.lang = { fr: "fr-FR", de: "de-DE" }[byId("notation").value] ?? "en-US";
    listens.addEventListener("result", event => heard(event.results[0][0].transcript));
    listens.addEventListener("error", event => warn(say("Speech recognition failed ({0}).", event.error)));
    listens.addEventListener("end", () => dictate.setAttribute("aria-pressed", "false"));
    dictate.setAttribute("aria-pressed", "true");
    listens.start();
  });
  return (text, lang) => {
    if (!onOff.checked || !text) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = lang;
    window.speechSynthesis.speak(words);
  };
}
