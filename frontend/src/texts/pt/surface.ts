import type { Catalogue } from "../catalogue";

export default {
  zoom: "Tamanho da foto",
  closer: "Aproximar",
  wider: "Afastar",
  all: "Ver inteira",
  hide: "Ocultar as caixas",
  boxes: "Caixas",
  coming: "A foto está a caminho.",
  none: "Esta foto está faltando. Escreva um comentário ou devolva a página.",
  broken: "Não é possível carregar a foto.",
  misfit: "Esta foto não tem a forma certa. Escreva um comentário ou devolva a página.",
  again: "Tentar de novo",
  tools: "A caixa",
  newBox: "Caixa nova",
  undo: "Desfazer",
  redo: "Refazer",
  remove: "Remover a caixa",
  magnifier: "Lupa",
  boxIs: (l, t, r, b, width, height) =>
    `Caixa de ${l}, ${t} a ${r}, ${b}: ${width} de largura, ${height} de altura.`,
  finished: "Já há uma caixa. Puxe as bordas dela, ou remova-a (✕).",
  noBox: "Nenhuma caixa.",
  tooSmall: (side) =>
    `Essa caixa é pequena demais: cada lado precisa de ${side === 1 ? "1 pixel" : `${side} pixels`} ou mais.`,
} satisfies Catalogue["surface"];
