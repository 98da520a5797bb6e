import type { SuggestionKeys } from "../catalogue";

export default {
  accept:
    "Aceitar a sugestão do modelo com este número. Algumas sugestões estão erradas, e algumas coisas não têm nenhuma: aceite uma só se estiver tão justa quanto a sua própria caixa estaria, ou puxe depois as bordas dela",
  walk: "Ir a uma sugestão da lista. Enter a aceita",
  discard: "Na lista: descartar a sugestão",
} satisfies SuggestionKeys;
