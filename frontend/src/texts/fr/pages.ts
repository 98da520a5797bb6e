import type { Catalogue } from "../catalogue";

const plural = new Intl.PluralRules("fr");
const number = new Intl.NumberFormat("fr");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  direction: "ltr",
  /** The titles of the pages. Links to the pages use them, too. */
  titles: {
    home: "Tâches",
    me: "Votre compte",
    join: "Invitation",
    unknown: "Cette page n’existe pas",
    preview: (stage) => `Aperçu\u202f: ${stage}`,
  },
  mine: "Votre compte",
  unpaid: "non payé",
  anHour: (amount) => `${amount} de l’heure`,
  questions: (n) => count(n, "question", "questions"),
  sent: "Page envoyée",
  title: (page) => `${page} · Groundcrew`,
  close: "Fermer",
  cancel: "Annuler",
  reload: "Recharger",
  retry: "Réessayer",
  home: "Toutes les tâches",
  loading: "Chargement…",
  progress: {
    label: "Questions de cette page",
    item: (n, state) =>
      `Question ${n}, ${{ answered: "réponse donnée", open: "sans réponse", problem: "à corriger" }[state]}`,
    count: (n, of) => `${n} sur ${of}`,
    overview: "Récapitulatif",
  },
  stage: {
    question: (n, of) => `Question ${n} sur ${of}`,
    back: "Retour",
    help: "Consignes",
    giveBack: "Rendre la page",
    more: "Plus",
    changed: "Ces consignes ont changé.",
    begin: "Aux questions",
  },
  crash: {
    heading: "Un problème est survenu",
    words: "Vos réponses sont conservées. Rechargez la page.",
    load: "La page ne se charge pas",
    loadWords: "La connexion est peut-être coupée. Vos réponses sont conservées.",
  },
} satisfies Catalogue["pages"];
