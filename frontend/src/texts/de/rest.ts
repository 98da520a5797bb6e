import type { Rest } from "../index.svelte";

const plural = new Intl.PluralRules("de");
const number = new Intl.NumberFormat("de");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  list: {
    tagline: "Fotos ansehen und kleine Fragen dazu beantworten.",
    worker: (name, project) => `Angemeldet als ${name} in ${project}.`,
    earned: "Bisher verdient",
    waiting: "Arbeit wartet",
    goOn: "Weitermachen",
    none: "Zurzeit nichts zu tun",
    blocked: "Für Sie geschlossen",
    draft: (answered, items) => `Angefangene Seite: ${answered} von ${items} beantwortet`,
    unsent: "Eine Seite wartet auf das Absenden",
    pages: (n) => count(n, "Seite erledigt", "Seiten erledigt"),
    preview: "Vorschau",
    previewOf: (stage) => `Vorschau von „${stage}“`,
    look: "Oder die Aufgaben zuerst ansehen",
    key: "Die Zifferntaste einer Aufgabe öffnet sie.",
    empty:
      "Im Moment ist nichts zu tun. Neue Arbeit entsteht, während andere weitermachen: bitte später nachsehen.",
    closed:
      "Alle Aufgaben sind für Sie geschlossen. Auf Ihrer Seite steht, wie die Forschenden zu erreichen sind.",
    offline: "Keine Verbindung. Die Angaben sind womöglich alt; angefangene Seiten lassen sich bearbeiten.",
    failed: "Die Liste konnte nicht geladen werden.",
  },
  settings: {
    language: "Sprache",
    theme: "Farben",
    auto: "Wie das Gerät",
    light: "Hell",
    dark: "Dunkel",
    keys: "Einzelne Tasten antworten",
  },
  me: {
    worker: (name, project) => `${name}, in ${project}`,
    earned: "Verdient",
    nothing: "Noch nichts",
    done: "Was Sie getan haben",
    task: "Aufgabe",
    pages: "Seiten",
    judgments: "Antworten",
    time: "Zeit",
    average: "Je Seite",
    total: "Zusammen",
    standing: "Ihr Stand",
    open: "Offen: Seiten dieser Aufgabe stehen Ihnen zu.",
    openNone: "Offen: Seiten dieser Aufgabe stehen Ihnen zu. Zurzeit gibt es darin nichts zu tun.",
    blocked:
      "Geschlossen: Die Forschenden haben diese Aufgabe für Sie geschlossen. Bitte dort nach dem Grund fragen.",
    qualifications: "Qualifikationen",
    noTest: "Für diese Aufgabe ist kein Test nötig.",
    noTests: "Für keine der Aufgaben, die Ihnen offenstehen, ist ein Test nötig.",
    contact: "Fragen?",
    contactWords: "Fragen zur Arbeit, zur Bezahlung und zu geschlossenen Aufgaben beantwortet:",
    noContact: "Hier wurde keine Adresse angegeben. Bitte dort fragen, wo der Link herkam.",
    device: "Auf diesem Gerät",
    deviceWords:
      "Dieser Browser bewahrt Ihren Zugang auf, die gewählte Sprache und Farben, welche Anleitungen Sie gesehen haben, und Antworten, die noch nicht gesendet sind. Antworten werden gelöscht, sobald der Server sie hat. Sonst wird nichts aufbewahrt, und Cookies gibt es keine.",
    signOut: "Auf diesem Gerät abmelden",
    signOutTitle: "Auf diesem Gerät abmelden?",
    signOutWords: "Um wiederzukommen, brauchen Sie Ihren Link.",
    drafts: "Noch nicht gesendet:",
    draft: (stage, answered, items) => `${stage}: ${answered} von ${items} beantwortet`,
    forget: "Auch diese Antworten löschen",
    keepNote: "Sonst bleiben sie auf diesem Gerät und sind nach dem nächsten Anmelden hier wieder da.",
    signedOut: "Sie sind abgemeldet.",
    failed: "Ihre Seite konnte nicht geladen werden.",
    duration: (seconds) => {
      const minutes = Math.round(seconds / 60);
      if (seconds < 60) return `${Math.round(seconds)} s`;
      return minutes < 60 ? `${minutes} Min.` : `${Math.floor(minutes / 60)} Std. ${minutes % 60} Min.`;
    },
    none: "–",
  },
  preview: {
    banner: "Dies ist eine Vorschau: Nichts wird gesendet, aufbewahrt oder bezahlt.",
    done: "Das war die Vorschau",
    doneWords: "Nichts wurde gesendet. Nach einer eigenen Seite steht hier, was Sie verdient haben.",
    again: "Noch einmal",
    toWork: "Mit der Arbeit beginnen",
  },
  unknown: {
    words: "Die Adresse ist womöglich abgeschnitten. Alle Aufgaben stehen auf der ersten Seite.",
  },
} satisfies Rest;
