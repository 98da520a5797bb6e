import type { Catalogue } from "../catalogue";

export default {
  zoom: "Tamaño de la foto",
  closer: "Acercar",
  wider: "Alejar",
  all: "Ver entera",
  hide: "Ocultar los recuadros",
  boxes: "Recuadros",
  coming: "La foto está en camino.",
  none: "Falta esta foto. Escribe un comentario o devuelve la página.",
  broken: "No se puede cargar la foto.",
  misfit: "Esta foto no tiene la forma correcta. Escribe un comentario o devuelve la página.",
  again: "Reintentar",
  tools: "El recuadro",
  newBox: "Recuadro nuevo",
  undo: "Deshacer",
  redo: "Rehacer",
  remove: "Quitar el recuadro",
  magnifier: "Lupa",
  boxIs: (l, t, r, b, width, height) =>
    `Recuadro de ${l}, ${t} a ${r}, ${b}: ${width} de ancho, ${height} de alto.`,
  finished: "Ya hay un recuadro. Mueve sus bordes, o quítalo (✕).",
  noBox: "Ningún recuadro.",
  tooSmall: (side) =>
    `Recuadro demasiado pequeño: cada lado necesita ${side === 1 ? "1 píxel" : `${side} píxeles`} o más.`,
} satisfies Catalogue["surface"];
