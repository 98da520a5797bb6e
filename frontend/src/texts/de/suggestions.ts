import type { Suggestions } from "../catalogue";

export default {
  hint: (by) =>
    `Gestrichelte Rahmen schlägt ein Modell vor, manche falsch. Was stimmt, annehmen: seine Nummer ${{ click: "drücken oder anklicken", tap: "antippen", both: "drücken oder antippen" }[by]}. Was fehlt, selbst umrahmen.`,
  hintOne: (by) =>
    `Gestrichelte Rahmen schlägt ein Modell vor, manche falsch. Stimmt einer, ihn annehmen: seine Nummer ${{ click: "drücken oder anklicken", tap: "antippen", both: "drücken oder antippen" }[by]}. Stimmt keiner, selbst einen Rahmen ziehen.`,
  list: "Vorschläge und Rahmen",
  one: (n, words) => `Vorschlag ${n}, ${words}`,
  discard: (n) => `Vorschlag ${n} verwerfen`,
  accepted: (n, where) => `Vorschlag ${n} ist angenommen: ${where}.`,
  discarded: (n) => `Vorschlag ${n} ist verworfen.`,
  open: (n) => `Vorschlag ${n} ist nicht mehr angenommen.`,
  removed: (n) => `Rahmen ${n} ist entfernt.`,
  again: (n) => (n === 1 ? "Den verworfenen Vorschlag zeigen" : `${n} verworfene Vorschläge zeigen`),
  nothing: "Zuerst einen Vorschlag annehmen oder Rahmen ziehen. Ist keiner nötig, das sagen.",
} satisfies Suggestions;
