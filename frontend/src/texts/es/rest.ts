import type { Pointing } from "../pointer";
import type { Rest } from "../catalogue";

const plural = new Intl.PluralRules("es");
const number = new Intl.NumberFormat("es");
const list = new Intl.ListFormat("es");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  list: {
    tagline: "Mira fotos y responde preguntas breves sobre ellas.",
    worker: (name, project) => `Eres ${name} en ${project}.`,
    earned: "Ganado hasta ahora",
    waiting: "Hay trabajo",
    start: "Empezar",
    goOn: "Seguir",
    none: "Nada que hacer ahora",
    blocked: "Cerrada para ti",
    test: "Primero hay una prueba",
    testAgain: (when) => `Nueva prueba ${when}`,
    enough: "Suficiente por ahora",
    enoughUntil: (when) => `Más páginas ${when}`,
    figures: "Aún no abierta para ti",
    draft: (answered, items) => `Página empezada: ${answered} de ${items} respondidas`,
    unsent: "Hay una página por enviar",
    pages: (n) => count(n, "página hecha", "páginas hechas"),
    preview: "Vista previa",
    previewOf: (stage) => `Vista previa de «${stage}»`,
    look: "O mira primero las tareas",
    key: "Pulsa el número de una tarea para empezar.",
    empty:
      "No hay nada que hacer en este momento. El trabajo nuevo llega a medida que otras personas avanzan. Vuelve a mirar dentro de un rato.",
    closed:
      "Todas las tareas están cerradas para ti. En tu cuenta se indica cómo preguntar al equipo investigador.",
    offline: "Sin conexión. Puede que esta lista sea antigua. Puedes seguir con las páginas empezadas.",
    failed: "No se pudo cargar la lista.",
    pay: (worth) => `Por página: ${worth}`,
    byItem: (worth) => `Por página completa: ${worth}; las más cortas pagan menos`,
    tasks: {
      link: "Dos descripciones, con unas palabras marcadas en cada una: ¿hablan de lo mismo?",
      verification:
        "Varias descripciones, con unas palabras marcadas en cada una: ¿hablan todas de lo mismo?",
      requirement: "¿Se puede dibujar un recuadro alrededor de lo que nombran las palabras marcadas?",
      drawing: "Dibuja un recuadro alrededor de una cosa que nombran las palabras marcadas.",
      quality: "¿Está el recuadro nuevo ajustado, y alrededor de una cosa entera de las nombradas?",
      coverage: "¿Hay un recuadro alrededor de todo lo que nombran las palabras marcadas?",
      boxes: "Dibuja un recuadro alrededor de cada cosa que nombran las palabras marcadas.",
      check: "¿Están bien los recuadros nuevos, y falta algo?",
      writing: "Describe una foto en una frase.",
      caption_check: "¿Una descripción describe su foto?",
      grading: "¿Qué tan bien describe una foto una descripción?",
      relevance: "¿Cuáles de varias descripciones describen una foto?",
    },
  },
  closeUp: "Ampliado: mueve los bordes hasta ajustar el recuadro. ⤢ muestra todo.",
  crosshair: (x, y, width, height, set, needed) =>
    `Mira a ${x} de la izquierda y ${y} de arriba, de ${width} por ${height} píxeles. ${set} de ${needed} puntos puestos.`,
  edges: {
    all: "Bordes del recuadro, en píxeles de la foto",
    names: ["Izquierdo", "Superior", "Derecho", "Inferior"],
  },
  questions: {
    boxes:
      "Dibuja un recuadro alrededor de cada cosa que nombran las palabras marcadas y que aún no tiene ninguno.",
    check: "¿Están bien los recuadros nuevos, y falta algo?",
    writing: "Describe la foto en una frase.",
    relevance: "¿Cuáles de las descripciones describen la foto?",
  },
  joint: {
    boxes: {
      drawn: (n: number) => count(n, "recuadro nuevo", "recuadros nuevos"),
      all: (n: number) =>
        n === 0 ? "Eso es todo" : `Eso es todo: ${count(n, "recuadro nuevo", "recuadros nuevos")}`,
      release: (n: number) => `El recuadro ${n} está bien`,
      allOf: (n: number) => (n === 1 ? "el recuadro con ✓" : "todos los recuadros con ✓"),
      why: "¿Por qué no hace falta ningún recuadro?",
      reasons: {
        scene: "Es una escena o un lugar",
        nobox: "No se puede ver ni dibujar",
        done: "Todo tiene ya su recuadro",
      },
      back: "Volver a dibujar",
      adjust: "Mueve los bordes hasta que el recuadro quede ajustado.",
      list: "Tus recuadros",
      one: (n: number) => `Recuadro ${n}`,
      another: (n) => `El recuadro ${n} está. Dibuja el siguiente o pulsa «Eso es todo».`,
      choose: "Elige un motivo, o vuelve a dibujar.",
      made: (n: number, where: string) => `El recuadro ${n} está dibujado: ${where}.`,
      remove: (n: number) => `Quitar el recuadro ${n}`,
      twin: (n: number) => `Es el mismo que el recuadro ${n}.`,
      most: (n: number) =>
        `El máximo es ${number.format(n)} recuadros. Dibuja uno solo alrededor de un grupo.`,
      unfinished: "Hay un recuadro empezado. Pon los demás puntos, o retíralos.",
      nothing: "Primero dibuja un recuadro. Si no hace falta ninguno, dilo.",
      removeFirst: "Has dibujado recuadros. Si no hace falta ninguno, quítalos primero.",
      count: (said, boxes) =>
        `Cosas nombradas: ${number.format(said)}. Recuadros: ${number.format(boxes)}. Si es correcto, pulsa otra vez.`,
      points: (n: number, where: string) =>
        `${n === 1 ? "Alguien marcó un lugar donde" : `Hay ${number.format(n)} lugares marcados donde`} puede que falte algo: ${where}.`,
    },
    check: {
      list: "Recuadros nuevos",
      one: (n: number) => `Recuadro ${n}`,
      noNew: "No hay ningún recuadro nuevo. ¿Falta algo?",
      open: "Sin evaluar",
      judgments: {
        good: "Bien",
        loose: "Holgado",
        cut: "Cortado",
        wrong: "Cosa errónea",
        double: "Duplicado",
      },
      which: (n: number) => `¿Cómo está el recuadro ${n}?`,
      back: "Atrás",
      nothingMissing: "No falta nada",
      somethingMissing: "Falta algo",
      markIt: (by: Pointing) =>
        `Muestra dónde, si puedes: ${{ click: "haz clic allí, o usa las flechas y Enter.", tap: "toca allí.", both: "haz clic o toca allí, o usa las flechas y Enter." }[by]}`,
      markedAt: (field: string) => `Marcado: ${field}.`,
      moved: "La marca está ahora aquí. Solo se puede poner una.",
      judgeFirst: (n: number) => `El recuadro ${n} está aún sin evaluar.`,
      missingFirst: "Di primero si falta algo.",
      toSee: "Primero mira los recuadros",
      tap: "Pulsa un recuadro para decir qué tiene de malo.",
      toJudge: "Aún queda algo por evaluar",
      confirm: (boxes: number, bad: number, missing: boolean) =>
        [
          ...(boxes === 0
            ? []
            : bad === 0
              ? [boxes === 1 ? "El recuadro está bien" : `Los ${number.format(boxes)} están bien`]
              : bad === boxes
                ? [boxes === 1 ? "El recuadro está mal" : `Los ${number.format(boxes)} están mal`]
                : [`${count(bad, "recuadro", "recuadros")} mal`, `${number.format(boxes - bad)} bien`]),
          missing ? "falta algo" : "no falta nada",
        ]
          .join(", ")
          .replace(/^./, (letter) => letter.toUpperCase()),
    },
  },
  /** Of several captions. */
  whichUnrelated: "¿Qué descripciones son de otra foto?",
  captions: {
    label: "Tu frase",
    placeholder: "Di lo que se ve: quién o qué, haciendo qué y dónde.",
    advice: "Solo lo que se ve: sin nombres, sin suposiciones, nada de fuera de la foto.",
    correct: "Esta frase tiene un error. Escríbela sin el error.",
    unchanged: "La frase tiene un error. Cámbiala primero.",
    done: "Listo",
    hints: {
      short: "Una descripción tiene al menos cuatro palabras.",
      name: "Esto parece un nombre. Di mejor «un hombre» o «una torre».",
      guess: "Esto parece una suposición. Di solo lo que se ve.",
      image: "Describe lo que se ve, no la foto misma.",
      again: "Esto ya lo has escrito.",
      opening: "Varias de tus descripciones empiezan así. Si puedes, empieza de otra manera.",
    },
    these: (n: number) =>
      n === 0 ? "Marca las que la describen" : `Eso es todo: ${count(n, "descripción", "descripciones")}`,
    none: "Ninguna la describe",
    tickFirst: "Marca las que describen la foto. Si no lo hace ninguna, dilo.",
    matched: (describes: readonly boolean[]) => {
      const places = describes.flatMap((is, at) => (is ? [number.format(at + 1)] : []));
      if (places.length === 0) return "Ninguna";
      const which = places.length === 1 ? "Descripción" : "Descripciones";
      return `${which} ${list.format(places)} de ${number.format(describes.length)}`;
    },
  },
  settings: {
    language: "Idioma",
    theme: "Colores",
    auto: "Como el dispositivo",
    light: "Claro",
    dark: "Oscuro",
    keys: "Responder con una sola tecla",
    sends: "Enviar una página automáticamente 5 segundos después de su última respuesta",
    unchecked: "Ningún hablante nativo ha revisado todavía estos textos.",
  },
  me: {
    worker: (name, project) => `${name}, en ${project}`,
    earned: "Ganado",
    nothing: "Nada todavía",
    done: "Lo que hiciste",
    task: "Tarea",
    pages: "Páginas",
    judgments: "Respuestas",
    time: "Tiempo",
    average: "Por página",
    total: "Total",
    weeks: "Respuestas correctas",
    weeksWords:
      "En algunas preguntas la respuesta correcta se conoce de antemano. De cada semana terminada ves cuántas de ellas acertaste, redondeado a múltiplos del 10 %. Se omiten las semanas con pocas preguntas de ese tipo.",
    about: (percent) => `Cerca del ${percent} %`,
    captions: "Tus descripciones",
    captionsWere: (accepted, refused) =>
      `${number.format(accepted)} aceptadas, ${number.format(refused)} rechazadas${refused > 0 ? ", por:" : "."}`,
    refusals: {
      short: "Menos de cuatro palabras",
      language: "Otro idioma",
      spelling: "Una palabra mal escrita",
      name: "Un nombre",
      guess: "Una suposición",
      image: "Palabras sobre la foto misma",
      "repeats-own": "Repite otra tuya",
      "repeats-other": "Repite la de otra persona",
      check: "No describe la foto",
    },
    standing: "Tu situación",
    open: "Abierta: puedes tomar páginas de esta tarea.",
    openNone: "Abierta, pero por ahora no hay nada que hacer.",
    blocked: "Cerrada: el equipo investigador ha cerrado esta tarea para ti. Pregúntale por qué.",
    test: "Primero tienes que aprobar una prueba. Empieza cuando abres la tarea.",
    testAgain: (when) => `No se aprobó la prueba. Puedes volver a intentarlo ${when}.`,
    closed:
      "Cerrada: demasiado pocas de tus respuestas a preguntas con respuesta conocida fueron correctas, o no te quedan intentos en su prueba.",
    enough: "Suficiente por ahora: ya tienes tantas páginas como recibe una persona.",
    figures: "Aún no abierta: para ella necesitas más tareas aprobadas en tu plataforma.",
    contact: "¿Preguntas?",
    contactWords:
      "El equipo investigador responde preguntas sobre el trabajo, el pago y las tareas cerradas:",
    noContact: "El equipo investigador no dio aquí ninguna dirección. Pregunta donde recibiste tu enlace.",
    device: "En este dispositivo",
    deviceWords:
      "Este navegador guarda tu acceso, tus ajustes, qué instrucciones has visto, las respuestas que aún no se han enviado y un número por el que tu invitación lo reconoce. Las respuestas se eliminan en cuanto el servidor las tiene. No se guarda nada más y no se usan cookies.",
    signOut: "Cerrar sesión en este dispositivo",
    signOutTitle: "¿Cerrar sesión en este dispositivo?",
    signOutWords: "Para volver, necesitas tu enlace.",
    drafts: "Aún sin enviar:",
    draft: (stage, answered, items) => `${stage}: ${answered} de ${items} respondidas`,
    forget: "Eliminar también estas respuestas",
    keepNote:
      "Si no, se quedan en este dispositivo y vuelven a aparecer cuando inicies sesión aquí de nuevo.",
    signedOut: "Has cerrado la sesión.",
    failed: "No se pudo cargar tu cuenta.",
    duration: (seconds) => {
      const minutes = Math.round(seconds / 60);
      if (seconds < 60) return `${Math.round(seconds)} s`;
      return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    },
    none: "–",
  },
  qualification: {
    heading: "Primero, una prueba corta",
    read: "Lee las instrucciones de abajo. Puedes volver a abrirlas en cualquier momento.",
    training: (n) =>
      n === 1
        ? "1 pregunta de práctica: después se te dice qué es lo correcto y por qué. No cuenta."
        : `${number.format(n)} preguntas de práctica: después de cada una se te dice qué es lo correcto y por qué. No cuentan.`,
    scored: (n) =>
      `La prueba: ${count(n, "pregunta", "preguntas")}. No se te dice qué respuestas son correctas.`,
    pass: (needed, of) =>
      `Se aprueba con ${count(needed, "respuesta correcta", "respuestas correctas")} de ${number.format(of)}.`,
    tries: (n) => (n === 1 ? "Este es tu último intento." : `Tienes ${number.format(n)} intentos.`),
    unpaid: "La prueba no se paga. Una vez aprobada, vale para esta tarea en todo el proyecto.",
    begin: "Comenzar",
    practice: (n, of) => `Pregunta de práctica ${number.format(n)} de ${number.format(of)}`,
    right: "Correcto",
    wrong: "No del todo",
    yours: "Respondiste:",
    rightAnswer: "Lo correcto es:",
    rightBoxes: (n) => (n === 1 ? "el recuadro con ✓" : "cualquiera de los recuadros con ✓"),
    rightOnes: "Correcto",
    theirs: "Tuyo",
    next: "Siguiente",
    toTest: "Pasar a la prueba",
    ready: "Ahora, la prueba",
    left: (n) =>
      n === 0
        ? "Este es el último intento."
        : `Después ${n === 1 ? "queda" : "quedan"} ${count(n, "intento", "intentos")} más.`,
    remaining: (n) => `${n === 1 ? "Queda" : "Quedan"} ${count(n, "intento", "intentos")}.`,
    keeps: "Puedes hacer una pausa: tus respuestas se guardan en este dispositivo hasta que las entregues.",
    start: "Empezar la prueba",
    banner: "Prueba: no se muestra qué respuestas son correctas.",
    handIn: "Entregar la prueba",
    score: (right, of) => `Respuestas correctas: ${number.format(right)} de ${number.format(of)}.`,
    passed: "Aprobaste",
    passedWords: "Ahora puedes trabajar en esta tarea.",
    passedBefore: "La prueba de esta tarea está aprobada. Puedes trabajar en ella.",
    work: "Empezar a trabajar",
    failed: "Esta vez no aprobaste",
    again: "Reintentar",
    wait: (when) => `Puedes volver a intentarlo ${when}.`,
    enough: "Ya hiciste tu parte",
    more: (when) => `Habrá más para ti ${when}.`,
    waiting: "Puedes volver a intentarlo más tarde",
    meanwhile: "Puede que mientras tanto tengas abiertas otras tareas: la lista de tareas las muestra.",
    closed: {
      tries:
        "No se aprobó la prueba y no quedan intentos. Si crees que es un error, escribe al equipo investigador.",
      trust:
        "En algunas preguntas la respuesta se conoce de antemano. Demasiado pocas de tus respuestas a ellas fueron correctas, así que no puedes seguir con esta tarea. Cada página que enviaste se paga como se prometió.",
      enough: "Ya tienes tantas páginas de este trabajo como recibe una persona.",
      figures:
        "Para esta tarea necesitas más tareas terminadas y aprobadas en tu plataforma. Vuelve cuando las tengas.",
    },
    offline: "Sin conexión: eso no llegó. Inténtalo de nuevo cuando vuelva la conexión.",
    retried: "Esta página lo reintenta automáticamente.",
  },
  preview: {
    banner: "Esto es una vista previa: nada se envía, nada se guarda, nada se paga.",
    done: "Esa fue la vista previa",
    doneWords: "No se envió nada. Con una página propia, aquí ves lo que ganaste.",
    again: "Otra vez",
    toWork: "Empezar a trabajar",
  },
  crowd: {
    preview: "Esto es una vista previa con imágenes de ejemplo. Acepta la tarea para empezar.",
    previewWords: "No se envió nada. Acepta la tarea en la plataforma para trabajar en una página propia.",
    nobody: "Abre esta tarea en su plataforma",
    nobodyWords:
      "Esta página pertenece a una tarea de una plataforma de crowdsourcing, y la dirección no dice para quién es. Vuelve a la plataforma y abre allí la tarea.",
    giveBack: "Devuelve esta tarea en la plataforma, por favor",
    none: "Ahora no hay en esta tarea ninguna página para ti",
    nothing:
      "Otras personas tienen abiertas las páginas que quedan o ya las han hecho, o tú las has visto todas. Si acabas de empezar, puede que la plataforma aún tenga que confirmar tus primeras respuestas, lo que tarda cerca de medio minuto. Mientras esperas aquí, esta página vuelve a mirar automáticamente. Si no llega ninguna página en unos minutos, devuelve la tarea en la plataforma. Tu trabajo no tiene nada de malo.",
    limited:
      "Muchas personas han abierto tareas como esta desde tu red en la última hora. Esta página lo reintenta automáticamente cada pocos minutos. Si no quieres esperar, devuelve la tarea en la plataforma.",
    returned:
      "Devolviste la página aquí. La plataforma todavía no lo sabe, así que devuelve la tarea también allí.",
    gone: "Aquí ya ha terminado. Nada de lo que hagas ahora en ella contaría.",
    crowded: "La han abierto más personas que plazas tiene.",
    address:
      "Esta página no está en la dirección que da la plataforma. Abre de nuevo la tarea desde la plataforma. Si vuelves a ver esto, devuelve la tarea.",
    test: "Si no puedes o no quieres seguir aquí, devuelve la tarea en la plataforma.",
    testPaid:
      "La prueba se paga también si no la superas. Si no quieres seguir aquí, devuelve la tarea en la plataforma.",
    lease: "Quizá otras personas la tengan también. Entrégala en el tiempo de la plataforma: se paga.",
    over: "La plataforma ya tiene esta página",
    overWords: "Aquí no queda nada que hacer. Sigue con otras tareas en la plataforma.",
    last: "Listo. Ahora avisa a la plataforma",
    lastWords: "Tus respuestas están aquí. La plataforma paga cuando sabe que has terminado.",
    submit: "Entregar en la plataforma",
    back: "Volver a la plataforma",
    waits: "Espera a que haya red. Deja esta página abierta.",
    ended: "Tu tiempo en esta página ha terminado aquí",
    endedWords:
      "Recarga la página para seguir. Si tu navegador lo permite, tus respuestas se conservan hasta entonces.",
    broken:
      "Si la página falló mientras trabajabas, escribe al equipo investigador: el trabajo en ella puede pagarse en parte.",
    number: (key) => `Cuando escribas, indica este número: ${key}`,
    rescue: (contact, key) =>
      `Si se pierde tu trabajo en esta página, puede pagarse en parte. Escribe ${contact ? `a ${contact}` : "al solicitante en la plataforma"} e indica este número: ${key}`,
    again: "Volver a mirar",
  },
  join: {
    project: (project) => `Te invitamos a trabajar en ${project}.`,
    name: {
      label: "Tu nombre o correo electrónico",
      hint: "El equipo investigador lo ve, y así sabe a quién pagar. Los demás trabajadores no lo ven.",
      empty: "Escribe primero un nombre o un correo electrónico.",
      refused: "Alguien ya tiene este nombre, o no se puede usar. Elige otro.",
    },
    passcode: {
      label: "Código de acceso",
      hint: "Venía con la invitación, o te lo dicen donde trabajas.",
      empty: "Escribe primero el código de acceso.",
      refused: "Ese no es el código de acceso. Revísalo e inténtalo de nuevo.",
    },
    back: "Ya te habías unido antes, en este navegador.",
    go: "Unirme",
    goOn: "Seguir",
    kept: "Este navegador guarda tu acceso, para que el mismo enlace te traiga de vuelta aquí. No se usan cookies.",
    cut: "Esto no es una invitación. Puede que falte una parte del enlace. Copia el enlace completo y ábrelo de nuevo.",
    used: "Esta invitación ya se usó. Todavía se abre en el navegador donde se usó. Si no, pide al equipo investigador una propia.",
    over: "Esta invitación ha terminado. Pide otra al equipo investigador.",
    closed: "El trabajo está cerrado para ti. Pregunta por qué al equipo investigador.",
    offline: "El servidor no respondió. Comprueba tu conexión e inténtalo de nuevo.",
    limited: "Hubo demasiados intentos. Espera un rato, como máximo una hora, e inténtalo de nuevo.",
  },
  overview: {
    heading: "Tus respuestas",
    ready: "Revísalas. Elige una para cambiarla.",
    missing: (n) => `${count(n, "pregunta está", "preguntas están")} aún sin responder.`,
    submit: "Enviar página",
    sendsIn: (seconds) => `Esta página se envía en ${count(seconds, "segundo", "segundos")}.`,
    hold: "No enviar todavía",
    held: "La página no se envía. Envíala cuando quieras.",
    toMissing: "A la siguiente sin responder",
    commented: "con un comentario",
    flagged: "palabras mal marcadas",
    unrelated: "descripción de otra foto",
    pictures: "¿No se cargan las imágenes?",
    refresh: "Pedirlas de nuevo",
  },
  phase: {
    sending: "Enviando tus respuestas…",
    sendingOffline:
      "Sin conexión. Las respuestas se conservan y se envían en cuanto vuelva. Puedes cerrar esta página.",
    sendingInMemory:
      "Sin red, y este navegador no puede guardar tus respuestas. Deja abierta esta pestaña hasta que se envíen.",
    done: "Página hecha",
    doneWords: (n) => `${count(n, "respuesta aceptada", "respuestas aceptadas")}. Gracias.`,
    late: (n) =>
      `${count(n, "llegó", "llegaron")} demasiado tarde y ya no ${n === 1 ? "hacía" : "hacían"} falta.`,
    reward: "Por esta página",
    session: "En esta sesión",
    next: "Página siguiente",
    nothing: "Nada que hacer aquí ahora",
    nothingWords:
      "Llegan páginas nuevas a medida que otras personas avanzan. Esta página vuelve a preguntar automáticamente.",
    ask: "Preguntar ahora",
    asked: (time) => `Última pregunta a las ${time}. Todavía no hay nada.`,
    begun: "Páginas que has empezado aquí:",
    elsewhere: "Abierta en otra pestaña",
    elsewhereWords:
      "Se está trabajando en esta página en otra pestaña o ventana. Solo una a la vez puede cambiarla.",
    takeOver: "Seguir aquí",
    returned: "Página devuelta",
    returnedWords: "Ahora sus preguntas pasan a otras personas.",
    refused: "Esta tarea está cerrada para ti",
    refusedWords: "En tu cuenta se indica cómo preguntar al equipo investigador.",
    failed: "Eso no funcionó",
    failedWords: "Tus respuestas se guardan en este dispositivo. Esta página lo reintenta automáticamente.",
    full: (n) => `Tienes ${n} páginas empezadas. Termina o devuelve una de ellas.`,
  },
  signin: {
    heading: "Iniciar sesión",
    words:
      "Estas páginas se abren con un enlace personal. Pega el enlace que recibiste, o el token que lleva.",
    kept: "Se cerró tu sesión porque tu acceso ha terminado o se cambió. Tus respuestas se conservan en este dispositivo. Abre de nuevo tu enlace más reciente o tu invitación, y podrás seguir donde estabas.",
    ended:
      "Se cerró tu sesión porque tu acceso ha terminado o se cambió. Abre de nuevo tu enlace más reciente o tu invitación.",
    field: "Enlace o token",
    go: "Iniciar sesión",
    empty: "Pega primero el enlace.",
    wrong: "Ese no es un enlace para estas páginas. Copia el enlace completo y pégalo de nuevo.",
    noLink: "Si no tienes el enlace, o si ya no funciona, pide otro al equipo investigador que te invitó.",
    researchers: "Acceso del equipo investigador",
  },
  aside: {
    words: (stage, answers) =>
      `${stage}: ${count(answers, "respuesta no se pudo entregar", "respuestas no se pudieron entregar")} porque la página ya no es tuya.`,
    seen: "Eliminar",
  },
  giveBack: {
    title: "¿Devolver esta página?",
    words: (answered) =>
      answered === 0
        ? "Estas preguntas pasarán a otras personas."
        : `Estas preguntas pasarán a otras personas. ${count(answered, "respuesta tuya se descarta", "respuestas tuyas se descartan")}, y no se paga nada por esta página.`,
    keep: "Conservarla",
  },
  unknown: {
    words: "Puede que falte una parte de la dirección. Todas las tareas están en la primera página.",
  },
} satisfies Rest;
