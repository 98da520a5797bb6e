import type { Catalogue } from "../catalogue";

export default {
  zoom: "Taille de la photo",
  closer: "Plus près",
  wider: "Moins près",
  all: "Tout afficher",
  hide: "Masquer les cadres",
  boxes: "Cadres",
  coming: "La photo arrive.",
  none: "Cette photo manque. Écrivez une remarque, ou rendez la page.",
  broken: "La photo ne peut pas être chargée.",
  misfit: "Cette photo n’a pas la bonne forme. Écrivez une remarque, ou rendez la page.",
  again: "Réessayer",
  tools: "Le cadre",
  newBox: "Nouveau cadre",
  undo: "Annuler",
  redo: "Rétablir",
  remove: "Supprimer le cadre",
  magnifier: "Loupe",
  boxIs: (l, t, r, b, width, height) =>
    `Cadre de ${l}, ${t} à ${r}, ${b}\u202f: ${width} de large, ${height} de haut.`,
  finished: "Il y a déjà un cadre. Tirez ses bords, ou supprimez-le (✕).",
  noBox: "Aucun cadre.",
  tooSmall: (side) => `Cadre trop petit\u202f: au moins ${side} px par côté.`,
} satisfies Catalogue["surface"];
