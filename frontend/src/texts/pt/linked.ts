import type { Linked } from "../catalogue";

export default {
  away: "Não há trabalho para você nesta tarefa",
  awayWords:
    "Não é por sua causa nem pelo seu trabalho: outras pessoas têm o que resta, ou você já fez a sua parte. Olhe de novo em alguns minutos, ou devolva a tarefa na plataforma.",
  awayPaid:
    "Volte com isto à plataforma, para que ela saiba que você veio. Se quiser esperar, olhe de novo em alguns minutos.",
  codeWords:
    "Suas respostas estão aqui. Copie este código e digite-o na plataforma: ela paga assim que o recebe.",
  copy: "Copiar",
  copied: "Copiado",
} satisfies Linked;
