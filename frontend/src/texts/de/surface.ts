import type { Catalogue } from "../catalogue";

export default {
  zoom: "Größe des Fotos",
  closer: "Näher",
  wider: "Weniger nah",
  all: "Ganz zeigen",
  hide: "Rahmen ausblenden",
  boxes: "Rahmen",
  coming: "Das Foto ist unterwegs.",
  none: "Dieses Foto fehlt. Bitte einen Kommentar schreiben oder die Seite zurückgeben.",
  broken: "Das Foto lässt sich nicht laden.",
  misfit: "Dieses Foto hat die falsche Form. Bitte einen Kommentar schreiben oder die Seite zurückgeben.",
  again: "Noch einmal versuchen",
  tools: "Der Rahmen",
  newBox: "Neuer Rahmen",
  undo: "Rück\u00adgängig",
  redo: "Wieder\u00adholen",
  remove: "Rahmen entfernen",
  magnifier: "Lupe",
  boxIs: (l, t, r, b, width, height) =>
    `Rahmen von ${l}, ${t} bis ${r}, ${b}: ${width} breit, ${height} hoch.`,
  finished: "Es gibt schon einen Rahmen. Verschieben oder entfernen (✕).",
  noBox: "Kein Rahmen.",
  tooSmall: (side) => `Dieser Rahmen ist zu klein: Jede Seite braucht mindestens ${side} Pixel.`,
} satisfies Catalogue["surface"];
