// The language of the page. The texts are written in English; `texts.js` contains their French
// versions and is loaded only for a French page.

import { spoken } from "./pieces.js";

let french = null; // the texts in French, or null if the page is in English

export const isFrench = () => french !== null;

// Returns a text in the language of the page. `{0}`, `{1}`… stand for the values.
export const say = (text, ...values) =>
  (french?.TEXTS[text] ?? text).replace(/\{(\d)\}/g, (whole, index) => values[index] ?? whole);

// Returns `one` or `many`, with `{0}` replaced by the count.
export const counted = (count, one, many) => say(count === 1 ? one : many, count);

// Returns the name of an event's button in an arbiter's log.
export const eventName = ({ name, means }) => french ? french.EVENTS[name] ?? means : name;

// Returns the name of a piece with its colour.
export const pieceName = (game, letter) => french ? french.PIECES[game][letter] : spoken(game, letter);

// Formats a percentage.
export const percentage = number => french ? `${String(number).replace(".", ",")}\u202f%` : `${number}%`;

// The texts of the HTML file: the node, the name of the attribute (null for a text node), and the
// English text.
const fixed = [];
const walker = document.createTreeWalker(document.body);
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (node.nodeType === Node.TEXT_NODE && /[a-z]{2}/.test(node.data)) fixed.push([node, null, node.data]);
  for (const name of ["aria-label", "title", "placeholder"]) {
    if (node.getAttribute?.(name)) fixed.push([node, name, node.getAttribute(name)]);
  }
}

// Switches the page to French or to English. Scripts must draw their own texts again.
export async function speakFrench(on) {
  french = on ? await import("./texts.js") : null;
  for (const [node, name, english] of fixed) {
    const text = english.replace(/\S(.*\S)?/s, found => say(found));
    if (name) node.setAttribute(name, text);
    else node.data = text;
  }
  document.documentElement.lang = on ? "fr" : "en";
}
