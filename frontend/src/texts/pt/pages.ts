import type { Catalogue } from "../catalogue";

const number = new Intl.NumberFormat("pt");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${n === 1 ? one : other}`;

export default {
  direction: "ltr",
  /** The titles of the pages. Links to the pages use them, too. */
  titles: {
    home: "Tarefas",
    me: "Sua conta",
    join: "Convite",
    unknown: "Esta página não existe",
    preview: (stage) => `Prévia: ${stage}`,
  },
  mine: "Sua conta",
  unpaid: "sem pagamento",
  anHour: (amount) => `${amount} por hora`,
  questions: (n) => count(n, "pergunta", "perguntas"),
  sent: "Página enviada",
  title: (page) => `${page} · Groundcrew`,
  close: "Fechar",
  cancel: "Cancelar",
  reload: "Recarregar",
  retry: "Tentar de novo",
  home: "Todas as tarefas",
  loading: "Carregando…",
  progress: {
    label: "Perguntas desta página",
    item: (n, state) =>
      `Pergunta ${n}, ${{ answered: "respondida", open: "não respondida", problem: "a corrigir" }[state]}`,
    count: (n, of) => `${n} de ${of}`,
    overview: "Resumo",
  },
  stage: {
    question: (n, of) => `Pergunta ${n} de ${of}`,
    back: "Voltar",
    help: "Instruções",
    giveBack: "Devolver página",
    more: "Mais",
    changed: "Estas instruções mudaram desde a última vez que você as leu.",
    begin: "Ir às perguntas",
  },
  crash: {
    heading: "Algo deu errado nesta página",
    words: "Suas respostas estão guardadas. Recarregue a página para continuar de onde parou.",
    load: "Não foi possível carregar esta página",
    loadWords: "Talvez não haja conexão. Suas respostas estão guardadas.",
  },
} satisfies Catalogue["pages"];
