import type { Catalogue } from "../index.svelte";

const plural = new Intl.PluralRules("de");
const number = new Intl.NumberFormat("de");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  /** The titles of the pages. Links to the pages use them, too. */
  titles: {
    home: "Aufgaben",
    me: "Ihre Seite",
    join: "Einladung",
    unknown: "Diese Seite gibt es nicht",
    preview: (stage) => `Vorschau: ${stage}`,
  },
  mine: "Ihre Seite",
  pay: (worth) => `Je Seite: ${worth}`,
  byItem: (worth) => `Je volle Seite: ${worth}; kürzere bringen weniger`,
  anHour: (amount) => `${amount} pro Stunde`,
  questions: (n) => count(n, "Frage", "Fragen"),
  title: (page) => `${page} · Groundcrew`,
  close: "Schließen",
  cancel: "Abbrechen",
  reload: "Neu laden",
  retry: "Noch einmal versuchen",
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
    giveBackTitle: "Diese Seite zurückgeben?",
    giveBackWords: (answered) =>
      answered === 0
        ? "Andere bekommen diese Fragen."
        : `Andere bekommen diese Fragen. ${count(answered, "Antwort wird", "Antworten werden")} verworfen, und für diese Seite wird nichts bezahlt.`,
    keep: "Behalten",
    more: "Mehr",
    changed: "Diese Anleitung hat sich seit dem letzten Lesen geändert.",
    begin: "Zu den Fragen",
    aside: (stage, answers) =>
      `${stage}: ${count(answers, "Antwort konnte", "Antworten konnten")} nicht zugestellt werden: Die Seite gehört Ihnen nicht mehr.`,
    acknowledge: "Löschen",
    pictures: "Laden die Bilder nicht?",
    refresh: "Neu holen",
  },
  overview: {
    heading: "Ihre Antworten",
    ready: "Bitte durchsehen. Eine Antwort auswählen, um sie zu ändern.",
    missing: (n) => `${count(n, "Frage ist", "Fragen sind")} noch nicht beantwortet.`,
    submit: "Seite senden",
    sendsIn: (seconds) => `Diese Seite wird in ${count(seconds, "Sekunde", "Sekunden")} gesendet.`,
    hold: "Noch nicht senden",
    held: "Die Seite wird nicht gesendet. Senden Sie sie, wenn Sie so weit sind.",
    toMissing: "Zur nächsten offenen Frage",
    commented: "mit Kommentar",
    flagged: "falsche Wörter markiert",
  },
  phase: {
    sending: "Ihre Antworten werden gesendet …",
    sendingOffline:
      "Keine Verbindung. Die Antworten sind aufbewahrt und werden gesendet, sobald sie wieder da ist: Diese Seite kann geschlossen werden.",
    done: "Seite erledigt",
    doneWords: (n) => `${count(n, "Antwort", "Antworten")} angenommen. Vielen Dank.`,
    late: (n) =>
      `${count(n, "kam", "kamen")} zu spät und ${n === 1 ? "wird" : "werden"} nicht mehr gebraucht.`,
    reward: "Für diese Seite",
    session: "In dieser Sitzung",
    next: "Nächste Seite",
    nothing: "Hier ist zurzeit nichts zu tun",
    nothingWords:
      "Neue Seiten entstehen, während andere weitermachen. Diese Seite fragt von selbst wieder nach.",
    ask: "Jetzt nachfragen",
    elsewhere: "In einem anderen Tab geöffnet",
    elsewhereWords:
      "Diese Seite wird in einem anderen Tab oder Fenster bearbeitet. Nur eines davon kann sie ändern.",
    takeOver: "Hier weitermachen",
    returned: "Seite zurückgegeben",
    returnedWords: "Andere bekommen jetzt ihre Fragen.",
    refused: "Diese Aufgabe ist für Sie geschlossen",
    refusedWords: "Auf Ihrer Seite steht, wie die Forschenden zu erreichen sind.",
    failed: "Das hat nicht geklappt",
    failedWords: "Ihre Antworten sind auf diesem Gerät aufbewahrt. Es wird von selbst wieder versucht.",
  },
  signin: {
    heading: "Anmelden",
    words:
      "Diese Seiten öffnen sich mit einem persönlichen Link. Bitte den Link oder das Token daraus einfügen.",
    kept: "Sie wurden abgemeldet, weil Ihr Zugang abgelaufen ist oder geändert wurde. Ihre Antworten sind auf diesem Gerät aufbewahrt. Bitte öffnen Sie Ihren neuesten Link oder Ihre Einladung noch einmal. Dann geht es da weiter, wo Sie waren.",
    ended:
      "Sie wurden abgemeldet, weil Ihr Zugang abgelaufen ist oder geändert wurde. Bitte öffnen Sie Ihren neuesten Link oder Ihre Einladung noch einmal.",
    field: "Link oder Token",
    go: "Anmelden",
    empty: "Bitte zuerst den Link einfügen.",
    wrong: "Das ist kein Link für diese Seiten. Bitte ganz kopieren und noch einmal einfügen.",
    noLink: "Kein Link zur Hand, oder geht er nicht mehr? Wer Sie eingeladen hat, kann einen neuen schicken.",
    researchers: "Forschende melden sich hier an",
  },
  crash: {
    heading: "Auf dieser Seite ist etwas kaputtgegangen",
    words: "Ihre Antworten sind aufbewahrt. Nach dem Neuladen geht es da weiter, wo Sie waren.",
    load: "Diese Seite konnte nicht geladen werden",
    loadWords: "Womöglich fehlt die Verbindung. Ihre Antworten sind aufbewahrt.",
  },
} satisfies Catalogue["pages"];
