import type { Catalogue } from "../catalogue";

const plural = new Intl.PluralRules("de");
const number = new Intl.NumberFormat("de");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  direction: "ltr",
  /** The titles of the pages. Links to the pages use them, too. */
  titles: {
    home: "Aufgaben",
    me: "Ihr Konto",
    join: "Einladung",
    unknown: "Diese Seite gibt es nicht",
    preview: (stage) => `Vorschau: ${stage}`,
  },
  mine: "Ihr Konto",
  unpaid: "unbezahlt",
  anHour: (amount) => `${amount} pro Stunde`,
  questions: (n) => count(n, "Frage", "Fragen"),
  sent: "Seite gesendet",
  title: (page) => `${page} · Groundcrew`,
  close: "Schließen",
  cancel: "Abbrechen",
  reload: "Neu laden",
  retry: "Erneut versuchen",
  home: "Alle Aufgaben",
  loading: "Wird geladen …",
  progress: {
    label: "Fragen dieser Seite",
    item: (n, state) =>
      `Frage ${n}, ${{ answered: "beantwortet", open: "nicht beantwortet", problem: "zu verbessern" }[state]}`,
    count: (n, of) => `${n} von ${of}`,
    overview: "Übersicht",
  },
  stage: {
    question: (n, of) => `Frage ${n} von ${of}`,
    back: "Zurück",
    help: "Anleitung",
    giveBack: "Seite zurückgeben",
    more: "Mehr",
    changed: "Diese Anleitung wurde geändert.",
    begin: "Zu den Fragen",
  },
  crash: {
    heading: "Hier ging etwas kaputt",
    words: "Die Antworten sind noch da. Laden Sie die Seite neu.",
    load: "Die Seite lädt nicht",
    loadWords: "Womöglich fehlt die Verbindung. Die Antworten sind noch da.",
  },
} satisfies Catalogue["pages"];
