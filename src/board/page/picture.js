// Pictures of the position as SVG and PNG.

import { byId, download } from "./dom.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "opacity", "font", "text-anchor", "display", "paint-order"];
// The width and height of the PNG.
const PIXELS = 1200;

// Returns a copy of the board's SVG that does not depend on the style sheets.
function drawn() {
  const original = byId("board").querySelector("svg");
  const copy = original.cloneNode(true);
  const nodes = original.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, index) => {
    const style = getComputedStyle(nodes[index]);
    for (const name of STYLES) node.style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return copy;
}

export function asSvg() { download("position.svg", drawn().outerHTML); }

// Saves a PNG. Calls `warn` if the browser cannot draw it.
export async function asPng(warn) {
  const copy = drawn();
  copy.setAttribute("width", PIXELS);
  copy.setAttribute("height", PIXELS);
  const address = URL.createObjectURL(new Blob([copy.outerHTML], { type: "image/svg+xml" }));
  try {
    const image = new Image(PIXELS, PIXELS);
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = PIXELS;
    canvas.getContext("2d").drawImage(image, 0, 0, PIXELS, PIXELS);
    const png = await new Promise(done => canvas.toBlob(done, "image/png"));
    if (!png) throw new Error("no picture");
    download("position.png", png);
  } catch (error) {
    warn(`The browser cannot draw the picture: ${error.message}`);
  } finally {
    URL.revokeObjectURL(address);
  }
}
