import type { Pointing } from "../pointer";
import type { Rest } from "../catalogue";

const number = new Intl.NumberFormat("pt");
const list = new Intl.ListFormat("pt");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${n === 1 ? one : other}`;

export default {
  list: {
    tagline: "Olhe fotos e responda a pequenas perguntas sobre elas.",
    worker: (name, project) => `Você é ${name} em ${project}.`,
    earned: "Ganho até agora",
    waiting: "Há trabalho",
    start: "Começar",
    goOn: "Continuar",
    none: "Nada a fazer agora",
    blocked: "Fechada para você",
    test: "Primeiro, um teste",
    testAgain: (when) => `Novo teste ${when}`,
    enough: "Suficiente por agora",
    enoughUntil: (when) => `Mais páginas ${when}`,
    figures: "Ainda não aberta para você",
    draft: (answered, items) => `Página começada: ${answered} de ${items} respondidas`,
    unsent: "Há uma página por enviar",
    pages: (n) => count(n, "página feita", "páginas feitas"),
    preview: "Prévia",
    previewOf: (stage) => `Prévia de “${stage}”`,
    look: "Ou veja primeiro as tarefas",
    key: "Pressione o número de uma tarefa para começar.",
    empty:
      "Não há nada a fazer no momento. Trabalho novo chega à medida que outras pessoas avançam. Olhe de novo daqui a pouco.",
    closed: "Todas as tarefas estão fechadas para você. Sua conta diz como perguntar à equipe de pesquisa.",
    offline: "Sem conexão. Esta lista pode estar desatualizada. Você pode continuar as páginas começadas.",
    failed: "Não foi possível carregar a lista.",
    pay: (worth) => `Por página: ${worth}`,
    byItem: (worth) => `Por página completa: ${worth}; as mais curtas pagam menos`,
    tasks: {
      link: "Duas legendas, com algumas palavras marcadas em cada uma: falam da mesma coisa?",
      verification: "Várias legendas, com algumas palavras marcadas em cada uma: todas falam da mesma coisa?",
      requirement: "Dá para desenhar uma caixa em volta do que as palavras marcadas nomeiam?",
      drawing: "Desenhe uma caixa em volta de uma coisa que as palavras marcadas nomeiam.",
      quality: "A caixa nova está justa, e em volta de uma coisa inteira entre as nomeadas?",
      coverage: "Há uma caixa em volta de tudo o que as palavras marcadas nomeiam?",
      boxes: "Desenhe uma caixa em volta de cada coisa que as palavras marcadas nomeiam.",
      check: "As caixas novas estão boas, e falta alguma coisa?",
      writing: "Descreva uma foto em uma frase.",
      caption_check: "Uma legenda descreve a sua foto?",
      grading: "Quão bem uma legenda descreve uma foto?",
      relevance: "Quais de algumas legendas descrevem uma foto?",
    },
  },
  closeUp: "Ampliada: puxe as bordas até a caixa ficar justa. ⤢ mostra tudo.",
  crosshair: (x, y, width, height, set, needed) =>
    `Mira a ${x} da esquerda e ${y} do alto, de ${width} por ${height} pixels. ${set} de ${needed} pontos postos.`,
  edges: {
    all: "Bordas da caixa, em pixels da foto",
    names: ["Esquerda", "Superior", "Direita", "Inferior"],
  },
  questions: {
    boxes:
      "Desenhe uma caixa em volta de cada coisa que as palavras marcadas nomeiam e que ainda não tem nenhuma.",
    check: "As caixas novas estão boas, e falta alguma coisa?",
    writing: "Descreva a foto em uma frase.",
    relevance: "Quais das legendas descrevem a foto?",
  },
  joint: {
    boxes: {
      drawn: (n: number) => count(n, "caixa nova", "caixas novas"),
      all: (n: number) => (n === 0 ? "É só isso" : `É só isso: ${count(n, "caixa nova", "caixas novas")}`),
      release: (n: number) => `A caixa ${n} está certa`,
      allOf: (n: number) => (n === 1 ? "a caixa com ✓" : "todas as caixas com ✓"),
      why: "Por que nenhuma caixa é necessária?",
      reasons: {
        scene: "É uma cena ou um lugar",
        nobox: "Não dá para ver nem desenhar",
        done: "Tudo já tem caixa",
      },
      back: "Voltar a desenhar",
      adjust: "Puxe as bordas até a caixa ficar justa.",
      list: "Suas caixas",
      one: (n: number) => `Caixa ${n}`,
      another: (n) => `A caixa ${n} está feita. Desenhe a próxima ou pressione “É só isso”.`,
      choose: "Escolha um motivo, ou volte a desenhar.",
      made: (n: number, where: string) => `A caixa ${n} está desenhada: ${where}.`,
      remove: (n: number) => `Remover a caixa ${n}`,
      twin: (n: number) => `É a mesma que a caixa ${n}.`,
      most: (n: number) => `O máximo é de ${number.format(n)} caixas. Desenhe uma só em volta de um grupo.`,
      unfinished: "Há uma caixa começada. Ponha os outros pontos, ou retire-os.",
      nothing: "Primeiro desenhe uma caixa. Se nenhuma for necessária, diga isso.",
      removeFirst: "Você desenhou caixas. Se nenhuma for necessária, remova-as primeiro.",
      count: (said, boxes) =>
        `Coisas citadas: ${number.format(said)}. Caixas: ${number.format(boxes)}. Se está certo, pressione de novo.`,
      points: (n: number, where: string) =>
        `${n === 1 ? "Alguém marcou um lugar onde" : `Há ${number.format(n)} lugares marcados onde`} talvez falte alguma coisa: ${where}.`,
    },
    check: {
      list: "Caixas novas",
      one: (n: number) => `Caixa ${n}`,
      noNew: "Não há nenhuma caixa nova. Falta alguma coisa?",
      open: "Não avaliada",
      judgments: {
        good: "Boa",
        loose: "Folgada",
        cut: "Cortada",
        wrong: "Coisa errada",
        double: "Duplicada",
      },
      which: (n: number) => `Como está a caixa ${n}?`,
      back: "Voltar",
      nothingMissing: "Não falta nada",
      somethingMissing: "Falta alguma coisa",
      markIt: (by: Pointing) =>
        `Mostre onde, se puder: ${{ click: "clique ali, ou use as setas e Enter.", tap: "toque ali.", both: "clique ou toque ali, ou use as setas e Enter." }[by]}`,
      markedAt: (field: string) => `Marcado: ${field}.`,
      moved: "A marca agora está aqui. Só pode haver uma.",
      judgeFirst: (n: number) => `A caixa ${n} ainda não foi avaliada.`,
      missingFirst: "Diga primeiro se falta alguma coisa.",
      toSee: "Olhe as caixas primeiro",
      tap: "Pressione uma caixa para dizer o que há de errado nela.",
      toJudge: "Ainda há o que avaliar",
      confirm: (boxes: number, bad: number, missing: boolean) =>
        [
          ...(boxes === 0
            ? []
            : bad === 0
              ? [boxes === 1 ? "A caixa está boa" : `As ${number.format(boxes)} estão boas`]
              : bad === boxes
                ? [boxes === 1 ? "A caixa está ruim" : `As ${number.format(boxes)} estão ruins`]
                : [count(bad, "caixa ruim", "caixas ruins"), count(boxes - bad, "boa", "boas")]),
          missing ? "falta alguma coisa" : "não falta nada",
        ]
          .join(", ")
          .replace(/^./, (letter) => letter.toUpperCase()),
    },
  },
  /** Of several captions. */
  whichUnrelated: "Quais legendas são de outra foto?",
  captions: {
    label: "Sua frase",
    placeholder: "Diga o que se vê: quem ou o quê, fazendo o quê, e onde.",
    advice: "Só o que se vê: sem nomes, sem suposições, nada de fora da foto.",
    correct: "Esta frase tem um erro. Escreva-a sem o erro.",
    unchanged: "A frase tem um erro. Mude-a primeiro.",
    done: "Pronto",
    hints: {
      short: "Uma legenda tem pelo menos quatro palavras.",
      name: "Isto parece um nome. Diga “um homem” ou “uma torre”.",
      guess: "Isto parece uma suposição. Diga só o que se vê.",
      image: "Descreva o que se vê, não a própria foto.",
      again: "Você já escreveu isto.",
      opening: "Várias das suas legendas começam assim. Se puder, comece de outro jeito.",
    },
    these: (n: number) =>
      n === 0 ? "Marque as que a descrevem" : `É só isso: ${count(n, "legenda", "legendas")}`,
    none: "Nenhuma a descreve",
    tickFirst: "Marque as que descrevem a foto. Se nenhuma descrever, diga isso.",
    matched: (describes: readonly boolean[]) => {
      const places = describes.flatMap((is, at) => (is ? [number.format(at + 1)] : []));
      if (places.length === 0) return "Nenhuma";
      const which = places.length === 1 ? "Legenda" : "Legendas";
      return `${which} ${list.format(places)} de ${number.format(describes.length)}`;
    },
  },
  settings: {
    language: "Idioma",
    theme: "Cores",
    auto: "Como no dispositivo",
    light: "Claro",
    dark: "Escuro",
    keys: "Responder com uma só tecla",
    sends: "Enviar uma página automaticamente 5 segundos depois da última resposta",
    unchecked: "Nenhum falante nativo revisou ainda estes textos.",
  },
  me: {
    worker: (name, project) => `${name}, em ${project}`,
    earned: "Ganho",
    nothing: "Nada ainda",
    done: "O que você fez",
    task: "Tarefa",
    pages: "Páginas",
    judgments: "Respostas",
    time: "Tempo",
    average: "Por página",
    total: "Total",
    weeks: "Respostas certas",
    weeksWords:
      "Em algumas perguntas a resposta certa já é conhecida. De cada semana encerrada você vê quantas delas acertou, com arredondamento a múltiplos de 10%. Semanas com poucas perguntas desse tipo ficam de fora.",
    about: (percent) => `Cerca de ${percent}%`,
    captions: "Suas legendas",
    captionsWere: (accepted, refused) =>
      `${number.format(accepted)} aceitas, ${number.format(refused)} recusadas${refused > 0 ? ", por:" : "."}`,
    refusals: {
      short: "Menos de quatro palavras",
      language: "Outra língua",
      spelling: "Uma palavra escrita errado",
      name: "Um nome",
      guess: "Um palpite",
      image: "Palavras sobre a própria foto",
      "repeats-own": "Repete outra sua",
      "repeats-other": "Repete a de outra pessoa",
      check: "Não descreve a foto",
    },
    standing: "Sua situação",
    open: "Aberta: você pode pegar páginas desta tarefa.",
    openNone: "Aberta, mas não há nada a fazer por enquanto.",
    blocked: "Fechada: a equipe de pesquisa fechou esta tarefa para você. Pergunte a ela por quê.",
    test: "Primeiro você precisa passar em um teste. Ele começa quando você abre a tarefa.",
    testAgain: (when) => `Você não passou no teste. Pode tentar de novo ${when}.`,
    closed:
      "Fechada: poucas demais das suas respostas a perguntas com resposta conhecida estavam certas, ou você não tem mais tentativas no teste dela.",
    enough: "Suficiente por agora: você já tem tantas páginas quantas uma pessoa recebe.",
    figures: "Ainda não aberta: para ela você precisa de mais tarefas aprovadas na sua plataforma.",
    contact: "Perguntas?",
    contactWords:
      "A equipe de pesquisa responde a perguntas sobre o trabalho, o pagamento e tarefas fechadas:",
    noContact: "A equipe de pesquisa não deu nenhum endereço aqui. Pergunte onde você recebeu o link.",
    device: "Neste dispositivo",
    deviceWords:
      "Este navegador guarda o seu acesso, as suas configurações, quais instruções você viu, as respostas que ainda não foram enviadas e um número pelo qual o seu convite o reconhece. As respostas são apagadas assim que o servidor as tem. Nada mais é guardado, e não são usados cookies.",
    signOut: "Sair neste dispositivo",
    signOutTitle: "Sair neste dispositivo?",
    signOutWords: "Para voltar, você precisa do seu link.",
    drafts: "Ainda não enviadas:",
    draft: (stage, answered, items) => `${stage}: ${answered} de ${items} respondidas`,
    forget: "Excluir também estas respostas",
    keepNote: "Senão, elas ficam neste dispositivo e reaparecem quando você entrar aqui de novo.",
    signedOut: "Você saiu.",
    failed: "Não foi possível carregar sua conta.",
    duration: (seconds) => {
      const minutes = Math.round(seconds / 60);
      if (seconds < 60) return `${Math.round(seconds)} s`;
      return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    },
    none: "–",
  },
  qualification: {
    heading: "Primeiro, um teste curto",
    read: "Leia as instruções abaixo. Você pode abri-las de novo a qualquer momento.",
    training: (n) =>
      n === 1
        ? "1 pergunta de treino: depois dela dizemos o que é certo e por quê. Ela não conta."
        : `${number.format(n)} perguntas de treino: depois de cada uma dizemos o que é certo e por quê. Elas não contam.`,
    scored: (n) => `O teste: ${count(n, "pergunta", "perguntas")}. Não dizemos quais respostas estão certas.`,
    pass: (needed, of) =>
      `Passa quem tem ${count(needed, "resposta certa", "respostas certas")} de ${number.format(of)}.`,
    tries: (n) => (n === 1 ? "Esta é a sua última tentativa." : `Você tem ${number.format(n)} tentativas.`),
    unpaid: "O teste não é pago. Depois que você passa, ele vale para esta tarefa no projeto inteiro.",
    begin: "Começar",
    practice: (n, of) => `Pergunta de treino ${number.format(n)} de ${number.format(of)}`,
    right: "Certo",
    wrong: "Não exatamente",
    yours: "Você respondeu:",
    rightAnswer: "O certo é:",
    rightBoxes: (n) => (n === 1 ? "a caixa com ✓" : "qualquer uma das caixas com ✓"),
    rightOnes: "Certa",
    theirs: "Sua",
    next: "Próxima",
    toTest: "Ir para o teste",
    ready: "Agora, o teste",
    left: (n) =>
      n === 0
        ? "Esta é a última tentativa."
        : `Depois dela, ${n === 1 ? "resta" : "restam"} mais ${count(n, "tentativa", "tentativas")}.`,
    remaining: (n) => `${n === 1 ? "Resta" : "Restam"} ${count(n, "tentativa", "tentativas")}.`,
    keeps:
      "Você pode fazer uma pausa: suas respostas ficam guardadas neste dispositivo até você entregá-las.",
    start: "Começar o teste",
    banner: "Teste: não é mostrado quais respostas estão certas.",
    handIn: "Entregar o teste",
    score: (right, of) => `Respostas certas: ${number.format(right)} de ${number.format(of)}.`,
    passed: "Você passou",
    passedWords: "Agora você pode trabalhar nesta tarefa.",
    passedBefore: "Você já passou no teste desta tarefa. Pode trabalhar nela.",
    work: "Começar a trabalhar",
    failed: "Não foi desta vez",
    again: "Tentar de novo",
    wait: (when) => `Você pode tentar de novo ${when}.`,
    enough: "Você já fez a sua parte",
    more: (when) => `Haverá mais para você ${when}.`,
    waiting: "Você pode tentar de novo mais tarde",
    meanwhile: "Enquanto isso, outras tarefas podem estar abertas para você: a lista de tarefas as mostra.",
    closed: {
      tries:
        "Você não passou no teste e não restam tentativas. Se acha que é um engano, escreva à equipe de pesquisa.",
      trust:
        "Em algumas perguntas a resposta já é conhecida de antemão. Poucas demais das suas respostas a elas estavam certas, por isso você não pode continuar com esta tarefa. Cada página que você enviou é paga como prometido.",
      enough: "Você já tem tantas páginas deste trabalho quantas uma pessoa recebe.",
      figures:
        "Para esta tarefa você precisa de mais tarefas concluídas e aprovadas na sua plataforma. Volte quando as tiver.",
    },
    offline: "Sem conexão: isso não chegou. Tente de novo quando a conexão voltar.",
    retried: "Esta página tenta de novo automaticamente.",
  },
  preview: {
    banner: "Isto é uma prévia: nada é enviado, nada é guardado, nada é pago.",
    done: "Essa foi a prévia",
    doneWords: "Nada foi enviado. Com uma página sua, é aqui que você vê quanto ganhou.",
    again: "Mais uma vez",
    toWork: "Começar a trabalhar",
  },
  crowd: {
    preview: "Isto é uma prévia com imagens de exemplo. Aceite a tarefa para começar.",
    previewWords: "Nada foi enviado. Aceite a tarefa na plataforma para trabalhar em uma página sua.",
    nobody: "Abra esta tarefa na plataforma dela",
    nobodyWords:
      "Esta página pertence a uma tarefa de uma plataforma de crowdsourcing, e o endereço não diz para quem ela é. Volte à plataforma e abra a tarefa lá.",
    giveBack: "Devolva esta tarefa na plataforma, por favor",
    none: "Agora não há nesta tarefa nenhuma página para você",
    nothing:
      "Outras pessoas estão com as páginas restantes abertas ou já as fizeram, ou você já viu todas. Se você acabou de começar, talvez a plataforma ainda tenha que confirmar suas primeiras respostas, o que leva cerca de meio minuto. Enquanto você espera aqui, esta página olha de novo automaticamente. Se nenhuma página chegar em alguns minutos, devolva a tarefa na plataforma. Não há nada de errado com o seu trabalho.",
    limited:
      "Muitas pessoas abriram tarefas assim a partir da sua rede na última hora. Esta página tenta de novo automaticamente a cada poucos minutos. Se não quiser esperar, devolva a tarefa na plataforma.",
    returned:
      "Você devolveu a página aqui. A plataforma ainda não sabe disso, então devolva a tarefa lá também.",
    gone: "Aqui ela já terminou. Nada do que você fizer nela agora contaria.",
    crowded: "Mais pessoas a abriram do que ela tem vagas.",
    address:
      "Esta página não está no endereço que a plataforma dá. Abra a tarefa de novo a partir da plataforma. Se vir isto de novo, devolva a tarefa.",
    test: "Se não puder ou não quiser continuar aqui, devolva a tarefa na plataforma.",
    testPaid:
      "O teste é pago mesmo se você não passar. Se não quiser continuar aqui, devolva a tarefa na plataforma.",
    lease: "Outras pessoas talvez a tenham também. Entregue-a no tempo da plataforma: ela é paga.",
    over: "A plataforma já tem esta página",
    overWords: "Não há mais nada a fazer aqui. Continue com outras tarefas na plataforma.",
    last: "Pronto. Agora avise a plataforma",
    lastWords: "Suas respostas estão aqui. A plataforma paga quando sabe que você terminou.",
    submit: "Entregar na plataforma",
    back: "Voltar à plataforma",
    waits: "Espera pela rede. Deixe esta página aberta.",
    ended: "Seu tempo nesta página acabou aqui",
    endedWords:
      "Recarregue a página para continuar. Se o seu navegador permitir, suas respostas ficam guardadas até lá.",
    broken:
      "Se a página falhou enquanto você trabalhava, escreva à equipe de pesquisa: o trabalho nela pode ser pago em parte.",
    number: (key) => `Quando escrever, informe este número: ${key}`,
    rescue: (contact, key) =>
      `Se o seu trabalho nesta página se perder, ele pode ser pago em parte. Escreva ${contact ? `para ${contact}` : "ao solicitante na plataforma"} e informe este número: ${key}`,
    again: "Olhar de novo",
  },
  join: {
    project: (project) => `Você recebeu um convite para trabalhar em ${project}.`,
    name: {
      label: "Seu nome ou e-mail",
      hint: "A equipe de pesquisa o vê, e assim sabe a quem pagar. Outros trabalhadores não o veem.",
      empty: "Escreva primeiro um nome ou um e-mail.",
      refused: "Alguém já tem este nome, ou ele não pode ser usado. Escolha outro.",
    },
    passcode: {
      label: "Código de acesso",
      hint: "Ele veio com o convite, ou dizem a você onde você trabalha.",
      empty: "Escreva primeiro o código de acesso.",
      refused: "Esse não é o código de acesso. Confira e tente de novo.",
    },
    back: "Você já começou a participar antes, neste navegador.",
    go: "Participar",
    goOn: "Continuar",
    kept: "Este navegador guarda o seu acesso, para que o mesmo link traga você de volta aqui. Não são usados cookies.",
    cut: "Isto não é um convite. Talvez falte uma parte do link. Copie o link inteiro e abra-o de novo.",
    used: "Este convite já foi usado. Ele ainda abre no navegador em que foi usado. Senão, peça à equipe de pesquisa um só seu.",
    over: "Este convite terminou. Peça outro à equipe de pesquisa.",
    closed: "O trabalho está fechado para você. Pergunte por quê à equipe de pesquisa.",
    offline: "O servidor não respondeu. Confira sua conexão e tente de novo.",
    limited: "Houve tentativas demais. Espere um pouco, no máximo uma hora, e tente de novo.",
  },
  overview: {
    heading: "Suas respostas",
    ready: "Confira-as. Escolha uma para mudá-la.",
    missing: (n) =>
      `${count(n, "pergunta ainda não foi respondida", "perguntas ainda não foram respondidas")}.`,
    submit: "Enviar página",
    sendsIn: (seconds) => `Esta página será enviada em ${count(seconds, "segundo", "segundos")}.`,
    hold: "Não enviar ainda",
    held: "A página não será enviada. Envie-a quando quiser.",
    toMissing: "À próxima não respondida",
    commented: "com um comentário",
    flagged: "palavras mal marcadas",
    unrelated: "legenda de outra foto",
    pictures: "As imagens não carregam?",
    refresh: "Buscar de novo",
  },
  phase: {
    sending: "Enviando suas respostas…",
    sendingOffline:
      "Sem conexão. As respostas ficam guardadas e são enviadas assim que ela voltar. Você pode fechar esta página.",
    sendingInMemory:
      "Sem rede, e este navegador não consegue salvar suas respostas. Deixe esta aba aberta até elas serem enviadas.",
    done: "Página feita",
    doneWords: (n) => `${count(n, "resposta aceita", "respostas aceitas")}. Obrigado.`,
    late: (n) =>
      `${count(n, "chegou", "chegaram")} tarde demais e já não ${n === 1 ? "era necessária" : "eram necessárias"}.`,
    reward: "Por esta página",
    session: "Nesta sessão",
    next: "Próxima página",
    nothing: "Nada a fazer aqui agora",
    nothingWords:
      "Páginas novas chegam à medida que outras pessoas avançam. Esta página pergunta de novo automaticamente.",
    ask: "Perguntar agora",
    asked: (time) => `Última pergunta às ${time}. Ainda não há nada.`,
    begun: "Páginas que você começou aqui:",
    elsewhere: "Aberta em outra aba",
    elsewhereWords: "Esta página está sendo feita em outra aba ou janela. Só uma de cada vez pode mudá-la.",
    takeOver: "Continuar aqui",
    returned: "Página devolvida",
    returnedWords: "Agora as perguntas dela vão para outras pessoas.",
    refused: "Esta tarefa está fechada para você",
    refusedWords: "Sua conta diz como perguntar à equipe de pesquisa.",
    failed: "Isso não funcionou",
    failedWords:
      "Suas respostas estão guardadas neste dispositivo. Esta página tenta de novo automaticamente.",
    full: (n) => `Você tem ${n} páginas começadas. Termine ou devolva uma delas.`,
  },
  signin: {
    heading: "Entrar",
    words: "Estas páginas abrem com um link pessoal. Cole o link que você recebeu, ou o token que há nele.",
    kept: "Sua sessão foi encerrada porque seu acesso terminou ou foi mudado. Suas respostas estão guardadas neste dispositivo. Abra de novo seu link mais recente ou seu convite, e você pode continuar de onde parou.",
    ended:
      "Sua sessão foi encerrada porque seu acesso terminou ou foi mudado. Abra de novo seu link mais recente ou seu convite.",
    field: "Link ou token",
    go: "Entrar",
    empty: "Cole primeiro o link.",
    wrong: "Esse não é um link para estas páginas. Copie o link inteiro e cole-o de novo.",
    noLink:
      "Se você não tem o link, ou se ele não funciona mais, peça outro à equipe de pesquisa que convidou você.",
    researchers: "Acesso da equipe de pesquisa",
  },
  aside: {
    words: (stage, answers) =>
      `${stage}: ${count(answers, "resposta não pôde ser entregue", "respostas não puderam ser entregues")} porque a página não é mais sua.`,
    seen: "Excluir",
  },
  giveBack: {
    title: "Devolver esta página?",
    words: (answered) =>
      answered === 0
        ? "Outras pessoas receberão estas perguntas."
        : `Outras pessoas receberão estas perguntas. ${count(answered, "resposta sua é descartada", "respostas suas são descartadas")}, e nada é pago por esta página.`,
    keep: "Ficar com ela",
  },
  unknown: {
    words: "Talvez falte uma parte do endereço. Todas as tarefas estão na primeira página.",
  },
} satisfies Rest;
