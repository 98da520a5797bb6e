import type { Catalogue } from "../index.svelte";

const plural = new Intl.PluralRules("de");
const number = new Intl.NumberFormat("de");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  title: (page) => `${page} · Groundcrew`,
  close: "Schließen",
  cancel: "Abbrechen",
  reload: "Neu laden",
  retry: "Noch einmal versuchen",
  home: "Alle Aufgaben",
  loading: "Wird geladen …",
  list: {
    heading: "Aufgaben",
    tagline: "Fotos ansehen und kleine Fragen dazu beantworten.",
    worker: (name, project) => `Angemeldet als ${name} in ${project}.`,
    earned: "Bisher verdient",
    mine: "Ihre Seite",
    pay: (amount) => `${amount} je Seite`,
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
    begin: "Zu den Fragen",
    aside: (stage, answers) =>
      `${stage}: ${count(answers, "Antwort konnte", "Antworten konnten")} nicht zugestellt werden.`,
    acknowledge: "Löschen",
    pictures: "Laden die Bilder nicht?",
    refresh: "Neu holen",
  },
  overview: {
    heading: "Ihre Antworten",
    ready: "Bitte durchsehen. Eine Antwort auswählen, um sie zu ändern.",
    missing: (n) => `${count(n, "Frage ist", "Fragen sind")} noch nicht beantwortet.`,
    submit: "Seite senden",
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
    failedWords: "Ihre Antworten sind auf diesem Gerät aufbewahrt.",
  },
  signin: {
    heading: "Anmelden",
    words:
      "Diese Seiten öffnen sich mit einem persönlichen Link. Bitte den Link oder das Token daraus einfügen.",
    kept: "Ihr Zugang ist abgelaufen oder wurde geändert. Ihre Antworten sind aufbewahrt: Mit einem neuen Link geht es da weiter, wo Sie waren.",
    field: "Link oder Token",
    go: "Anmelden",
    empty: "Bitte zuerst den Link einfügen.",
    wrong: "Das ist kein Link für diese Seiten. Bitte ganz kopieren und noch einmal einfügen.",
    noLink: "Kein Link zur Hand? Wer Sie eingeladen hat, kann einen neuen schicken.",
  },
  me: {
    heading: "Ihre Seite",
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
    title: (stage) => `Vorschau: ${stage}`,
    banner: "Dies ist eine Vorschau: Nichts wird gesendet, aufbewahrt oder bezahlt.",
    done: "Das war die Vorschau",
    doneWords: "Nichts wurde gesendet. Nach einer eigenen Seite steht hier, was Sie verdient haben.",
    again: "Noch einmal",
    toWork: "Mit der Arbeit beginnen",
  },
  unknown: {
    heading: "Diese Seite gibt es nicht",
    words: "Die Adresse ist womöglich abgeschnitten. Alle Aufgaben stehen auf der ersten Seite.",
  },
  crash: {
    heading: "Auf dieser Seite ist etwas kaputtgegangen",
    words: "Ihre Antworten sind aufbewahrt. Nach dem Neuladen geht es da weiter, wo Sie waren.",
    load: "Diese Seite konnte nicht geladen werden",
    loadWords: "Womöglich fehlt die Verbindung. Ihre Antworten sind aufbewahrt.",
  },
} satisfies Catalogue["pages"];
