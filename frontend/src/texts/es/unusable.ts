import type { Unusable } from "../catalogue";

export default {
  ask: "¿La foto es inservible?",
  note: "No carga, o no se distingue nada. Se pregunta a otra persona.",
  paid: "La página se paga igualmente.",
  yes: "Sí, inservible",
  other: "Otra respuesta",
} satisfies Unusable;
