import type { Pointing } from "../pointer";
import type { Catalogue } from "../catalogue";

const boxes = (n: number): string => (n === 1 ? "1 recuadro" : `${n} recuadros`);

export default {
  link: {
    name: "Igual o distinto",
    question: "¿Las palabras marcadas se refieren a lo mismo?",
  },
  verification: {
    name: "Revisar un grupo",
    question: "¿Todas las palabras marcadas se refieren a lo mismo?",
  },
  requirement: {
    name: "Recuadro o no",
    question: "¿Se puede dibujar un recuadro para las palabras marcadas?",
  },
  drawing: {
    name: "Dibujar un recuadro",
    question:
      "Dibuja un recuadro alrededor de una cosa que nombran las palabras marcadas y que aún no tiene ninguno.",
    method: "Cómo dibujar",
    ways: { extreme: "Cuatro puntos", drag: "Arrastrar" },
    extreme: (by: Pointing, n: number): string =>
      `${{ click: "Haz clic en", tap: "Toca", both: "Toca o haz clic en" }[by]} ${n === 0 ? "los extremos de una cosa, arriba, abajo, izquierda y derecha" : n === 3 ? "el último punto" : "el siguiente punto"}: ${n} de 4.`,
    drag: "Arrastra de una esquina a la opuesta.",
    adjust: "Mueve los bordes hasta que el recuadro quede ajustado y luego confírmalo.",
    confirm: "Confirmar recuadro",
    drawn: (width: number, height: number): string => `Un recuadro nuevo, ${width} × ${height} píxeles`,
  },
  quality: {
    name: "Evaluar un recuadro",
    question: "¿Está bien el recuadro nuevo para las palabras marcadas?",
  },
  coverage: {
    name: "Ver si faltan recuadros",
    question: "¿Están todos los recuadros que necesitan las palabras marcadas?",
  },
  boxes: {
    name: "Dibujar todos los recuadros",
  },
  check: {
    name: "Revisar todos los recuadros",
  },
  writing: {
    name: "Escribir una descripción",
  },
  caption_check: {
    name: "Revisar una descripción",
    question: "¿La descripción describe la foto?",
  },
  grading: {
    name: "Puntuar una descripción",
    question: "¿Qué tan bien describe la foto la descripción?",
  },
  relevance: {
    name: "Relacionar descripciones",
  },
  choices: {
    same: { label: "Sí, lo mismo", note: "" },
    different: { label: "No", note: "" },
    allSame: { label: "Sí, todas", note: "" },
    notAll: { label: "No, no todas", note: "" },
    box: { label: "Recuadro posible", note: "Alrededor de al menos una cosa que se ve" },
    scene: { label: "Escena o lugar", note: "Todo el entorno, por ejemplo un parque" },
    nobox: { label: "Sin recuadro", note: "No está en la imagen, o no es algo que se pueda ver" },
    noneNeeded: { label: "No hace falta recuadro", note: "" },
    noFurther: { label: "No hacen falta más recuadros", note: "" },
    good: { label: "Bien", note: "" },
    bad: { label: "Mal", note: "" },
    complete: { label: "Sí, están todos", note: "" },
    missing: { label: "No, no todos", note: "" },
    describes: { label: "La describe", note: "" },
    minor: {
      label: "Errores leves",
      note: "Por ejemplo, un color o un número equivocado, o mala gramática",
    },
    wrong: { label: "No la describe", note: "" },
    unrelated: { label: "Sin relación", note: "Nada de lo que dice está en la foto" },
    somewhat: { label: "Algo de relación", note: "Una parte de lo que dice está en la foto" },
    nearly: { label: "Con errores leves", note: "Solo hay detalles incorrectos" },
    exactly: { label: "Sin errores", note: "" },
  },
  unusable: { label: "Foto inservible" },
  unsure: {
    label: "No lo sé",
    note: "Se pregunta a otra persona. Si la respuesta a la pregunta se conoce de antemano, «No lo sé» cuenta como respuesta incorrecta.",
  },
  left: (n: number): string => `${n === 1 ? "queda" : "quedan"} ${n} en esta página`,
  unanswered: "Aún sin responder",
  unavailable:
    "No se pudieron cargar las instrucciones. Puede que no haya conexión: ciérralas e inténtalo de nuevo.",
  more: "Siguiente descripción",
  unread: "Lee primero todas las descripciones. Aquí está la siguiente.",
  photograph: "La foto",
  matter: "Descripciones y observaciones",
  answers: "Tu respuesta",
  mentionBegins: "[marcado:",
  mentionEnds: "fin de la marca]",
  shownBoxes: {
    newOne: "Recuadro nuevo",
    accepted: (n: number): string => (n === 0 ? "Ningún recuadro hasta ahora" : `${boxes(n)} hasta ahora`),
    numbered: (n: number): string => `Recuadro ${n}`,
    at: (field: string, left: number, right: number, top: number, bottom: number): string =>
      `${field}, del ${left} al ${right} por ciento del ancho, del ${top} al ${bottom} por ciento del alto`,
    fields: {
      topLeft: "arriba a la izquierda",
      topCentre: "arriba en el centro",
      topRight: "arriba a la derecha",
      middleLeft: "a la izquierda",
      middleCentre: "en el centro",
      middleRight: "a la derecha",
      bottomLeft: "abajo a la izquierda",
      bottomCentre: "abajo en el centro",
      bottomRight: "abajo a la derecha",
    },
  },
  remark: {
    flag: "Palabras mal marcadas",
    flagNote:
      "Las palabras marcadas no son una expresión completa: son demasiado pocas, demasiadas o no son las correctas.",
    unrelated: "De otra foto",
    unrelatedNote: "La descripción es de otra foto. La pregunta se responde igualmente.",
    comment: "Comentario",
    commentLabel: "Comentario sobre esta pregunta",
    placeholder: "¿Qué debería saber el equipo investigador?",
  },
} satisfies Catalogue["stages"];
