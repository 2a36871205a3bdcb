// Appearance settings: board colours, piece set and size. The browser stores them.

import { byId } from "./dom.js";

for (const name of ["theme", "set", "size"]) {
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
