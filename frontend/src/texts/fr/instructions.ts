import type { Instructions } from "../catalogue";

const points = (click: string): string =>
  `Quatre points\u202f: ${click} là où la chose est le plus haut, le plus bas, le plus à gauche et le plus à droite. Le cadre vient seul.`;

export default {
  examples: "Exemples",
  good: "Bon",
  bad: "Mauvais",
  keys: "Touches",
  key: "Touche",
  does: "Ce qu’elle fait",
  names: {
    Escape: "Échap",
    Arrows: "Flèches",
    Delete: "Suppr",
    Shift: "Maj",
    Enter: "Entrée",
    Backspace: "Retour arrière",
  },
  meanings: {
    confirm: "Poser un point au réticule. Ensuite : confirmer le cadre, continuer",
    finish:
      "Poser un point au réticule. Ensuite : laisser le cadre tel quel. Ensuite : c’est tout, continuer",
    take: "Modifier ce cadre",
    none: "Aucun cadre nécessaire, et pourquoi",
    takeBack: "Retirer le dernier point ou cadre",
    letBe: "Laisser le cadre tel quel",
    judge: "Dire comment est ce cadre",
    missing: "Il manque quelque chose",
    nothing: "Il ne manque rien",
    send: "Poser la marque, ensuite répondre et continuer",
    aim: "Déplacer la photo, ou le réticule de ce qui manque",
    newBox: "Nouveau cadre au milieu",
    move: "Déplacer un réticule, ensuite le cadre, d’un pixel",
    moveFar: "Le même, finement, ensuite de dix pixels",
    resize: "Élargir, rétrécir, hausser ou baisser le cadre",
    undo: "Annuler",
    redo: "Rétablir",
    remove: "Supprimer cadre ou points",
    zoom: "Agrandir et réduire",
    whole: "Toute la photo",
    hide: "Voir sous les cadres",
    pan: "Déplacer la photo agrandie",
    method: "Quatre points ou glisser",
    back: "Question précédente",
    comment: "Écrire une remarque. Échap quitte le champ",
    flag: "Mots marqués mal découpés",
    unrelated: "Légende d’une autre photo",
    unusable: "Photo inutilisable",
    unsure: "« Je ne sais pas », où c’est proposé. Si la réponse est connue, cela compte comme faux",
    help: "Ces consignes",
  },
  points: {
    click: points("cliquez"),
    tap: points("touchez"),
    both: points("cliquez ou touchez"),
  },
  pointer: {
    click:
      "Souris : tournez la molette pour agrandir ou réduire, maintenez la barre d’espace et faites glisser pour déplacer l’image. Tirez un bord ou un coin du cadre pour le modifier.",
    tap: "Doigts : deux agrandissent et déplacent l’image, un seul trace.",
  },
  stages: {
    link: {
      aim: "Dans chacune de deux légendes, quelques mots sont marqués. Dites si, sur cette photo, ils désignent la même chose ou les mêmes choses.",
      rules: [
        "Regardez la photo, pas seulement les mots. Des mots différents peuvent désigner la même chose. Les mêmes mots peuvent désigner deux choses différentes.",
        "Une partie n’est pas le tout. Un homme et sa main ne sont pas la même chose.",
        "Toutes les choses doivent être les mêmes. « Deux hommes » et « l’un d’eux » ne le sont pas.",
        "Une légende peut se tromper de couleur ou de nombre. S’il est clair qu’il s’agit de la même chose, la réponse est Oui.",
        "Si vous ne pouvez pas le dire, répondez « Je ne sais pas ». Si ce n’est pas proposé, répondez Non avec une remarque.",
      ],
      examples: {
        words: {
          marked: ["a man", "a young man"],
          verdict: "Oui, la même",
          why: "D’autres mots, mais il n’y a qu’un homme.",
        },
        part: {
          marked: ["a man", "a red hat"],
          verdict: "Non",
          why: "Le chapeau est sur l’homme, mais c’est une autre chose.",
        },
        some: {
          marked: ["a family", "a young girl"],
          verdict: "Non",
          why: "La fille n’est qu’un membre de la famille.",
        },
      },
    },
    verification: {
      aim: "D’autres ont trouvé que tous ces mots marqués vont ensemble. Dites si chacun désigne vraiment la même chose ou les mêmes choses.",
      rules: [
        "Lisez chaque légende. Une seule qui ne convient pas suffit pour Non.",
        "Toutes doivent désigner le même ensemble : ce n’est pas le cas de « deux chiens » et « un chien ».",
        "Une partie n’est pas le tout : un homme et sa chemise ne vont pas ensemble.",
        "Les petites erreurs d’une légende, comme une couleur fausse, ne comptent pas tant qu’on voit clairement ce qui est désigné.",
      ],
      examples: {
        all: {
          marked: ["some dogs", "two dogs", "dogs"],
          verdict: "Oui, tous",
          why: "Les trois désignent les deux chiens.",
        },
        some: {
          marked: ["some dogs", "two dogs", "a black dog"],
          verdict: "Non, pas tous",
          why: "La dernière ne désigne que l’un des deux.",
        },
        other: {
          marked: ["a guitarist", "a man with a guitar", "a woman"],
          verdict: "Non, pas tous",
          why: "La femme est quelqu’un d’autre.",
        },
      },
    },
    requirement: {
      aim: "Dites si l’on pourrait tracer des cadres autour de ce que désignent les mots marqués.",
      rules: [
        "Un cadre est possible : au moins une des choses désignées se voit et a un contour. Un groupe, comme une foule, compte aussi.",
        "Scène ou lieu : les mots désignent l’environnement dans son ensemble, comme un parc, une rue ou la mer.",
        "Pas de cadre : ce n’est pas sur la photo, ou cela ne peut pas se voir du tout, comme la musique, une promenade ou une fête.",
        "Ce qui est en partie caché reçoit aussi un cadre. Une seule chose suffit.",
      ],
      examples: {
        box: {
          marked: ["a beach ball"],
          verdict: "Un cadre est possible",
          why: "Le ballon se voit, et on voit clairement où il s’arrête.",
        },
        scene: {
          marked: ["a park"],
          verdict: "Scène ou lieu",
          why: "Le parc est partout autour de la femme et des chiens.",
        },
        nobox: {
          marked: ["music"],
          verdict: "Pas de cadre",
          why: "La musique s’entend, elle ne se voit pas.",
        },
      },
    },
    drawing: {
      aim: "Tracez un nouveau cadre autour d’une chose que les mots marqués désignent et qui n’a pas encore de cadre. Si toutes en ont un, ou si aucun n’est nécessaire, dites-le.",
      rules: [
        "Une chose, un cadre : pour « deux personnes », tracez-en un autour de l’une ; l’autre en recevra un plus tard.",
        "Un groupe dont on ne peut pas distinguer les membres, comme une foule, reçoit un seul cadre.",
        "Ajusté : chaque côté touche la chose.",
        "La chose entière, autant qu’on la voit : avec les bras, les poignées et la queue. Ne devinez pas ce qui est caché.",
        "Seulement ce que désignent les mots : pour « un chapeau », le chapeau, pas la personne dessous.",
      ],
      examples: {
        points: {
          marked: ["a young girl"],
          verdict: "Quatre points",
          why: "Tête, chaussure, main et l’autre chaussure : le cadre passe par les quatre.",
        },
        single: {
          marked: ["two dogs"],
          verdict: "Bon",
          why: "Un chien a déjà un cadre, le nouveau entoure donc l’autre.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Bon",
          why: "Trop nombreux pour les distinguer : un seul cadre autour de tous.",
        },
        loose: {
          marked: ["a drum"],
          verdict: "Mauvais",
          why: "Trop large : les côtés ne touchent pas le tambour.",
        },
        cut: { marked: ["a woman"], verdict: "Mauvais", why: "Ses jambes et un bras sont en dehors." },
      },
    },
    quality: {
      aim: "Quelqu’un a tracé un nouveau cadre. Dites s’il est bon pour les mots marqués. Les cadres précédents sont aussi affichés.",
      rules: [
        "Ajusté : chaque côté touche la chose. Les écarts minuscules ne comptent pas.",
        "Entier : rien de ce qui se voit de la chose n’est en dehors.",
        "Désigné : il entoure ce que désignent les mots marqués.",
        "Une chose : deux qu’on peut distinguer ont besoin de deux cadres. Une foule peut en avoir un seul.",
        "Nouveau : aucun cadre précédent n’entoure la même chose.",
      ],
      examples: {
        tight: { marked: ["a drum"], verdict: "Bon", why: "Ajusté, entier, et c’est ce qui est désigné." },
        loose: { marked: ["a drum"], verdict: "Mauvais", why: "Trop large de chaque côté." },
        several: {
          marked: ["two dogs"],
          verdict: "Mauvais",
          why: "Deux chiens dans un cadre : il en faut un pour chacun.",
        },
        again: {
          marked: ["two boats"],
          verdict: "Mauvais",
          why: "Ce bateau a déjà un cadre ; l’autre n’en a pas.",
        },
      },
    },
    coverage: {
      aim: "Dites si tout ce que désignent les mots marqués a son cadre.",
      rules: [
        "Comptez ce qu’on peut distinguer : « deux personnes » ont besoin de deux cadres.",
        "Un groupe dont on ne peut pas distinguer les membres a besoin d’un seul cadre.",
        "Cherchez aussi ce qui est petit, au bord ou en partie caché.",
        "Si les cadres sont bien ajustés, ce n’est pas la question ici.",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "Oui, tous sont là", why: "Deux bateaux, deux cadres." },
        group: {
          marked: ["the audience"],
          verdict: "Oui, tous sont là",
          why: "Une foule n’a besoin que d’un cadre.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "Non, il en manque",
          why: "La femme au tambour n’a pas de cadre.",
        },
      },
    },
    boxes: {
      aim: "Tracez un cadre autour de chaque chose que les mots marqués désignent et qui n’a pas encore de cadre. Dites ensuite que ce sont tous, ou qu’aucun n’est nécessaire.",
      rules: [
        "Une chose, un cadre : pour « deux personnes », tracez-en deux. Un groupe dont on ne peut pas distinguer les membres en reçoit un seul.",
        "Un cadre fini reste, et vous pouvez tracer le suivant aussitôt. Pour le modifier, appuyez sur son numéro.",
        "Ajusté et entier : chaque côté touche la chose, et rien de ce qui se voit d’elle n’est en dehors.",
        "Seulement ce que désignent les mots : pour « un chapeau », le chapeau, pas la personne dessous.",
        "Un ? sur la photo : quelqu’un a trouvé qu’il manque quelque chose là. Regardez vous-même.",
        "S’il n’y a rien à tracer, dites pourquoi : c’est une scène ou un lieu, cela ne peut pas se voir ou se tracer, ou tout a un cadre.",
      ],
      examples: {
        all: { marked: ["two dogs"], verdict: "Bon", why: "Deux chiens, deux cadres." },
        other: {
          marked: ["two boats"],
          verdict: "Bon",
          why: "Le bateau de gauche a déjà un cadre, seul l’autre en reçoit un.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Bon",
          why: "Trop nombreux pour les distinguer : un seul cadre autour de tous.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "Mauvais",
          why: "La femme au tambour n’a pas de cadre.",
        },
        both: {
          marked: ["two dogs"],
          verdict: "Mauvais",
          why: "Deux chiens dans un cadre : il en faut un pour chacun.",
        },
      },
    },
    check: {
      aim: "Quelqu’un a tracé les cadres numérotés. Marquez ceux qui ne sont pas bons, dites pourquoi, et dites si quelque chose que les mots marqués désignent n’a aucun cadre.",
      rules: [
        "Bon : ajusté, entier, autour d’une seule chose désignée, et aucun autre cadre ne l’entoure.",
        "Trop large : le cadre est trop grand. Coupé : une partie de la chose est en dehors. Les écarts minuscules ne comptent pas.",
        "Mauvais objet : il entoure autre chose, ou plusieurs choses qu’on peut distinguer.",
        "Doublon : deux cadres entourent la même chose. Dites-le d’un seul des deux.",
        "Il manque : quelque chose de désigné n’a pas de cadre. Une chose dont le cadre est trop large ne manque pas.",
        "Si vous le pouvez, montrez où il manque quelque chose : appuyez dessus un instant, ou choisissez « Il manque quelque chose » et appuyez à cet endroit.",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "Bon", why: "Deux bateaux, deux cadres, tous deux ajustés." },
        loose: { marked: ["a drum"], verdict: "Trop large", why: "Trop large de chaque côté." },
        cut: { marked: ["a woman"], verdict: "Coupé", why: "Ses jambes et un bras sont en dehors." },
        again: { marked: ["a boat"], verdict: "Doublon", why: "Ce bateau a déjà un cadre." },
        missing: {
          marked: ["the band members"],
          verdict: "Il manque quelque chose",
          why: "Le cadre est bon, mais la femme au tambour n’en a pas.",
        },
      },
    },
  },
} satisfies Instructions;
