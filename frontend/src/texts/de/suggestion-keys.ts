import type { SuggestionKeys } from "../catalogue";

export default {
  accept:
    "Den Vorschlag mit dieser Nummer annehmen. Manche Vorschläge eines Modells sind falsch, manchmal fehlt einer: nur annehmen, was so eng sitzt wie ein eigener Rahmen, oder danach die Kanten verschieben",
  walk: "Zu einem Vorschlag in der Liste gehen. Enter nimmt ihn an",
  discard: "In der Liste: den Vorschlag verwerfen",
} satisfies SuggestionKeys;
