// Helpers for creating elements. Text is inserted as text nodes and attributes, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

export const byId = id => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

export const element = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

// Saves a string or a blob as a file.
export function download(name, content) {
  const link = element("a", { download: name });
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: "text/plain" }));
  link.click();
  URL.revokeObjectURL(link.href);
}
