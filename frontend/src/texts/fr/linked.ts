import type { Linked } from "../catalogue";

export default {
  away: "Il n’y a pas de travail pour vous dans cette tâche",
  awayWords:
    "Cela ne vient ni de vous ni de votre travail : d’autres ont ce qui reste, ou vous avez fait votre part. Regardez de nouveau dans quelques minutes, ou rendez la tâche sur la plateforme.",
  awayPaid:
    "Retournez avec ceci sur la plateforme, pour qu’elle sache que vous êtes venu. Si vous voulez attendre, regardez de nouveau dans quelques minutes.",
  codeWords:
    "Vos réponses sont ici. Copiez ce code et saisissez-le sur la plateforme : elle paie dès qu’elle l’a.",
  copy: "Copier",
  copied: "Copié",
} satisfies Linked;
