import type { SuggestionKeys } from "../catalogue";

export default {
  accept:
    "Accepter la suggestion du modèle qui porte ce numéro. Certaines suggestions sont fausses, et certaines choses n’en ont pas : n’en acceptez une que si elle est aussi ajustée que le serait votre propre cadre, ou tirez ensuite ses bords",
  walk: "Aller à une suggestion dans la liste. Entrée l’accepte",
  discard: "Dans la liste : rejeter la suggestion",
} satisfies SuggestionKeys;
