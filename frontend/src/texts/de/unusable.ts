import type { Unusable } from "../catalogue";

export default {
  ask: "Ist das Foto unbrauchbar?",
  note: "Es lädt nicht, oder man erkennt nichts. Jemand anderes wird gefragt.",
  paid: "Die Seite wird trotzdem bezahlt.",
  yes: "Ja, unbrauchbar",
  other: "Andere Antwort",
} satisfies Unusable;
