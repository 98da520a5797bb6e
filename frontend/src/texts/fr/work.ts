import type { Catalogue } from "../catalogue";

export default {
  saved: "Enregistré sur cet appareil.",
  saving: "Enregistrement…",
  memory: "Ce navigateur ne garde rien. Laissez l’onglet ouvert.",
  offline: "Pas de réseau. Continuez : vos réponses sont conservées ici.",
  unreachable: "Serveur injoignable. Cette page réessaie seule.",
  waiting: (n) =>
    `Pages qui attendent le réseau\u202f: ${n}. Elles sont conservées ici et s’enverront seules.`,
  soon: (minutes) => `Cette page est à vous encore ${minutes} min. Y travailler prolonge ce temps.`,
  over: "Temps écoulé. Envoyez quand même : les réponses encore utiles comptent.",
  notice: () => "Cela n’a pas marché. Vos réponses sont gardées.",
  problems: (n) => `Réponses non acceptées\u202f: ${n}. Corrigez-les et envoyez de nouveau.`,
  aside: (n) => `Réponses non transmises\u202f: ${n}. Elles restent ici.`,
} satisfies Catalogue["work"];
