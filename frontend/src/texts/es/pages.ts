import type { Catalogue } from "../catalogue";

const plural = new Intl.PluralRules("es");
const number = new Intl.NumberFormat("es");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  direction: "ltr",
  /** The titles of the pages. Links to the pages use them, too. */
  titles: {
    home: "Tareas",
    me: "Tu cuenta",
    join: "Invitación",
    unknown: "Esta página no existe",
    preview: (stage) => `Vista previa: ${stage}`,
  },
  mine: "Tu cuenta",
  unpaid: "sin pago",
  anHour: (amount) => `${amount} por hora`,
  questions: (n) => count(n, "pregunta", "preguntas"),
  sent: "Página enviada",
  title: (page) => `${page} · Groundcrew`,
  close: "Cerrar",
  cancel: "Cancelar",
  reload: "Recargar",
  retry: "Reintentar",
  home: "Todas las tareas",
  loading: "Cargando…",
  progress: {
    label: "Preguntas de esta página",
    item: (n, state) =>
      `Pregunta ${n}, ${{ answered: "respondida", open: "sin responder", problem: "por corregir" }[state]}`,
    count: (n, of) => `${n} de ${of}`,
    overview: "Resumen",
  },
  stage: {
    question: (n, of) => `Pregunta ${n} de ${of}`,
    back: "Atrás",
    help: "Instrucciones",
    giveBack: "Devolver página",
    more: "Más",
    changed: "Estas instrucciones han cambiado desde la última vez que las leíste.",
    begin: "A las preguntas",
  },
  crash: {
    heading: "Algo falló en esta página",
    words: "Tus respuestas se conservan. Recarga la página para seguir donde estabas.",
    load: "No se pudo cargar esta página",
    loadWords: "Puede que no haya conexión. Tus respuestas se conservan.",
  },
} satisfies Catalogue["pages"];
