// French strings for the arbiter's page. Elements of the page have their French text in `data-fr`.
// This file contains the strings that scripts insert.

const EVENTS = {
  touch: "touche", brush: "effleure", adjust: "j’adoube", release: "lâche", remove: "enlève", promote: "promotion", move: "coup",
  castle: "roque", press: "pendule", flag: "drapeau", offer: "propose nulle", accept: "accepte", refuse: "refuse",
  withdraw: "retire", resign: "abandonne", claim: "réclame", demand: "exige le mat", announce: "annonce mat", stop: "arrêt",
  waive: "renonce", illegal: "coup illégal", hands: "deux mains", seal: "enveloppe", arrive: "arrive", say: "annonce le coup",
  "both agree": "nulle d’accord", start: "reprise", adjourn: "ajourne", resume: "reprend la partie", pause: "pause", crown: "couronne",
  "claim repetition": "réclame répétition", "claim fifty": "réclame 50 coups", "claim perpetual": "réclame échec perpétuel",
  "claim winless": "réclame sans gain", "claim flag": "réclame drapeau", "claim illegal": "signale coup illégal",
  "claim touch": "réclame pièce touchée", "claim increment": "réclame incrément", "decide draw": "décide nulle",
  "decide reject": "rejette", "decide defer": "remet la décision", "decide increment": "accorde l’incrément", "decide move": "décide le coup",
};
const TEXTS = {
  White: "Blancs", Black: "Noirs", Arbiter: "Arbitre", "Undo event": "Annuler l’événement", Save: "Enregistrer",
  "Start clock": "Démarrer la pendule", "Clock running": "La pendule marche", "Press White's clock": "Pendule des Blancs",
  "Press Black's clock": "Pendule des Noirs", "White to move.": "Trait aux Blancs.", "Black to move.": "Trait aux Noirs.",
  "White has not pressed the clock.": "Les Blancs n’ont pas appuyé sur la pendule.",
  "Black has not pressed the clock.": "Les Noirs n’ont pas appuyé sur la pendule.",
  "Taken back:": "Annulé :", Clocks: "Pendules", "Leave full screen": "Quitter le plein écran",
  "No clock can be pressed now.": "Aucune pendule ne peut être actionnée.",
};
let french = false;

export const isFrench = () => french;

export const say = text => french ? TEXTS[text] ?? text : text;

// Returns the name of an event's button.
export const eventName = ({ name, means }) => french ? EVENTS[name] ?? means : name;

// Switches the elements of the page to French or back.
export function speakFrench(on) {
  if (french === on) return;
  french = on;
  for (const node of document.querySelectorAll("[data-fr]")) {
    node.dataset.en ??= node.textContent;
    node.textContent = on ? node.dataset.fr : node.dataset.en;
  }
  document.documentElement.lang = on ? "fr" : "en";
}
