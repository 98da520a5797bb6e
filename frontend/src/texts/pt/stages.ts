import type { Pointing } from "../pointer";
import type { Catalogue } from "../catalogue";

const boxes = (n: number): string => (n === 1 ? "1 caixa" : `${n} caixas`);

export default {
  link: {
    name: "Igual ou diferente",
    question: "As palavras marcadas se referem à mesma coisa?",
  },
  verification: {
    name: "Verificar um grupo",
    question: "Todas as palavras marcadas se referem à mesma coisa?",
  },
  requirement: {
    name: "Caixa ou não",
    question: "Dá para desenhar uma caixa para as palavras marcadas?",
  },
  drawing: {
    name: "Desenhar uma caixa",
    question:
      "Desenhe uma caixa em volta de uma coisa que as palavras marcadas nomeiam e que ainda não tem nenhuma.",
    method: "Como desenhar",
    ways: { extreme: "Quatro pontos", drag: "Arrastar" },
    extreme: (by: Pointing, n: number): string =>
      `${{ click: "Clique", tap: "Toque", both: "Clique ou toque" }[by]} ${n === 0 ? "nos extremos de uma coisa: alto, baixo, esquerda e direita" : n === 3 ? "no último ponto" : "no próximo ponto"}: ${n} de 4.`,
    drag: "Arraste de um canto ao canto oposto.",
    adjust: "Mova as bordas até a caixa ficar justa e depois confirme.",
    confirm: "Confirmar caixa",
    drawn: (width: number, height: number): string => `Uma caixa nova, ${width} × ${height} pixels`,
  },
  quality: {
    name: "Avaliar uma caixa",
    question: "A caixa nova está boa para as palavras marcadas?",
  },
  coverage: {
    name: "Ver se faltam caixas",
    question: "Estão aqui todas as caixas de que as palavras marcadas precisam?",
  },
  boxes: {
    name: "Desenhar todas as caixas",
  },
  check: {
    name: "Verificar todas as caixas",
  },
  writing: {
    name: "Escrever uma legenda",
  },
  caption_check: {
    name: "Verificar uma legenda",
    question: "A legenda descreve a foto?",
  },
  grading: {
    name: "Dar nota a uma legenda",
    question: "Quão bem a legenda descreve a foto?",
  },
  relevance: {
    name: "Relacionar legendas",
  },
  choices: {
    same: { label: "Sim, a mesma", note: "" },
    different: { label: "Não", note: "" },
    allSame: { label: "Sim, todas", note: "" },
    notAll: { label: "Não, nem todas", note: "" },
    box: { label: "Caixa possível", note: "Em volta de pelo menos uma coisa que se vê" },
    scene: { label: "Cena ou lugar", note: "Todo o ambiente, por exemplo um parque" },
    nobox: { label: "Sem caixa", note: "Não está na imagem, ou não é algo que se possa ver" },
    noneNeeded: { label: "Não precisa de caixa", note: "" },
    noFurther: { label: "Não precisa de mais caixas", note: "" },
    good: { label: "Boa", note: "" },
    bad: { label: "Ruim", note: "" },
    complete: { label: "Sim, estão todas", note: "" },
    missing: { label: "Não, nem todas", note: "" },
    describes: { label: "Descreve", note: "" },
    minor: { label: "Erros leves", note: "Por exemplo, cor ou número errado, ou gramática ruim" },
    wrong: { label: "Não descreve", note: "" },
    unrelated: { label: "Sem relação", note: "Nada do que ela diz está na foto" },
    somewhat: { label: "Alguma relação", note: "Uma parte do que ela diz está na foto" },
    nearly: { label: "Com erros leves", note: "Só alguns detalhes estão errados" },
    exactly: { label: "Sem erros", note: "" },
  },
  unusable: { label: "Foto inutilizável" },
  unsure: {
    label: "Não sei",
    note: "Outra pessoa é consultada. Se a resposta à pergunta já é conhecida de antemão, “Não sei” conta como resposta errada.",
  },
  left: (n: number): string => `${n === 1 ? "resta" : "restam"} ${n} nesta página`,
  unanswered: "Ainda não respondida",
  unavailable: "Não foi possível carregar as instruções. Talvez não haja conexão: feche-as e tente de novo.",
  more: "Próxima legenda",
  unread: "Leia primeiro todas as legendas. Aqui está a próxima.",
  photograph: "A foto",
  matter: "Legendas e observações",
  answers: "Sua resposta",
  mentionBegins: "[marcado:",
  mentionEnds: "fim da marca]",
  shownBoxes: {
    newOne: "Caixa nova",
    accepted: (n: number): string => (n === 0 ? "Nenhuma caixa até agora" : `${boxes(n)} até agora`),
    numbered: (n: number): string => `Caixa ${n}`,
    at: (field: string, left: number, right: number, top: number, bottom: number): string =>
      `${field}, de ${left} a ${right} por cento da largura, de ${top} a ${bottom} por cento da altura`,
    fields: {
      topLeft: "em cima à esquerda",
      topCentre: "em cima no centro",
      topRight: "em cima à direita",
      middleLeft: "à esquerda",
      middleCentre: "no centro",
      middleRight: "à direita",
      bottomLeft: "embaixo à esquerda",
      bottomCentre: "embaixo no centro",
      bottomRight: "embaixo à direita",
    },
  },
  remark: {
    flag: "Palavras mal marcadas",
    flagNote:
      "As palavras marcadas não são uma expressão completa: são poucas demais, são demais ou não são as certas.",
    unrelated: "De outra foto",
    unrelatedNote: "A legenda é de outra foto. A pergunta é respondida mesmo assim.",
    comment: "Comentário",
    commentLabel: "Comentário sobre esta pergunta",
    placeholder: "O que a equipe de pesquisa deveria saber?",
  },
} satisfies Catalogue["stages"];
