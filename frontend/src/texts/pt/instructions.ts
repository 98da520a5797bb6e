import type { Instructions } from "../catalogue";

const points = (click: string): string =>
  `Quatro pontos: ${click} onde a coisa chega mais acima, mais abaixo, mais à esquerda e mais à direita. A caixa aparece sozinha.`;

export default {
  examples: "Exemplos",
  good: "Boa",
  bad: "Ruim",
  keys: "Teclas",
  key: "Tecla",
  does: "O que faz",
  names: { Escape: "Esc", Arrows: "Setas", Delete: "Del" },
  meanings: {
    confirm: "Pôr um ponto na mira. Depois: confirmar a caixa, continuar",
    finish: "Pôr um ponto na mira. Depois: deixar a caixa assim. Depois: é só isso, continuar",
    take: "Pegar esta caixa para mudá-la",
    none: "Dizer que nenhuma caixa é necessária, e por quê",
    takeBack: "Retirar o último ponto ou a última caixa",
    letBe: "Deixar a caixa assim",
    judge: "Dizer como está esta caixa",
    missing: "Falta alguma coisa",
    nothing: "Não falta nada",
    send: "Pôr a marca na mira. Depois: essa é a resposta, continuar",
    aim: "Mover a foto, ou uma mira até onde falta alguma coisa",
    newBox: "Pôr uma caixa nova no meio",
    move: "Mover uma mira. Depois: mover a caixa um pixel",
    moveFar: "Mover a mira com precisão. Depois: mover a caixa dez pixels",
    resize: "Deixá-la mais larga, mais estreita, mais alta ou mais baixa",
    undo: "Desfazer",
    redo: "Refazer",
    remove: "Remover a caixa ou os pontos",
    zoom: "Aproximar e afastar",
    whole: "Mostrar a foto inteira",
    hide: "Manter pressionada: olhar embaixo das caixas",
    pan: "Mover a foto, se estiver ampliada",
    method: "Alternar entre quatro pontos e arrastar",
    back: "Voltar à pergunta anterior",
    comment: "Escrever um comentário. Esc sai do campo",
    flag: "Dizer que as palavras estão mal marcadas",
    unrelated: "Dizer que uma legenda é de outra foto",
    unusable: "Dizer que a foto é inutilizável",
    unsure:
      "Dizer “Não sei”, onde for oferecido. Se a resposta à pergunta já é conhecida de antemão, “Não sei” conta como resposta errada",
    help: "Estas instruções",
  },
  points: {
    click: points("clique"),
    tap: points("toque"),
    both: points("clique ou toque"),
  },
  pointer: {
    click:
      "Mouse: gire a roda para aproximar ou afastar; mantenha pressionada a barra de espaço e arraste para mover a imagem. Puxe uma borda ou um canto da caixa para mudá-la.",
    tap: "Dedos: com dois se amplia e se move a imagem, com um se desenha.",
  },
  stages: {
    link: {
      aim: "Em cada uma de duas legendas há algumas palavras marcadas. Diga se ambas nomeiam a mesma coisa, ou as mesmas coisas, nesta foto.",
      rules: [
        "Olhe a foto, não só as palavras. Palavras diferentes podem nomear a mesma coisa. As mesmas palavras podem nomear duas coisas diferentes.",
        "Uma parte não é o todo. Um homem e a mão dele não são a mesma coisa.",
        "Tudo tem que ser o mesmo. “Dois homens” e “um deles” não são.",
        "As legendas podem errar nas cores ou nos números. Se está claro que se fala da mesma coisa, a resposta é Sim.",
        "Se não há como saber, responda “Não sei”. Se isso não é oferecido, responda Não e escreva um comentário.",
      ],
      examples: {
        words: {
          marked: ["a man", "a young man"],
          verdict: "Sim, a mesma",
          why: "As palavras são outras, mas só há um homem.",
        },
        part: {
          marked: ["a man", "a red hat"],
          verdict: "Não",
          why: "O chapéu está no homem, mas é outra coisa.",
        },
        some: {
          marked: ["a family", "a young girl"],
          verdict: "Não",
          why: "A menina é só uma pessoa da família.",
        },
      },
    },
    verification: {
      aim: "Outras pessoas acharam que todas estas palavras marcadas vão juntas. Diga se cada uma delas nomeia mesmo a mesma coisa ou as mesmas coisas.",
      rules: [
        "Leia todas as legendas. Basta uma que não combine para responder Não.",
        "Todas têm que nomear o mesmo conjunto: “dois cachorros” e “um cachorro” não fazem isso.",
        "Uma parte não é o todo: um homem e a camisa dele não vão juntos.",
        "Pequenos erros de uma legenda, como uma cor errada, não importam enquanto estiver claro do que se fala.",
      ],
      examples: {
        all: {
          marked: ["some dogs", "two dogs", "dogs"],
          verdict: "Sim, todas",
          why: "As três nomeiam os dois cachorros.",
        },
        some: {
          marked: ["some dogs", "two dogs", "a black dog"],
          verdict: "Não, nem todas",
          why: "A última nomeia só um dos dois.",
        },
        other: {
          marked: ["a guitarist", "a man with a guitar", "a woman"],
          verdict: "Não, nem todas",
          why: "A mulher é outra pessoa.",
        },
      },
    },
    requirement: {
      aim: "Diga se seria possível desenhar caixas em volta do que as palavras marcadas nomeiam.",
      rules: [
        "Caixa possível: dá para ver pelo menos uma das coisas nomeadas, e ela tem contorno. Um grupo, como uma multidão, também conta.",
        "Cena ou lugar: as palavras nomeiam o ambiente como um todo, como um parque, uma rua ou o mar.",
        "Sem caixa: não está na foto, ou não pode ser visto de jeito nenhum, como música, um passeio ou uma festa.",
        "O que está coberto em parte também recebe uma caixa. Basta uma coisa assim.",
      ],
      examples: {
        box: {
          marked: ["a beach ball"],
          verdict: "Caixa possível",
          why: "Dá para ver, e está claro onde termina.",
        },
        scene: {
          marked: ["a park"],
          verdict: "Cena ou lugar",
          why: "O parque está por toda parte em volta da mulher e dos cachorros.",
        },
        nobox: { marked: ["music"], verdict: "Sem caixa", why: "Música se ouve, não se vê." },
      },
    },
    drawing: {
      aim: "Desenhe uma caixa nova em volta de uma coisa que as palavras marcadas nomeiam e que ainda não tem nenhuma. Se todas já têm uma, ou se nenhuma é necessária, diga isso.",
      rules: [
        "Uma coisa, uma caixa: para “duas pessoas”, desenhe a de uma delas; a outra recebe a sua depois.",
        "Um grupo cujos membros não podem ser distinguidos, como uma multidão, recebe uma só caixa.",
        "Justa: cada lado toca a coisa.",
        "A coisa inteira, até onde se vê: com braços, alças e rabo. Não adivinhe o que está coberto.",
        "Só o que as palavras nomeiam: para “um chapéu”, o chapéu, não a pessoa embaixo dele.",
      ],
      examples: {
        points: {
          marked: ["a young girl"],
          verdict: "Quatro pontos",
          why: "Cabeça, sapato, mão e o outro sapato: a caixa passa pelos quatro.",
        },
        single: {
          marked: ["two dogs"],
          verdict: "Boa",
          why: "Um cachorro já tem caixa; por isso a nova fica em volta do outro.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Boa",
          why: "São muitos para distinguir: uma caixa em volta de todos.",
        },
        loose: { marked: ["a drum"], verdict: "Ruim", why: "Grande demais: os lados não tocam o tambor." },
        cut: { marked: ["a woman"], verdict: "Ruim", why: "As pernas e um braço ficam de fora." },
      },
    },
    quality: {
      aim: "Alguém desenhou uma caixa nova. Diga se ela está boa para as palavras marcadas. As caixas anteriores também são mostradas.",
      rules: [
        "Justa: cada lado toca a coisa. Folgas minúsculas não importam.",
        "Inteira: nada do que se vê da coisa fica de fora.",
        "O nomeado: está em volta do que as palavras marcadas nomeiam.",
        "Uma só coisa: duas que podem ser distinguidas precisam de duas caixas. Uma multidão pode ter uma só.",
        "Nova: nenhuma caixa anterior está em volta da mesma coisa.",
      ],
      examples: {
        tight: { marked: ["a drum"], verdict: "Boa", why: "Justa, inteira, e é o que foi nomeado." },
        loose: { marked: ["a drum"], verdict: "Ruim", why: "Grande demais de todos os lados." },
        several: {
          marked: ["two dogs"],
          verdict: "Ruim",
          why: "Dois cachorros em uma caixa: cada um precisa da sua.",
        },
        again: {
          marked: ["two boats"],
          verdict: "Ruim",
          why: "Este barco já tem caixa; o outro não tem nenhuma.",
        },
      },
    },
    coverage: {
      aim: "Diga se tudo o que as palavras marcadas nomeiam tem a sua caixa.",
      rules: [
        "Conte o que pode ser distinguido: “duas pessoas” precisam de duas caixas.",
        "Um grupo cujos membros não podem ser distinguidos precisa de uma só caixa.",
        "Procure coisas pequenas, na borda ou parcialmente cobertas.",
        "Aqui não se pergunta se as caixas estão justas.",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "Sim, estão todas", why: "Dois barcos, duas caixas." },
        group: {
          marked: ["the audience"],
          verdict: "Sim, estão todas",
          why: "Uma multidão precisa de uma só caixa.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "Não, nem todas",
          why: "A mulher do tambor não tem caixa.",
        },
      },
    },
    boxes: {
      aim: "Desenhe uma caixa em volta de cada coisa que as palavras marcadas nomeiam e que ainda não tem nenhuma. Depois diga que essas são todas, ou que nenhuma é necessária.",
      rules: [
        "Uma coisa, uma caixa: para “duas pessoas”, desenhe duas. Um grupo cujos membros não podem ser distinguidos recebe uma só.",
        "Uma caixa pronta fica, e você já pode desenhar a próxima. Para mudá-la, pressione o número dela.",
        "Justa e inteira: cada lado toca a coisa, e nada do que se vê dela fica de fora.",
        "Só o que as palavras nomeiam: para “um chapéu”, o chapéu, não a pessoa embaixo dele.",
        "Um ? na foto: alguém achou que falta alguma coisa ali. Confira.",
        "Se não há nada a desenhar, diga por quê: é uma cena ou um lugar, não dá para ver nem desenhar, ou tudo já tem caixa.",
      ],
      examples: {
        all: { marked: ["two dogs"], verdict: "Boa", why: "Dois cachorros, duas caixas." },
        other: {
          marked: ["two boats"],
          verdict: "Boa",
          why: "O barco da esquerda já tem caixa; por isso só o outro recebe uma.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Boa",
          why: "São muitos para distinguir: uma caixa em volta de todos.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "Ruim",
          why: "A mulher do tambor não tem caixa.",
        },
        both: {
          marked: ["two dogs"],
          verdict: "Ruim",
          why: "Dois cachorros em uma caixa: cada um precisa da sua.",
        },
      },
    },
    check: {
      aim: "Alguém desenhou as caixas numeradas. Marque as que não estão boas, diga por quê, e diga se algo que as palavras marcadas nomeiam não tem nenhuma caixa.",
      rules: [
        "Boa: justa, inteira, em volta de uma só coisa nomeada, e nenhuma outra caixa está em volta dela.",
        "Folgada: a caixa é grande demais. Cortada: uma parte da coisa fica de fora. Folgas minúsculas não importam.",
        "Coisa errada: está em volta de outra coisa, ou de várias coisas que podem ser distinguidas.",
        "Duplicada: duas caixas estão em volta da mesma coisa. Diga isso só de uma delas.",
        "Falta: algo que é nomeado não tem caixa. Uma coisa com uma caixa folgada não está faltando.",
        "Se puder, mostre onde falta: mantenha o lugar pressionado por um momento, ou escolha “Falta alguma coisa” e pressione ali.",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "Boa", why: "Dois barcos, duas caixas, ambas justas." },
        loose: { marked: ["a drum"], verdict: "Folgada", why: "Grande demais de todos os lados." },
        cut: { marked: ["a woman"], verdict: "Cortada", why: "As pernas e um braço ficam de fora." },
        again: { marked: ["a boat"], verdict: "Duplicada", why: "Este barco já tem caixa." },
        missing: {
          marked: ["the band members"],
          verdict: "Falta alguma coisa",
          why: "A caixa está boa, mas a mulher do tambor não tem nenhuma.",
        },
      },
    },
  },
} satisfies Instructions;
