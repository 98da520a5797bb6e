import type { CampaignInstructions } from "../catalogue";

export default {
  meanings: {
    tick: "Marcar a legenda deste número, ou tirar a marca",
    tenth: "O mesmo para a décima legenda",
    noneFits: "Nenhuma das legendas descreve a foto",
    allTicked: "Essas são todas: continuar",
    written: "A frase está pronta: continuar",
  },
  stages: {
    writing: {
      aim: "Escreva uma frase que descreva a foto para alguém que não a vê: quem ou o que está lá, o que acontece e onde.",
      rules: [
        "Descreva o que aparece: a cena, a situação, o que acontece, e as pessoas e coisas que estão nela.",
        "Escreva uma só frase completa, com verbo e sem erros.",
        "Nada de nomes de pessoas ou lugares, mesmo que você os conheça: “uma mulher”, “uma cidade”.",
        "Nada de suposições: nada sobre o que as pessoas pensam, que relação têm ou o que acontece depois.",
        "Nada sobre a própria foto, como “uma imagem de”, nem sobre quem a tirou.",
        "Cada foto é diferente. Não use a mesma frase duas vezes.",
      ],
      examples: {
        whole: {
          marked: ["Uma mulher de cabelo comprido passeia com dois cachorros em um parque."],
          verdict: "Boa",
          why: "Quem, o que faz e onde, em uma frase.",
        },
        group: {
          marked: ["Dois músicos tocam para uma multidão em um palco."],
          verdict: "Boa",
          why: "Diz o que acontece e omite o que não importa.",
        },
        guess: {
          marked: ["Um pai e sua filha curtem as férias."],
          verdict: "Ruim",
          why: "A foto não mostra que são da mesma família nem que estão de férias.",
        },
        short: {
          marked: ["Praia bonita."],
          verdict: "Ruim",
          why: "Não é uma frase completa, e é uma opinião. Diga quem está lá e o que faz.",
        },
      },
    },
    caption_check: {
      aim: "Alguém descreveu a foto. Diga se a legenda combina com ela.",
      rules: [
        "Descreve: tudo o que ela diz pode ser visto, e é uma frase sem erros.",
        "Erros leves: combina, exceto por detalhes, como cor ou número errado, uma suposição ou gramática ruim.",
        "Não descreve: o principal está errado ou falta, é sobre outra coisa, ou não é uma frase completa.",
        "Ela não precisa nomear tudo o que está na foto.",
      ],
      examples: {
        right: {
          marked: ["Uma mulher de cabelo comprido passeia com dois cachorros em um parque."],
          verdict: "Descreve",
          why: "Tudo pode ser visto.",
        },
        minor: {
          marked: ["Uma mulher passeiam com três cachorros em um parque."],
          verdict: "Erros leves",
          why: "São dois cachorros, e a gramática está errada.",
        },
        wrong: {
          marked: ["Um menino joga uma bola para um cachorro."],
          verdict: "Não descreve",
          why: "Não há nem menino nem bola.",
        },
      },
    },
    grading: {
      aim: "Diga, em uma escala de quatro, quão bem a legenda descreve a foto.",
      rules: [
        "1, sem relação: nada do que a legenda diz está na foto.",
        "2, alguma relação: combina com alguns aspectos da foto, mas não a descreve.",
        "3, com erros leves: descreve a foto, mas alguns detalhes estão errados.",
        "4, sem erros: descreve a foto.",
        "Para não ter erros, uma legenda não precisa nomear tudo o que está na foto.",
      ],
      examples: {
        exactly: {
          marked: ["Uma mulher de cabelo comprido passeia com dois cachorros em um parque."],
          verdict: "Sem erros",
          why: "Tudo pode ser visto.",
        },
        nearly: {
          marked: ["Uma mulher passeia com três cachorros em um parque."],
          verdict: "Com erros leves",
          why: "São dois cachorros, não três.",
        },
        somewhat: {
          marked: ["Um cachorro dorme embaixo de um banco."],
          verdict: "Alguma relação",
          why: "Há cachorros e um banco, mas ninguém dorme.",
        },
        unrelated: {
          marked: ["Crianças nadam em uma piscina."],
          verdict: "Sem relação",
          why: "Nada disso está na foto.",
        },
      },
    },
    relevance: {
      aim: "Marque cada legenda que descreve a foto. Se nenhuma descrever, diga isso.",
      rules: [
        "Erros leves são permitidos, como uma cor ou um número errado.",
        "Uma legenda não precisa nomear tudo o que está na foto.",
        "Uma legenda que só combina com alguns aspectos, como apenas o lugar, não a descreve.",
        "Leia todas: uma, várias ou nenhuma pode combinar.",
      ],
      examples: {
        right: {
          marked: ["Uma mulher de cabelo comprido passeia com dois cachorros em um parque."],
          verdict: "Marcar",
          why: "Tudo pode ser visto.",
        },
        minor: {
          marked: ["Uma senhora passeia com três cachorros perto de um banco."],
          verdict: "Marcar",
          why: "São dois cachorros. É um erro leve.",
        },
        part: {
          marked: ["Um cachorro dorme embaixo de um banco."],
          verdict: "Não marcar",
          why: "Há cachorros e um banco, mas não é isso que acontece.",
        },
      },
    },
  },
} satisfies CampaignInstructions;
