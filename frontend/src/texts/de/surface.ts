import type { Catalogue } from "../catalogue";

export default {
  zoom: "Größe des Fotos",
  closer: "Näher",
  wider: "Weniger nah",
  all: "Ganz zeigen",
  hide: "Rahmen ausblenden",
  coming: "Das Foto ist unterwegs.",
  none: "Dieses Foto fehlt. Bitte einen Kommentar schreiben oder die Seite zurückgeben.",
  broken: "Das Foto lässt sich nicht laden.",
  misfit:
    "Dieses Foto hat eine andere Form, als es sollte. Bitte einen Kommentar schreiben oder die Seite zurückgeben.",
  again: "Noch einmal versuchen",
  tools: "Der Rahmen",
  newBox: "Neuer Rahmen",
  undo: "Rückgängig",
  redo: "Wiederholen",
  remove: "Rahmen entfernen",
  magnifier: "Lupe",
  size: (width, height) => `${width} × ${height} Pixel`,
  boxIs: (l, t, r, b, width, height) =>
    `Rahmen von ${l}, ${t} bis ${r}, ${b}: ${width} breit, ${height} hoch.`,
  finished: "Es gibt schon einen Rahmen. Seine Kanten lassen sich ziehen, ✕ entfernt ihn.",
  noBox: "Kein Rahmen.",
  tooSmall: (side) => `Dieser Rahmen ist zu klein: Jede Seite braucht mindestens ${side} Pixel.`,
} satisfies Catalogue["surface"];
