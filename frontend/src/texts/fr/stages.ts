import type { Pointing } from "../pointer";
import type { Catalogue } from "../catalogue";

const boxes = (n: number): string => (n === 1 ? "1 cadre" : `${n} cadres`);

export default {
  link: {
    name: "Même chose ou non",
    question: "Les mots marqués désignent-ils la même chose ?",
  },
  verification: {
    name: "Vérifier un groupe",
    question: "Tous les mots marqués désignent-ils la même chose ?",
  },
  requirement: {
    name: "Cadre ou pas",
    question: "Peut-on tracer un cadre pour les mots marqués ?",
  },
  drawing: {
    name: "Tracer un cadre",
    question: "Tracez un cadre autour d’une chose que les mots marqués désignent et qui n’en a pas.",
    method: "Façon de tracer",
    ways: { extreme: "Quatre points", drag: "Glisser" },
    extreme: (by: Pointing, n: number): string =>
      `${{ click: "Cliquez", tap: "Touchez", both: "Cliquez ou touchez" }[by]} ${n === 0 ? "les extrémités d’une chose, haut, bas, gauche et droite" : n === 3 ? "le dernier point" : "le point suivant"}\u202f: ${n} sur 4.`,
    drag: "Faites glisser d’un coin au coin opposé.",
    adjust: "Déplacez les bords jusqu’à ce que le cadre soit ajusté, puis confirmez-le.",
    confirm: "Confirmer ce cadre",
    drawn: (width: number, height: number): string => `Un nouveau cadre, ${width} × ${height} pixels`,
  },
  quality: {
    name: "Juger un cadre",
    question: "Le nouveau cadre est-il bon pour les mots marqués ?",
  },
  coverage: {
    name: "Cadres au complet",
    question: "Tous les cadres qu’il faut pour les mots marqués sont-ils là ?",
  },
  boxes: {
    name: "Tracer tous les cadres",
  },
  check: {
    name: "Vérifier tous les cadres",
  },
  writing: {
    name: "Écrire une légende",
  },
  caption_check: {
    name: "Vérifier une légende",
    question: "La légende décrit-elle la photo ?",
  },
  grading: {
    name: "Noter une légende",
    question: "À quel point la légende décrit-elle bien la photo ?",
  },
  relevance: {
    name: "Associer des légendes",
  },
  choices: {
    same: { label: "Oui, la même", note: "" },
    different: { label: "Non", note: "" },
    allSame: { label: "Oui, tous", note: "" },
    notAll: { label: "Non, pas tous", note: "" },
    box: { label: "Un cadre est possible", note: "Autour d’une chose qui se voit" },
    scene: { label: "Scène ou lieu", note: "Tout l’environnement, comme un parc" },
    nobox: { label: "Pas de cadre", note: "Rien qui se voie" },
    noneNeeded: { label: "Aucun cadre requis", note: "" },
    noFurther: { label: "Aucun autre cadre requis", note: "" },
    good: { label: "Bon", note: "" },
    bad: { label: "Mauvais", note: "" },
    complete: { label: "Oui, tous sont là", note: "" },
    missing: { label: "Non, il en manque", note: "" },
    describes: { label: "La décrit", note: "" },
    minor: {
      label: "Petites erreurs",
      note: "Couleur, nombre ou grammaire faux",
    },
    wrong: { label: "Ne la décrit pas", note: "" },
    unrelated: { label: "Sans rapport", note: "Rien de cela n’est sur la photo" },
    somewhat: { label: "Rapport partiel", note: "Une partie de cela est sur la photo" },
    nearly: { label: "Petites erreurs", note: "Seuls des détails sont faux" },
    exactly: { label: "Sans erreur", note: "" },
  },
  unusable: { label: "Photo inutilisable" },
  unsure: {
    label: "Je ne sais pas",
    note: "Quelqu’un d’autre sera interrogé. Si la réponse est déjà connue, « je ne sais pas » compte comme faux.",
  },
  left: (n: number): string => `encore ${n} sur cette page`,
  unanswered: "Pas encore de réponse",
  unavailable: "Les consignes ne se chargent pas. Fermez-les et réessayez.",
  more: "Légende suivante",
  unread: "Lisez d’abord toutes les légendes. Voici la suivante.",
  photograph: "La photo",
  matter: "Légendes et remarques",
  answers: "Votre réponse",
  mentionBegins: "[marqué :",
  mentionEnds: "fin de la marque]",
  shownBoxes: {
    newOne: "Nouveau cadre",
    accepted: (n: number): string => (n === 0 ? "Aucun cadre jusqu’ici" : `${boxes(n)} jusqu’ici`),
    numbered: (n: number): string => `Cadre ${n}`,
    at: (field: string, left: number, right: number, top: number, bottom: number): string =>
      `${field}, de ${left} à ${right} % de la largeur, de ${top} à ${bottom} % de la hauteur`,
    fields: {
      topLeft: "en haut à gauche",
      topCentre: "en haut au centre",
      topRight: "en haut à droite",
      middleLeft: "à gauche",
      middleCentre: "au centre",
      middleRight: "à droite",
      bottomLeft: "en bas à gauche",
      bottomCentre: "en bas au centre",
      bottomRight: "en bas à droite",
    },
  },
  remark: {
    flag: "Mots mal découpés",
    flagNote: "Les mots marqués sont trop peu, trop nombreux ou pas les bons.",
    unrelated: "Légende d’une autre photo",
    unrelatedNote: "La légende parle d’une autre photo. Répondez quand même.",
    comment: "Remarque",
    commentLabel: "Remarque sur cette question",
    placeholder: "Que devrait savoir l’équipe de recherche ?",
  },
} satisfies Catalogue["stages"];
