import type { SuggestionKeys } from "../catalogue";

export default {
  accept:
    "Aceptar la sugerencia del modelo con este número. Algunas sugerencias son incorrectas, y algunas cosas no tienen ninguna: acepta una solo si está tan ajustada como lo estaría tu propio recuadro, o mueve después sus bordes",
  walk: "Ir a una sugerencia de la lista. Enter la acepta",
  discard: "En la lista: descartar la sugerencia",
} satisfies SuggestionKeys;
