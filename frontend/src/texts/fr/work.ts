import type { Catalogue } from "../catalogue";

export default {
  saved: "Enregistré sur cet appareil.",
  saving: "Enregistrement…",
  memory: "Ce navigateur ne garde rien. Laissez cet onglet ouvert jusqu’à l’envoi.",
  offline: "Pas de réseau. Continuez : vos réponses sont conservées ici.",
  unreachable: "Le serveur est injoignable. Cette page réessaie automatiquement.",
  waiting: (n: number) =>
    n === 1
      ? "Une page de réponses attend le réseau. Elle est conservée ici et s’enverra d’elle-même."
      : `${n} pages de réponses attendent le réseau. Elles sont conservées ici et s’enverront d’elles-mêmes.`,
  soon: (minutes: number) =>
    `Cette page est à vous encore ${minutes === 1 ? "une minute" : `${minutes} minutes`}. Y travailler prolonge ce temps.`,
  over: "Le temps de cette page est écoulé. Envoyez-la quand même : les réponses encore utiles comptent.",
  notice: () => "Cela n’a pas marché. Vos réponses sont gardées.",
  problems: (n) => `Réponses non acceptées\u202f: ${n}. Corrigez-les et envoyez de nouveau.`,
  aside: (n) => `Réponses non transmises\u202f: ${n}. Elles restent ici jusqu’à ce que vous l’ayez vu.`,
} satisfies Catalogue["work"];
