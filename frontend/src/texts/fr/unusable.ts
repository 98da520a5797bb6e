import type { Unusable } from "../catalogue";

export default {
  ask: "La photo est-elle inutilisable\u202f?",
  note: "Elle ne se charge pas, ou on n’y voit rien. Quelqu’un d’autre sera interrogé.",
  paid: "La page est payée quand même.",
  yes: "Oui, inutilisable",
  other: "Autre réponse",
} satisfies Unusable;
