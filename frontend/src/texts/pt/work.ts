import type { Catalogue } from "../catalogue";

export default {
  saved: "Salvo neste dispositivo.",
  saving: "Salvando…",
  memory: "Este navegador não salva nada. Deixe a aba aberta até a página ser enviada.",
  offline: "Sem rede. Continue trabalhando: suas respostas ficam guardadas neste dispositivo.",
  unreachable: "Não é possível acessar o servidor. Esta página tenta de novo automaticamente.",
  waiting: (n: number) =>
    n === 1
      ? "Uma página de respostas espera pela rede. Está guardada e será enviada sozinha."
      : `${n} páginas de respostas esperam pela rede. Estão guardadas e serão enviadas sozinhas.`,
  soon: (minutes: number) =>
    `Esta página é sua por mais ${minutes === 1 ? "um minuto" : `${minutes} minutos`}. Se você trabalhar nela, ela continua sua.`,
  over: "O tempo acabou. Você ainda pode enviar: o que ainda é necessário conta.",
  notice: () => "Isso não funcionou. Suas respostas estão guardadas.",
  problems: (n: number) =>
    n === 1
      ? "Uma resposta não pôde ser aceita. Corrija-a e envie de novo."
      : `${n} respostas não puderam ser aceitas. Corrija-as e envie de novo.`,
  aside: (n: number) =>
    `${n === 1 ? "Uma resposta não pôde ser entregue" : `${n} respostas não puderam ser entregues`}. ${n === 1 ? "Ela fica guardada" : "Elas ficam guardadas"} até você ver isto.`,
} satisfies Catalogue["work"];
