// Appearance settings: board colours, piece set, size, and the marks on the board. The browser
// stores them.

import { byId } from "./dom.js";
import { prepare } from "./panel.js";

for (const name of ["theme", "set", "size", "animation"]) {
  const select = byId(name);
  const apply = () => { document.documentElement.dataset[name] = select.value; };
  select.value = localStorage.getItem(name) ?? select.value;
  if (select.selectedIndex < 0) select.selectedIndex = 0;
  apply();
  select.addEventListener("change", () => {
    localStorage.setItem(name, select.value);
    apply();
  });
}

for (const name of ["coordinates", "hints", "arrows", "queen", "turn-board"]) {
  const box = byId(name);
  const apply = () => { document.documentElement.setAttribute(`data-${name}`, box.checked ? "on" : "off"); };
  box.checked = (localStorage.getItem(name) ?? (box.checked ? "on" : "off")) === "on";
  apply();
  box.addEventListener("change", () => {
    apply();
    localStorage.setItem(name, box.checked ? "on" : "off");
  });
}

// Zen mode shows only the board, the clocks and the moves.
export function toggleZen() {
  byId("zen").checked = document.body.classList.toggle("zen");
}
byId("zen").addEventListener("change", toggleZen);

const help = byId("help-dialog");
prepare(help);
export function showHelp() {
  byId("menu").hidePopover();
  help.showModal();
}
byId("help").addEventListener("click", showHelp);
