import type { Catalogue } from "../catalogue";

export default {
  saved: "Auf diesem Gerät gesichert.",
  saving: "Wird gesichert …",
  memory: "Dieser Browser sichert nichts. Lassen Sie den Tab bis zum Senden offen.",
  offline: "Kein Netz. Weiterarbeiten geht: Die Antworten bleiben hier gesichert.",
  unreachable: "Der Server antwortet nicht. Es wird weiter versucht.",
  waiting: (n: number) =>
    n === 1
      ? "Eine Seite mit Antworten wartet auf das Netz. Sie wird von selbst gesendet."
      : `${n} Seiten mit Antworten warten auf das Netz. Sie werden von selbst gesendet.`,
  soon: (minutes: number) =>
    `Diese Seite gehört noch ${minutes === 1 ? "eine Minute" : `${minutes} Minuten`} Ihnen. Weiterarbeiten verlängert die Zeit.`,
  over: "Die Zeit ist um. Senden Sie trotzdem: Was noch gebraucht wird, zählt.",
  notice: () => "Das hat nicht geklappt. Die Antworten sind noch da.",
  problems: (n: number) =>
    `${n === 1 ? "Eine Antwort wurde" : `${n} Antworten wurden`} nicht angenommen. Bitte ändern und noch einmal senden.`,
  aside: (n: number) =>
    `${n === 1 ? "Eine Antwort wurde" : `${n} Antworten wurden`} nicht zugestellt. Sie sind noch da.`,
} satisfies Catalogue["work"];
