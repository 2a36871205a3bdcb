// Loads the scripts of the page after its first paint, which needs only the HTML and the style
// sheet. All files are requested at once.

const FILES = `play board pieces premove dom engine french lesson library look material clock clocks graph moves panel played referee sheet setup sounds speech story tags tree`;

function load() {
  for (const name of FILES.split(" ")) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: `${name}.js` }));
  }
  import("./main.js");
}

// A hidden page is not painted.
if (document.hidden) load();
else requestAnimationFrame(() => setTimeout(load));
