// Loads the scripts of the page after its first paint, which needs only the HTML and the style
// sheet. All files are requested at once.

const FILES = `play board pieces premove dom engine french lesson library look material clock clocks graph moves panel played practice referee replay sheet setup sounds speech story tags tree`;

// The button that was clicked before the scripts could react.
let early = null;
const remember = event => { early = event.target.closest("button:not([popovertarget])"); };
addEventListener("click", remember);

function load() {
  for (const name of FILES.split(" ")) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: `${name}.js` }));
  }
  import("./main.js").then(() => {
    removeEventListener("click", remember);
    early?.click();
  });
}

// A hidden page is not painted.
if (document.hidden) load();
else requestAnimationFrame(() => setTimeout(load));
