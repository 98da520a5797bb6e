import type { Catalogue } from "../catalogue";

export default {
  saved: "Auf diesem Gerät gesichert.",
  saving: "Wird gesichert …",
  memory: "Dieser Browser sichert keine Antworten. Lassen Sie diesen Tab offen, bis die Seite gesendet ist.",
  offline: "Kein Netz. Weiterarbeiten geht: Die Antworten bleiben hier gesichert.",
  unreachable: "Der Server antwortet nicht. Es wird von selbst wieder versucht.",
  waiting: (n: number) =>
    n === 1
      ? "Eine Seite mit Antworten wartet auf das Netz. Sie ist gesichert und wird von selbst gesendet."
      : `${n} Seiten mit Antworten warten auf das Netz. Sie sind gesichert und werden von selbst gesendet.`,
  soon: (minutes: number) =>
    `Diese Seite gehört noch ${minutes === 1 ? "eine Minute" : `${minutes} Minuten`} Ihnen. Weiterarbeiten verlängert die Zeit.`,
  over: "Die Zeit für diese Seite ist um. Senden Sie sie trotzdem: Was noch gebraucht wird, zählt.",
  notice: () => "Das hat nicht geklappt. Die Antworten sind noch da.",
  problems: (n: number) =>
    n === 1
      ? "Eine Antwort konnte nicht angenommen werden. Ändern Sie sie, und senden Sie noch einmal."
      : `${n} Antworten konnten nicht angenommen werden. Ändern Sie sie, und senden Sie noch einmal.`,
  aside: (n: number) =>
    `${n === 1 ? "Eine Antwort konnte" : `${n} Antworten konnten`} nicht zugestellt werden. Die Antworten bleiben hier, bis Sie das gesehen haben.`,
} satisfies Catalogue["work"];
