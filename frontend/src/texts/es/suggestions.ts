import type { Suggestions } from "../catalogue";

export default {
  hint: (by) =>
    `Los recuadros de línea discontinua son sugerencias de un modelo; algunas son incorrectas. Acepta las correctas: ${{ click: "pulsa su número o haz clic en él", tap: "toca su número", both: "pulsa o toca su número" }[by]}. Dibuja lo que falte.`,
  hintOne: (by) =>
    `Los recuadros de línea discontinua son sugerencias de un modelo; algunas son incorrectas. Para aceptar una correcta, ${{ click: "pulsa su número o haz clic en él", tap: "toca su número", both: "pulsa o toca su número" }[by]}. Si ninguna es correcta, dibuja tu propio recuadro.`,
  list: "Sugerencias y recuadros",
  one: (n, words) => `Sugerencia ${n}, ${words}`,
  discard: (n) => `Descartar la sugerencia ${n}`,
  accepted: (n, where) => `La sugerencia ${n} está aceptada: ${where}.`,
  discarded: (n) => `La sugerencia ${n} está descartada.`,
  open: (n) => `La sugerencia ${n} ya no está aceptada.`,
  removed: (n) => `El recuadro ${n} se quitó.`,
  again: (n) => (n === 1 ? "Mostrar la sugerencia descartada" : `Mostrar ${n} sugerencias descartadas`),
  nothing: "Primero acepta una sugerencia o dibuja un recuadro. Si no hace falta, dilo.",
} satisfies Suggestions;
