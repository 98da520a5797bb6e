import type { Pointing } from "../pointer";
import type { Catalogue } from "../catalogue";

const boxes = (n: number): string => (n === 1 ? "1 Rahmen" : `${n} Rahmen`);

export default {
  link: {
    name: "Gleich oder verschieden",
    question: "Meinen die markierten Wörter dasselbe?",
  },
  verification: {
    name: "Gruppe prüfen",
    question: "Meinen alle markierten Wörter dasselbe?",
  },
  requirement: {
    name: "Rahmen oder nicht",
    question: "Lässt sich für die markierten Wörter ein Rahmen ziehen?",
  },
  drawing: {
    name: "Rahmen ziehen",
    question: "Einen Rahmen um ein Ding ziehen, das die markierten Wörter nennen und das noch keinen hat.",
    method: "Art zu zeichnen",
    ways: { extreme: "Vier Punkte", drag: "Ziehen" },
    extreme: (by: Pointing, n: number): string =>
      `${n === 0 ? "Oberes, unteres, linkes und rechtes Ende eines Dings" : n === 3 ? "Den letzten Punkt" : "Den nächsten Punkt"} ${{ click: "anklicken", tap: "antippen", both: "anklicken oder antippen" }[by]}: ${n} von 4.`,
    drag: "Von einer Ecke zur gegenüberliegenden ziehen.",
    adjust: "Die Kanten verschieben, bis der Rahmen eng sitzt, dann bestätigen.",
    confirm: "Rahmen bestätigen",
    drawn: (width: number, height: number): string => `Ein neuer Rahmen, ${width} × ${height} Pixel`,
  },
  quality: {
    name: "Rahmen beurteilen",
    question: "Ist der neue Rahmen gut für die markierten Wörter?",
  },
  coverage: {
    name: "Alle Rahmen da",
    question: "Sind alle Rahmen da, die die markierten Wörter brauchen?",
  },
  boxes: {
    name: "Alle Rahmen ziehen",
  },
  check: {
    name: "Alle Rahmen prüfen",
  },
  writing: {
    name: "Bildtext schreiben",
  },
  caption_check: {
    name: "Bildtext prüfen",
    question: "Beschreibt der Bildtext das Foto?",
  },
  grading: {
    name: "Bildtext benoten",
    question: "Wie gut beschreibt der Bildtext das Foto?",
  },
  relevance: {
    name: "Bildtexte zuordnen",
  },
  choices: {
    same: { label: "Ja, dasselbe", note: "" },
    different: { label: "Nein", note: "" },
    allSame: { label: "Ja, alle dasselbe", note: "" },
    notAll: { label: "Nein, nicht alle", note: "" },
    box: { label: "Ein Rahmen ist möglich", note: "Um mindestens ein Ding, das zu sehen ist" },
    scene: { label: "Szene oder Ort", note: "Die ganze Umgebung, etwa ein Park" },
    nobox: { label: "Kein Rahmen", note: "Nicht zu sehen" },
    noneNeeded: { label: "Kein Rahmen nötig", note: "" },
    noFurther: { label: "Kein weiterer Rahmen nötig", note: "" },
    good: { label: "Gut", note: "" },
    bad: { label: "Schlecht", note: "" },
    complete: { label: "Ja, alle sind da", note: "" },
    missing: { label: "Nein, nicht alle", note: "" },
    describes: { label: "Beschreibt es", note: "" },
    minor: { label: "Kleine Fehler", note: "Etwa falsche Farbe, Zahl oder Grammatik" },
    wrong: { label: "Beschreibt es nicht", note: "" },
    unrelated: { label: "Ohne Bezug", note: "Nichts davon ist auf dem Foto" },
    somewhat: { label: "Etwas Bezug", note: "Manches davon ist auf dem Foto" },
    nearly: { label: "Mit kleinen Fehlern", note: "Nur Einzelheiten sind falsch" },
    exactly: { label: "Ohne Fehler", note: "" },
  },
  unusable: { label: "Foto unbrauchbar" },
  unsure: {
    label: "Weiß nicht",
    note: "Jemand anderes wird gefragt. Bei bekannter Antwort zählt „Weiß nicht“ als falsch.",
  },
  left: (n: number): string => `auf dieser Seite noch ${n}`,
  unanswered: "Noch nicht beantwortet",
  unavailable: "Die Anleitung lädt nicht. Bitte schließen und noch einmal öffnen.",
  more: "Nächster Bildtext",
  unread: "Bitte zuerst alle Bildtexte lesen. Hier ist der nächste.",
  photograph: "Das Foto",
  matter: "Bildtexte und Anmerkungen",
  answers: "Ihre Antwort",
  mentionBegins: "[markiert:",
  mentionEnds: "Ende der Markierung]",
  shownBoxes: {
    newOne: "Neuer Rahmen",
    accepted: (n: number): string => (n === 0 ? "bisher kein Rahmen" : `bisher ${boxes(n)}`),
    numbered: (n: number): string => `Rahmen ${n}`,
    at: (field: string, left: number, right: number, top: number, bottom: number): string =>
      `${field}, von ${left} bis ${right} Prozent der Breite, ${top} bis ${bottom} Prozent der Höhe`,
    fields: {
      topLeft: "oben links",
      topCentre: "oben in der Mitte",
      topRight: "oben rechts",
      middleLeft: "links",
      middleCentre: "in der Mitte",
      middleRight: "rechts",
      bottomLeft: "unten links",
      bottomCentre: "unten in der Mitte",
      bottomRight: "unten rechts",
    },
  },
  remark: {
    flag: "Falsch abgegrenzt",
    flagNote: "Die markierten Wörter sind zu wenige, zu viele oder die falschen.",
    unrelated: "Gehört zu anderem Foto",
    unrelatedNote: "Der Satz beschreibt ein anderes Foto. Bitte trotzdem antworten.",
    comment: "Anmerkung",
    commentLabel: "Anmerkung zu dieser Frage",
    placeholder: "Was sollten die Forschenden wissen?",
  },
} satisfies Catalogue["stages"];
