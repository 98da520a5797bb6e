import type { Suggestions } from "../catalogue";

export default {
  hint: (by) =>
    `As caixas tracejadas são sugestões de um modelo; algumas estão erradas. Aceite as certas: ${{ click: "pressione o número ou clique nele", tap: "toque no número", both: "pressione o número ou toque nele" }[by]}. Desenhe o que faltar.`,
  hintOne: (by) =>
    `As caixas tracejadas são sugestões de um modelo; algumas estão erradas. Para aceitar uma certa, ${{ click: "pressione o número ou clique nele", tap: "toque no número", both: "pressione o número ou toque nele" }[by]}. Se nenhuma estiver certa, desenhe sua própria caixa.`,
  list: "Sugestões e caixas",
  one: (n, words) => `Sugestão ${n}, ${words}`,
  discard: (n) => `Descartar a sugestão ${n}`,
  accepted: (n, where) => `A sugestão ${n} está aceita: ${where}.`,
  discarded: (n) => `A sugestão ${n} está descartada.`,
  open: (n) => `A sugestão ${n} não está mais aceita.`,
  removed: (n) => `A caixa ${n} foi removida.`,
  again: (n) => (n === 1 ? "Mostrar a sugestão descartada" : `Mostrar ${n} sugestões descartadas`),
  nothing: "Aceite uma sugestão ou desenhe uma caixa. Se nenhuma for necessária, diga isso.",
} satisfies Suggestions;
