import type { Pointing } from "../pointer";
import type { Rest } from "../catalogue";

const plural = new Intl.PluralRules("fr");
const number = new Intl.NumberFormat("fr");
const list = new Intl.ListFormat("fr");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  list: {
    tagline: "Regardez des photos et répondez à de petites questions à leur sujet.",
    worker: (name, project) => `Vous êtes ${name} dans ${project}.`,
    earned: "Gagné jusqu’ici",
    waiting: "Du travail attend",
    start: "Commencer",
    goOn: "Continuer",
    none: "Rien à faire maintenant",
    blocked: "Fermé pour vous",
    test: "D’abord un test",
    testAgain: (when) => `Nouveau test ${when}`,
    enough: "Assez pour le moment",
    enoughUntil: (when) => `D’autres pages ${when}`,
    figures: "Pas encore ouvert pour vous",
    draft: (answered, items) =>
      `Page en cours\u202f: ${count(answered, "réponse", "réponses")} sur ${number.format(items)}`,
    unsent: "Une page attend d’être envoyée",
    pages: (n) => count(n, "page faite", "pages faites"),
    preview: "Aperçu",
    previewOf: (stage) => `Aperçu de «\u202f${stage}\u202f»`,
    look: "Ou regardez d’abord les tâches",
    key: "Appuyez sur le numéro d’une tâche pour commencer.",
    empty:
      "Il n’y a rien à faire pour le moment. Du nouveau travail arrive à mesure que d’autres avancent. Revenez voir dans un moment.",
    closed:
      "Toutes les tâches sont fermées pour vous. Votre compte dit comment interroger l’équipe de recherche.",
    offline:
      "Pas de connexion. Cette liste est peut-être ancienne. Vous pouvez continuer les pages en cours.",
    failed: "La liste n’a pas pu être chargée.",
    pay: (worth) => `Une page\u202f: ${worth}`,
    byItem: (worth) => `Une page entière\u202f: ${worth}\u202f; les plus courtes rapportent moins`,
    tasks: {
      link: "Deux légendes, quelques mots marqués dans chacune : parlent-elles de la même chose ?",
      verification:
        "Plusieurs légendes, quelques mots marqués dans chacune : parlent-elles toutes de la même chose ?",
      requirement: "Peut-on tracer un cadre autour de ce que désignent les mots marqués ?",
      drawing: "Tracez un cadre autour d’une chose que les mots marqués désignent.",
      quality: "Le nouveau cadre est-il ajusté, autour d’une seule chose entière et désignée ?",
      coverage: "Y a-t-il un cadre autour de tout ce que désignent les mots marqués ?",
      boxes: "Tracez un cadre autour de chaque chose que les mots marqués désignent.",
      check: "Les nouveaux cadres sont-ils bons, et manque-t-il quelque chose ?",
      writing: "Décrivez une photo en une phrase.",
      caption_check: "Une légende décrit-elle sa photo ?",
      grading: "À quel point une légende décrit-elle bien une photo ?",
      relevance: "Parmi des légendes, lesquelles décrivent une photo ?",
    },
  },
  closeUp: "Agrandi\u202f: tirez les bords jusqu’à ajuster le cadre. ⤢ affiche tout.",
  crosshair: (x, y, width, height, set, needed) =>
    `Réticule à ${x} de la gauche, à ${y} du haut, sur ${width} par ${height} pixels. ${set} sur ${needed} points posés.`,
  edges: {
    all: "Bords du cadre, en pixels de la photo",
    names: ["Gauche", "Haut", "Droite", "Bas"],
  },
  questions: {
    boxes: "Tracez un cadre autour de chaque chose que les mots marqués désignent et qui n’en a pas encore.",
    check: "Les nouveaux cadres sont-ils bons, et manque-t-il quelque chose ?",
    writing: "Décrivez la photo en une phrase.",
    relevance: "Quelles légendes décrivent la photo ?",
  },
  joint: {
    boxes: {
      drawn: (n: number) => count(n, "nouveau cadre", "nouveaux cadres"),
      all: (n: number) =>
        n === 0 ? "C’est tout" : `C’est tout\u202f: ${count(n, "nouveau cadre", "nouveaux cadres")}`,
      release: (n: number) => `Le cadre ${n} est juste`,
      allOf: (n: number) => (n === 1 ? "le cadre avec le ✓" : "tous les cadres avec un ✓"),
      why: "Pourquoi aucun cadre n’est-il nécessaire ?",
      reasons: {
        scene: "C’est une scène ou un lieu",
        nobox: "Cela ne peut pas se voir ou se tracer",
        done: "Tout a déjà un cadre",
      },
      back: "Revenir au tracé",
      adjust: "Tirez les bords jusqu’à ce que le cadre soit ajusté.",
      list: "Vos cadres",
      one: (n: number) => `Cadre ${n}`,
      another: (n) => `Le cadre ${n} est tracé. Tracez le suivant, ou appuyez sur «\u202fC’est tout\u202f».`,
      choose: "Choisissez une raison, ou revenez au tracé.",
      made: (n: number, where: string) => `Le cadre ${n} est tracé\u202f: ${where}.`,
      remove: (n: number) => `Supprimer le cadre ${n}`,
      twin: (n: number) => `C’est le même que le cadre ${n}.`,
      most: (n: number) =>
        `Le maximum est de ${count(n, "cadre", "cadres")}. Tracez-en un seul autour d’un groupe.`,
      unfinished: "Un cadre est commencé. Posez ses autres points, ou retirez-les.",
      nothing: "Tracez d’abord un cadre. Si aucun n’est nécessaire, dites-le.",
      removeFirst: "Si aucun cadre n’est nécessaire, supprimez d’abord ceux que vous avez tracés.",
      count: (said, boxes) =>
        `Choses nommées\u202f: ${number.format(said)}. Cadres\u202f: ${number.format(boxes)}. Si c’est juste, appuyez encore.`,
      points: (n: number, where: string) =>
        `${n === 1 ? "Quelqu’un a marqué un endroit" : `${number.format(n)} endroits sont marqués`} où il manque peut-être quelque chose\u202f: ${where}.`,
    },
    check: {
      list: "Nouveaux cadres",
      one: (n: number) => `Cadre ${n}`,
      noNew: "Il n’y a pas de nouveau cadre. Manque-t-il quelque chose ?",
      open: "Pas jugé",
      judgments: {
        good: "Bon",
        loose: "Trop large",
        cut: "Coupé",
        wrong: "Mauvais objet",
        double: "Doublon",
      },
      which: (n: number) => `Comment est le cadre ${n}\u202f?`,
      back: "Retour",
      nothingMissing: "Il ne manque rien",
      somethingMissing: "Il manque quelque chose",
      markIt: (by: Pointing) =>
        `Montrez où, si vous le pouvez\u202f: ${{ click: "cliquez à cet endroit, ou utilisez les flèches et Entrée.", tap: "touchez à cet endroit.", both: "cliquez ou touchez à cet endroit, ou utilisez les flèches et Entrée." }[by]}`,
      markedAt: (field: string) => `Marqué\u202f: ${field}.`,
      moved: "La marque est maintenant ici. Une réponse n’en a qu’une.",
      judgeFirst: (n: number) => `Le cadre ${n} n’est pas encore jugé.`,
      missingFirst: "Dites d’abord s’il manque quelque chose.",
      toSee: "Regardez d’abord les cadres",
      tap: "Appuyez sur un cadre pour dire ce qui ne va pas.",
      toJudge: "Tout n’est pas encore jugé",
      confirm: (boxes: number, bad: number, missing: boolean) =>
        [
          ...(boxes === 0
            ? []
            : bad === 0
              ? [boxes === 1 ? "le cadre est bon" : `les ${number.format(boxes)} sont bons`]
              : bad === boxes
                ? [boxes === 1 ? "le cadre est mauvais" : `les ${number.format(boxes)} sont mauvais`]
                : [count(bad, "cadre mauvais", "cadres mauvais"), count(boxes - bad, "bon", "bons")]),
          missing ? "il manque quelque chose" : "il ne manque rien",
        ]
          .join(", ")
          .replace(/^./, (letter) => letter.toUpperCase()),
    },
  },
  /** Of several captions. */
  whichUnrelated: "Quelles légendes parlent d’une autre photo ?",
  captions: {
    label: "Votre phrase",
    placeholder: "Dites ce qui se voit : qui ou quoi, ce qui se passe, et où.",
    advice: "Seulement ce qui se voit : pas de noms, pas de suppositions, rien d’extérieur à la photo.",
    correct: "Cette phrase a une faute. Écrivez-la sans la faute.",
    unchanged: "La phrase a une faute. Modifiez-la d’abord.",
    done: "Terminé",
    hints: {
      short: "Une légende a au moins quatre mots.",
      name: "Cela ressemble à un nom. Dites plutôt « un homme » ou « une tour ».",
      guess: "Cela ressemble à une supposition. Dites seulement ce qui se voit.",
      image: "Décrivez ce qui se voit, pas la photo elle-même.",
      again: "Vous avez déjà écrit cela.",
      opening: "Plusieurs de vos légendes commencent ainsi. Commencez par autre chose, si vous le pouvez.",
    },
    these: (n: number) =>
      n === 0 ? "Cochez celles qui la décrivent" : `C’est tout\u202f: ${count(n, "légende", "légendes")}`,
    none: "Aucune ne la décrit",
    tickFirst: "Cochez celles qui décrivent la photo. Si aucune ne la décrit, dites-le.",
    matched: (describes: readonly boolean[]) => {
      const places = describes.flatMap((is, at) => (is ? [number.format(at + 1)] : []));
      if (places.length === 0) return "Aucune";
      const which = places.length === 1 ? "Légende" : "Légendes";
      return `${which} ${list.format(places)} sur ${number.format(describes.length)}`;
    },
  },
  settings: {
    language: "Langue",
    theme: "Couleurs",
    auto: "Comme l’appareil",
    light: "Clair",
    dark: "Sombre",
    keys: "Répondre avec une seule touche",
    sends: "Envoyer une page automatiquement 5 secondes après sa dernière réponse",
    unchecked: "Aucun locuteur natif n’a encore relu ces textes.",
  },
  me: {
    worker: (name, project) => `${name}, dans ${project}`,
    earned: "Gagné",
    nothing: "Rien encore",
    done: "Ce que vous avez fait",
    task: "Tâche",
    pages: "Pages",
    judgments: "Réponses",
    time: "Temps",
    average: "Par page",
    total: "Total",
    weeks: "Réponses justes",
    weeksWords:
      "Pour certaines questions, la réponse juste est connue d’avance. Pour chaque semaine terminée, vous voyez à combien d’entre elles vous avez bien répondu, arrondi à 10 %. Les semaines qui comptent peu de telles questions sont omises.",
    about: (percent) => `Environ ${percent}\u202f%`,
    captions: "Vos légendes",
    captionsWere: (accepted, refused) =>
      `${number.format(accepted)} acceptées, ${number.format(refused)} refusées${refused > 0 ? ", à cause de\u202f:" : "."}`,
    refusals: {
      short: "Moins de quatre mots",
      language: "Autre langue",
      spelling: "Un mot mal écrit",
      name: "Un nom",
      guess: "Une supposition",
      image: "Des mots sur la photo elle-même",
      "repeats-own": "Elle répète une autre des vôtres",
      "repeats-other": "Elle répète celle d’une autre personne",
      check: "Elle ne décrit pas la photo",
    },
    standing: "Votre situation",
    open: "Ouvert : vous pouvez prendre des pages de cette tâche.",
    openNone: "Ouvert, mais il n’y a rien à faire pour l’instant.",
    blocked: "Fermé : l’équipe de recherche a fermé cette tâche pour vous. Demandez-lui pourquoi.",
    test: "Vous devez d’abord réussir un test. Il commence quand vous ouvrez la tâche.",
    testAgain: (when) => `Le test n’a pas été réussi. Vous pourrez réessayer ${when}.`,
    closed:
      "Fermé : trop peu de vos réponses aux questions dont la réponse est connue étaient justes, ou il ne vous reste aucun essai à son test.",
    enough: "Assez pour le moment : vous avez autant de pages qu’une personne en reçoit.",
    figures: "Pas encore ouvert : il vous faut plus de tâches approuvées sur votre plateforme.",
    contact: "Des questions ?",
    contactWords:
      "L’équipe de recherche répond aux questions sur le travail, le paiement et une tâche fermée :",
    noContact:
      "L’équipe de recherche n’a pas donné d’adresse ici. Posez vos questions là d’où vient votre lien.",
    device: "Sur cet appareil",
    deviceWords:
      "Ce navigateur conserve votre accès, vos réglages, l’indication des consignes que vous avez vues, les réponses pas encore envoyées, et un numéro auquel votre invitation le reconnaît. Les réponses sont supprimées dès que le serveur les a. Rien d’autre n’est conservé, et aucun cookie n’est utilisé.",
    signOut: "Se déconnecter de cet appareil",
    signOutTitle: "Se déconnecter de cet appareil ?",
    signOutWords: "Pour revenir, il vous faut votre lien.",
    drafts: "Pas encore envoyé :",
    draft: (stage, answered, items) =>
      `${stage}\u202f: ${count(answered, "réponse", "réponses")} sur ${number.format(items)}`,
    forget: "Supprimer aussi ces réponses",
    keepNote: "Sinon, elles restent sur cet appareil et reviennent quand vous vous reconnectez ici.",
    signedOut: "Votre session est fermée.",
    failed: "Votre compte n’a pas pu être chargée.",
    duration: (seconds) => {
      const minutes = Math.round(seconds / 60);
      if (seconds < 60) return `${Math.round(seconds)}\u202fs`;
      return minutes < 60
        ? `${minutes}\u202fmin`
        : `${Math.floor(minutes / 60)}\u202fh ${minutes % 60}\u202fmin`;
    },
    none: "–",
  },
  qualification: {
    heading: "D’abord un petit test",
    read: "Lisez les consignes ci-dessous. Vous pouvez les rouvrir à tout moment.",
    training: (n) =>
      n === 1
        ? "1 question d’entraînement : ensuite, on vous dit ce qui est juste, et pourquoi. Elle ne compte pas."
        : `${number.format(n)} questions d’entraînement\u202f: après chacune, on vous dit ce qui est juste, et pourquoi. Elles ne comptent pas.`,
    scored: (n) =>
      `Le test\u202f: ${count(n, "question", "questions")}. On ne vous dit pas quelles réponses sont justes.`,
    pass: (needed, of) =>
      `Il est réussi avec ${count(needed, "réponse juste", "réponses justes")} sur ${number.format(of)}.`,
    tries: (n) => (n === 1 ? "C’est votre dernier essai." : `Vous avez ${count(n, "essai", "essais")}.`),
    unpaid: "Le test n’est pas payé. Une fois réussi, il est valable pour cette tâche dans tout le projet.",
    begin: "Commencer",
    practice: (n, of) => `Question d’entraînement ${number.format(n)} sur ${number.format(of)}`,
    right: "Juste",
    wrong: "Pas tout à fait",
    yours: "Votre réponse :",
    rightAnswer: "Ce qui est juste :",
    rightBoxes: (n) => (n === 1 ? "le cadre avec le ✓" : "n’importe lequel des cadres avec un ✓"),
    rightOnes: "Juste",
    theirs: "Votre tracé",
    next: "Suivant",
    toTest: "Passer au test",
    ready: "Maintenant le test",
    left: (n) =>
      n === 0 ? "C’est le dernier essai." : `Ensuite, il vous reste ${count(n, "essai", "essais")}.`,
    remaining: (n) => `Il vous reste ${count(n, "essai", "essais")}.`,
    keeps:
      "Vous pouvez faire une pause : vos réponses sont conservées sur cet appareil jusqu’à ce que vous les remettiez.",
    start: "Commencer le test",
    banner: "Test : on ne montre pas quelles réponses sont justes.",
    handIn: "Remettre le test",
    score: (right, of) => `${count(right, "réponse juste", "réponses justes")} sur ${number.format(of)}.`,
    passed: "Réussi",
    passedWords: "Vous pouvez maintenant travailler sur cette tâche.",
    passedBefore: "Le test de cette tâche est réussi. Vous pouvez y travailler.",
    work: "Au travail",
    failed: "Pas réussi cette fois",
    again: "Réessayer",
    wait: (when) => `Vous pourrez réessayer ${when}.`,
    enough: "Vous avez fait votre part",
    more: (when) => `Il y en aura d’autres pour vous ${when}.`,
    waiting: "Vous pourrez réessayer plus tard",
    meanwhile: "D’autres tâches vous sont peut-être ouvertes entre-temps : la liste des tâches les montre.",
    closed: {
      tries:
        "Le test n’a pas été réussi, et il ne reste aucun essai. Si vous pensez que c’est une erreur, écrivez à l’équipe de recherche.",
      trust:
        "Pour certaines questions, la réponse est connue d’avance. Trop peu de vos réponses à ces questions étaient justes, vous ne pouvez donc pas continuer cette tâche. Chaque page que vous avez envoyée est payée comme promis.",
      enough: "Vous avez autant de pages de ce travail qu’une personne en reçoit.",
      figures:
        "Pour cette tâche, il vous faut plus de tâches terminées et approuvées sur votre plateforme. Revenez quand vous les aurez.",
    },
    offline: "Pas de connexion : cela n’est pas arrivé. Réessayez dès que la connexion est revenue.",
    retried: "Cette page réessaie automatiquement.",
  },
  preview: {
    banner: "Ceci est un aperçu : rien n’est envoyé, rien n’est conservé, rien n’est payé.",
    done: "C’était l’aperçu",
    doneWords: "Rien n’a été envoyé. Avec une page à vous, vous voyez ici ce que vous avez gagné.",
    again: "Encore une fois",
    toWork: "Se mettre au travail",
  },
  crowd: {
    preview: "Ceci est un aperçu avec des images d’exemple. Acceptez la tâche pour commencer.",
    previewWords:
      "Rien n’a été envoyé. Acceptez la tâche sur la plateforme pour travailler sur une page à vous.",
    nobody: "Ouvrez cette tâche sur sa plateforme",
    nobodyWords:
      "Cette page appartient à une tâche d’une plateforme de crowdworking, et l’adresse ne dit pas pour qui elle est. Retournez sur la plateforme et ouvrez la tâche là-bas.",
    giveBack: "Veuillez rendre cette tâche sur la plateforme",
    none: "Il n’y a pas de page pour vous dans cette tâche maintenant",
    nothing:
      "D’autres ont ouvert les pages restantes ou les ont faites, ou vous les avez toutes vues. Si vous venez de commencer, la plateforme doit peut-être encore confirmer vos premières réponses, ce qui prend environ une demi-minute. Tant que vous attendez ici, cette page vérifie de nouveau automatiquement. Si aucune page n’arrive en quelques minutes, rendez la tâche sur la plateforme. Il n’y a aucun problème avec votre travail.",
    limited:
      "Beaucoup de personnes ont ouvert de telles tâches depuis votre réseau au cours de la dernière heure. Cette page réessaie automatiquement à quelques minutes d’intervalle. Si vous ne voulez pas attendre, rendez la tâche sur la plateforme.",
    returned:
      "Vous avez rendu la page ici. La plateforme ne le sait pas encore : rendez donc aussi la tâche là-bas.",
    gone: "Elle est terminée ici. Rien de ce que vous y feriez maintenant ne compterait.",
    crowded: "Plus de personnes l’ont ouverte qu’elle n’a de places.",
    address:
      "Cette page n’est pas à l’adresse que donne la plateforme. Ouvrez de nouveau la tâche depuis la plateforme. Si vous revoyez ceci, rendez la tâche.",
    test: "Si vous ne pouvez pas ou ne voulez pas continuer ici, rendez la tâche sur la plateforme.",
    testPaid:
      "Le test est payé même si vous ne le réussissez pas. Si vous ne voulez pas continuer ici, rendez la tâche sur la plateforme.",
    lease: "D’autres l’ont peut-être aussi. Remettez-la à temps sur la plateforme\u202f: elle est payée.",
    over: "La plateforme a déjà cette page",
    overWords: "Il n’y a plus rien à faire ici. Continuez avec d’autres tâches sur la plateforme.",
    last: "Terminé. Dites-le maintenant à la plateforme",
    lastWords: "Vos réponses sont ici. La plateforme paie dès qu’elle sait que vous avez terminé.",
    submit: "Remettre à la plateforme",
    back: "Retour à la plateforme",
    waits: "En attente du réseau. Gardez cette page ouverte.",
    ended: "Votre temps sur cette page est écoulé ici",
    endedWords:
      "Rechargez la page pour continuer. Si votre navigateur le permet, vos réponses sont conservées jusque-là.",
    broken:
      "Si la page a cessé de fonctionner pendant votre travail, écrivez à l’équipe de recherche : le travail fait sur elle peut être payé en partie.",
    number: (key) => `Quand vous écrivez, donnez ce numéro\u202f: ${key}`,
    rescue: (contact, key) =>
      `Si votre travail sur cette page est perdu, il peut être payé en partie. ${contact ? `Écrivez à ${contact}` : "Écrivez à l’auteur de la tâche sur la plateforme"} et donnez ce numéro\u202f: ${key}`,
    again: "Vérifier de nouveau",
  },
  join: {
    project: (project) => `On vous invite à travailler sur ${project}.`,
    name: {
      label: "Votre nom ou votre adresse e-mail",
      hint: "L’équipe de recherche le voit et sait ainsi qui payer. Les autres participants ne le voient pas.",
      empty: "Écrivez d’abord un nom ou une adresse e-mail.",
      refused: "Quelqu’un a déjà ce nom, ou il ne peut pas être utilisé. Choisissez-en un autre.",
    },
    passcode: {
      label: "Code d’accès",
      hint: "Il est venu avec l’invitation, ou on vous le dit là où vous travaillez.",
      empty: "Écrivez d’abord le code d’accès.",
      refused: "Ce n’est pas le code d’accès. Vérifiez-le et réessayez.",
    },
    back: "Vous avez déjà rejoint ce travail, dans ce navigateur.",
    go: "Participer",
    goOn: "Continuer",
    kept: "Ce navigateur conserve votre accès : le même lien vous ramène donc ici. Aucun cookie n’est utilisé.",
    cut: "Ce n’est pas une invitation. Il manque peut-être une partie du lien. Copiez le lien entier et ouvrez-le de nouveau.",
    used: "Cette invitation a déjà été utilisée. Elle s’ouvre encore dans le navigateur où elle l’a été. Sinon, demandez votre propre invitation à l’équipe de recherche.",
    over: "Cette invitation n’est plus valable. Demandez-en une autre à l’équipe de recherche.",
    closed: "Le travail est fermé pour vous. Demandez pourquoi à l’équipe de recherche.",
    offline: "Le serveur n’a pas répondu. Vérifiez votre connexion et réessayez.",
    limited:
      "Il y a eu trop d’essais. Attendez un moment et réessayez : dans une heure au plus tard, ce sera possible.",
  },
  overview: {
    heading: "Vos réponses",
    ready: "Parcourez-les. Choisissez-en une pour la modifier.",
    missing: (n) =>
      `${count(n, "question n’a pas encore de réponse", "questions n’ont pas encore de réponse")}.`,
    submit: "Envoyer la page",
    sendsIn: (seconds) => `Cette page est envoyée dans ${count(seconds, "seconde", "secondes")}.`,
    hold: "Ne pas encore envoyer",
    held: "La page n’est pas envoyée. Envoyez-la quand vous voudrez.",
    toMissing: "À la prochaine question sans réponse",
    commented: "avec une remarque",
    flagged: "mots mal découpés",
    unrelated: "légende d’une autre photo",
    pictures: "Les images ne se chargent pas ?",
    refresh: "Les recharger",
  },
  phase: {
    sending: "Envoi de vos réponses…",
    sendingOffline:
      "Pas de connexion. Les réponses sont conservées, et envoyées dès qu’elle est revenue. Vous pouvez fermer cette page.",
    sendingInMemory:
      "Pas de réseau, et ce navigateur ne peut pas enregistrer vos réponses. Gardez cet onglet ouvert jusqu’à ce qu’elles soient envoyées.",
    done: "Page faite",
    doneWords: (n) => `${count(n, "réponse acceptée", "réponses acceptées")}. Merci.`,
    late: (n) => `${count(n, "est arrivée", "sont arrivées")} trop tard\u202f: on n’en avait plus besoin.`,
    reward: "Pour cette page",
    session: "Dans cette session",
    next: "Page suivante",
    nothing: "Rien à faire ici maintenant",
    nothingWords:
      "De nouvelles pages arrivent à mesure que d’autres avancent. Cette page redemande automatiquement.",
    ask: "Redemander",
    asked: (time) => `Dernière demande à ${time}. Il n’y a encore rien.`,
    begun: "Pages que vous avez commencées ici :",
    elsewhere: "Ouverte dans un autre onglet",
    elsewhereWords:
      "On travaille sur cette page dans un autre onglet ou une autre fenêtre. Un seul à la fois peut la modifier.",
    takeOver: "Continuer ici",
    returned: "Page rendue",
    returnedWords: "D’autres reçoivent maintenant ses questions.",
    refused: "Cette tâche est fermée pour vous",
    refusedWords: "Votre compte dit comment interroger l’équipe de recherche.",
    failed: "Cela n’a pas marché",
    failedWords: "Vos réponses sont conservées sur cet appareil. Cette page réessaie automatiquement.",
    full: (n) => `Vous avez ${n} pages en cours. Terminez ou rendez l’une d’elles.`,
  },
  signin: {
    heading: "Se connecter",
    words: "Ces pages s’ouvrent avec un lien personnel. Collez le lien que vous avez reçu, ou son jeton.",
    kept: "Votre session a été fermée, parce que votre accès a pris fin ou a été modifié. Vos réponses sont conservées sur cet appareil. Ouvrez de nouveau votre lien le plus récent ou votre invitation, et vous pourrez reprendre où vous en étiez.",
    ended:
      "Votre session a été fermée, parce que votre accès a pris fin ou a été modifié. Ouvrez de nouveau votre lien le plus récent ou votre invitation.",
    field: "Lien ou jeton",
    go: "Se connecter",
    empty: "Collez d’abord le lien.",
    wrong: "Ce n’est pas un lien pour ces pages. Copiez le lien entier et collez-le de nouveau.",
    noLink:
      "Si vous n’avez pas de lien ou s’il ne marche plus, demandez-en un à l’équipe de recherche qui vous a envoyé l’invitation.",
    researchers: "L’équipe de recherche se connecte ici",
  },
  aside: {
    words: (stage, answers) =>
      `${stage}\u202f: ${count(answers, "réponse n’a pas pu être transmise", "réponses n’ont pas pu être transmises")}\u202f: la page n’est plus à vous.`,
    seen: "Supprimer",
  },
  giveBack: {
    title: "Rendre cette page ?",
    words: (answered) =>
      answered === 0
        ? "D’autres recevront ces questions."
        : `D’autres recevront ces questions. ${count(answered, "de vos réponses est supprimée", "de vos réponses sont supprimées")}, et rien n’est payé pour cette page.`,
    keep: "La garder",
  },
  unknown: {
    words: "Il manque peut-être une partie de l’adresse. Toutes les tâches sont sur la première page.",
  },
} satisfies Rest;
