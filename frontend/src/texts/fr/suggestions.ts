import type { Suggestions } from "../catalogue";

export default {
  hint: (by) =>
    `Les cadres en tirets sont les suggestions d’un modèle, certaines fausses. Acceptez ce qui est juste\u202f: ${{ click: "tapez son numéro ou cliquez dessus", tap: "touchez son numéro", both: "tapez son numéro ou touchez-le" }[by]}. Tracez ce qui manque.`,
  hintOne: (by) =>
    `Les cadres en tirets sont les suggestions d’un modèle, certaines fausses. Pour en accepter une juste, ${{ click: "tapez son numéro ou cliquez dessus", tap: "touchez son numéro", both: "tapez son numéro ou touchez-le" }[by]}. Si aucune n’est juste, tracez votre propre cadre.`,
  list: "Suggestions et cadres",
  one: (n, words) => `Suggestion ${n}, ${words}`,
  discard: (n) => `Rejeter la suggestion ${n}`,
  accepted: (n, where) => `La suggestion ${n} est acceptée\u202f: ${where}.`,
  discarded: (n) => `La suggestion ${n} est rejetée.`,
  open: (n) => `La suggestion ${n} n’est plus acceptée.`,
  removed: (n) => `Le cadre ${n} est supprimé.`,
  again: (n) => (n === 1 ? "Afficher la suggestion rejetée" : `Afficher ${n} suggestions rejetées`),
  nothing: "Acceptez une suggestion ou tracez un cadre. Si aucun n’est requis, dites-le.",
} satisfies Suggestions;
