import type { CampaignInstructions } from "../catalogue";

export default {
  meanings: {
    tick: "Cocher la légende de ce numéro, ou la décocher",
    tenth: "De même pour la dixième légende",
    noneFits: "Aucune des légendes ne décrit la photo",
    allTicked: "C’est tout : continuer",
    written: "La phrase est finie : continuer",
  },
  stages: {
    writing: {
      aim: "Écrivez une phrase qui décrit la photo à quelqu’un qui ne la voit pas : qui ou ce qu’on y voit, ce qui se passe, et où.",
      rules: [
        "Décrivez ce qui est représenté : le décor, la situation, ce qui se passe, et les personnes et les choses qui s’y trouvent.",
        "Écrivez une phrase entière, avec un verbe et sans faute.",
        "Pas de noms de personnes ou de lieux, même si vous les connaissez : « une femme », « une ville ».",
        "Pas de suppositions : rien sur ce que les gens pensent, sur leurs liens, ni sur ce qui se passe ensuite.",
        "Rien sur la photo elle-même, comme « une image de », ni sur qui l’a prise.",
        "Chaque photo est différente. N’employez pas deux fois la même phrase.",
      ],
      examples: {
        whole: {
          marked: ["Une femme aux cheveux longs promène deux chiens dans un parc."],
          verdict: "Bon",
          why: "Qui, ce qui se passe, et où, en une phrase.",
        },
        group: {
          marked: ["Deux musiciens jouent pour une foule sur une scène."],
          verdict: "Bon",
          why: "La phrase dit ce qui se passe et laisse de côté ce qui n’importe pas.",
        },
        guess: {
          marked: ["Un père et sa fille profitent de leurs vacances."],
          verdict: "Mauvais",
          why: "La photo ne montre pas qu’ils sont de la même famille, ni en vacances.",
        },
        short: {
          marked: ["Jolie plage."],
          verdict: "Mauvais",
          why: "Pas de phrase, et une opinion. Dites qui est là et ce qui se passe.",
        },
      },
    },
    caption_check: {
      aim: "Quelqu’un a décrit la photo. Dites si la légende convient.",
      rules: [
        "La décrit : tout ce qu’elle dit se voit, et c’est une seule phrase sans faute.",
        "Petites erreurs : elle convient à des détails près, comme une couleur ou un nombre faux, une supposition ou une faute de grammaire.",
        "Ne la décrit pas : l’essentiel est faux ou manque, elle parle d’autre chose, ou ce n’est pas une phrase.",
        "Elle n’a pas besoin de nommer tout ce qui est sur la photo.",
      ],
      examples: {
        right: {
          marked: ["Une femme aux cheveux longs promène deux chiens dans un parc."],
          verdict: "La décrit",
          why: "Tout se voit.",
        },
        minor: {
          marked: ["Une femme promènent trois chiens dans un parc."],
          verdict: "Petites erreurs",
          why: "Il y a deux chiens, et la grammaire est fausse.",
        },
        wrong: {
          marked: ["Un garçon lance une balle à un chien."],
          verdict: "Ne la décrit pas",
          why: "Il n’y a ni garçon ni balle.",
        },
      },
    },
    grading: {
      aim: "Dites à quel point la légende décrit bien la photo, sur une échelle de quatre.",
      rules: [
        "1, sans rapport : rien de ce que dit la légende n’est sur la photo.",
        "2, rapport partiel : elle convient à certains aspects de la photo, mais ne la décrit pas.",
        "3, petites erreurs : elle décrit la photo, mais des détails sont faux.",
        "4, sans erreur : elle décrit la photo.",
        "Pour être sans erreur, une légende n’a pas besoin de nommer tout ce qui est sur la photo.",
      ],
      examples: {
        exactly: {
          marked: ["Une femme aux cheveux longs promène deux chiens dans un parc."],
          verdict: "Sans erreur",
          why: "Tout se voit.",
        },
        nearly: {
          marked: ["Une femme promène trois chiens dans un parc."],
          verdict: "Petites erreurs",
          why: "Il y a deux chiens, pas trois.",
        },
        somewhat: {
          marked: ["Un chien dort sous un banc."],
          verdict: "Rapport partiel",
          why: "Il y a des chiens et un banc, mais personne ne dort.",
        },
        unrelated: {
          marked: ["Des enfants nagent dans une piscine."],
          verdict: "Sans rapport",
          why: "Rien de cela n’est sur la photo.",
        },
      },
    },
    relevance: {
      aim: "Cochez chaque légende qui décrit la photo. Si aucune ne la décrit, dites-le.",
      rules: [
        "De petites erreurs sont permises, comme une couleur ou un nombre faux.",
        "Une légende n’a pas besoin de nommer tout ce qui est sur la photo.",
        "Une légende qui ne convient qu’à certains aspects, comme le lieu seul, ne la décrit pas.",
        "Lisez-les toutes : une, plusieurs ou aucune peuvent convenir.",
      ],
      examples: {
        right: {
          marked: ["Une femme aux cheveux longs promène deux chiens dans un parc."],
          verdict: "Cocher",
          why: "Tout se voit.",
        },
        minor: {
          marked: ["Une dame passe devant un banc avec trois chiens."],
          verdict: "Cocher",
          why: "Il y a deux chiens. C’est une petite erreur.",
        },
        part: {
          marked: ["Un chien dort sous un banc."],
          verdict: "Laisser",
          why: "Il y a des chiens et un banc, mais ce n’est pas ce qui se passe.",
        },
      },
    },
  },
} satisfies CampaignInstructions;
