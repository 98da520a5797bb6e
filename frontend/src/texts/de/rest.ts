import type { Pointing } from "../pointer";
import type { Rest } from "../catalogue";

const plural = new Intl.PluralRules("de");
const number = new Intl.NumberFormat("de");
const list = new Intl.ListFormat("de");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  list: {
    tagline: "Fotos ansehen und kleine Fragen dazu beantworten.",
    worker: (name, project) => `Angemeldet als ${name} in ${project}.`,
    earned: "Bisher verdient",
    waiting: "Arbeit wartet",
    start: "Beginnen",
    goOn: "Weitermachen",
    none: "Zurzeit nichts zu tun",
    blocked: "Für Sie geschlossen",
    test: "Zuerst kommt ein Test",
    testAgain: (when) => `Test wieder ${when}`,
    enough: "Genug für jetzt",
    enoughUntil: (when) => `Mehr Seiten ${when}`,
    figures: "Noch nicht offen für Sie",
    draft: (answered, items) => `Angefangene Seite: ${answered} von ${items} beantwortet`,
    unsent: "Eine Seite wartet auf das Absenden",
    pages: (n) => count(n, "Seite erledigt", "Seiten erledigt"),
    preview: "Vorschau",
    previewOf: (stage) => `Vorschau von „${stage}“`,
    look: "Oder die Aufgaben zuerst ansehen",
    key: "Die Zifferntaste einer Aufgabe öffnet sie.",
    empty:
      "Im Moment ist nichts zu tun. Neue Arbeit entsteht, während andere weitermachen: bitte später nachsehen.",
    closed:
      "Alle Aufgaben sind für Sie geschlossen. Unter „Ihr Konto“ steht, wie die Forschenden zu erreichen sind.",
    offline: "Keine Verbindung. Diese Liste ist womöglich alt. Angefangene Seiten lassen sich bearbeiten.",
    failed: "Die Liste konnte nicht geladen werden.",
    pay: (worth) => `Je Seite: ${worth}`,
    byItem: (worth) => `Je volle Seite: ${worth}; kürzere bringen weniger`,
    tasks: {
      link: "Zwei Bildtexte mit markierten Wörtern: Geht es um dasselbe?",
      verification: "Mehrere Bildtexte mit markierten Wörtern: Geht es überall um dasselbe?",
      requirement: "Lässt sich um das, was die markierten Wörter nennen, ein Rahmen ziehen?",
      drawing: "Einen Rahmen um eines der Dinge ziehen, die die markierten Wörter nennen.",
      quality: "Sitzt der neue Rahmen eng um ein ganzes Ding, das gemeint ist?",
      coverage: "Hat alles, was die markierten Wörter nennen, seinen Rahmen?",
      boxes: "Um jedes Ding, das die markierten Wörter nennen, einen Rahmen ziehen.",
      check: "Sind die neuen Rahmen gut, und fehlt etwas?",
      writing: "Ein Foto in einem Satz beschreiben.",
      caption_check: "Beschreibt ein Bildtext sein Foto?",
      grading: "Wie gut beschreibt ein Bildtext ein Foto?",
      relevance: "Welche von einigen Bildtexten beschreiben ein Foto?",
    },
  },
  closeUp: "Vergrößert: Die Kanten verschieben, bis der Rahmen eng sitzt. ⤢ zeigt alles.",
  crosshair: (x, y, width, height, set, needed) =>
    `Fadenkreuz ${x} von links, ${y} von oben, von ${width} mal ${height} Pixeln. ${set} von ${needed} Punkten gesetzt.`,
  edges: {
    all: "Kanten des Rahmens in Pixeln des Fotos",
    names: ["Links", "Oben", "Rechts", "Unten"],
  },
  questions: {
    boxes: "Um jedes Ding einen Rahmen ziehen, das die markierten Wörter nennen und das noch keinen hat.",
    check: "Sind die neuen Rahmen gut, und fehlt etwas?",
    writing: "Beschreiben Sie das Foto in einem Satz.",
    relevance: "Welche der Bildtexte beschreiben das Foto?",
  },
  joint: {
    boxes: {
      drawn: (n: number) => count(n, "neuer Rahmen", "neue Rahmen"),
      all: (n: number) =>
        n === 0 ? "Das sind alle" : `Das sind alle: ${count(n, "neuer Rahmen", "neue Rahmen")}`,
      release: (n: number) => `Rahmen ${n} stimmt`,
      allOf: (n: number) => (n === 1 ? "der Rahmen mit dem ✓" : "alle Rahmen mit einem ✓"),
      why: "Warum ist kein Rahmen nötig?",
      reasons: {
        scene: "Es ist eine Szene oder ein Ort",
        nobox: "Es ist nicht zu sehen oder zu umrahmen",
        done: "Alles hat schon einen Rahmen",
      },
      back: "Zurück zum Zeichnen",
      adjust: "Die Kanten verschieben, bis der Rahmen eng sitzt.",
      list: "Ihre Rahmen",
      one: (n: number) => `Rahmen ${n}`,
      another: (n) => `Rahmen ${n} ist da. Den nächsten ziehen oder „Das sind alle“ drücken.`,
      choose: "Einen Grund wählen, oder zurück zum Zeichnen.",
      made: (n: number, where: string) => `Rahmen ${n} ist gezogen: ${where}.`,
      remove: (n: number) => `Rahmen ${n} entfernen`,
      twin: (n: number) => `Das ist derselbe wie Rahmen ${n}.`,
      most: (n: number) =>
        `Mehr als ${number.format(n)} Rahmen gehen nicht. Um eine Gruppe einen einzigen ziehen.`,
      unfinished: "Ein Rahmen ist begonnen. Die übrigen Punkte setzen oder sie zurücknehmen.",
      nothing: "Zuerst einen Rahmen ziehen. Ist keiner nötig, das sagen.",
      removeFirst: "Sie haben Rahmen gezogen. Ist keiner nötig, diese zuerst entfernen.",
      count: (said, boxes) =>
        `Genannte Dinge: ${number.format(said)}. Rahmen: ${number.format(boxes)}. Stimmt das, noch einmal drücken.`,
      points: (n: number, where: string) =>
        `${n === 1 ? "Jemand hat eine Stelle markiert" : `${number.format(n)} Stellen sind markiert`}, an der vielleicht etwas fehlt: ${where}.`,
    },
    check: {
      list: "Neue Rahmen",
      one: (n: number) => `Rahmen ${n}`,
      noNew: "Es gibt keinen neuen Rahmen. Fehlt etwas?",
      open: "Noch offen",
      judgments: {
        good: "Gut",
        loose: "Zu weit",
        cut: "Abgeschnitten",
        wrong: "Falsches Ding",
        double: "Doppelt",
      },
      which: (n: number) => `Rahmen ${n} ist …`,
      back: "Zurück",
      nothingMissing: "Es fehlt nichts",
      somethingMissing: "Es fehlt etwas",
      markIt: (by: Pointing) =>
        `Wenn möglich, die Stelle zeigen: ${{ click: "dort klicken, oder mit Pfeiltasten und Enter.", tap: "dort tippen.", both: "dort klicken oder tippen, oder mit Pfeiltasten und Enter." }[by]}`,
      markedAt: (field: string) => `Markiert: ${field}.`,
      moved: "Die Marke ist jetzt hier. Eine Antwort hat nur eine.",
      judgeFirst: (n: number) => `Rahmen ${n} ist noch nicht beurteilt.`,
      missingFirst: "Bitte zuerst sagen, ob etwas fehlt.",
      toSee: "Erst die Rahmen ansehen",
      tap: "Einen Rahmen drücken und sagen, was an ihm falsch ist.",
      toJudge: "Noch nicht alles beurteilt",
      confirm: (boxes: number, bad: number, missing: boolean) =>
        [
          ...(boxes === 0
            ? []
            : bad === 0
              ? [boxes === 1 ? "Der Rahmen ist gut" : `Alle ${number.format(boxes)} sind gut`]
              : bad === boxes
                ? [boxes === 1 ? "Der Rahmen ist schlecht" : `Alle ${number.format(boxes)} sind schlecht`]
                : [`${count(bad, "Rahmen", "Rahmen")} schlecht`, `${number.format(boxes - bad)} gut`]),
          missing ? "es fehlt etwas" : "es fehlt nichts",
        ]
          .join(", ")
          .replace(/^./, (letter) => letter.toUpperCase()),
    },
  },
  /** Of several captions. */
  whichUnrelated: "Welche Sätze beschreiben ein anderes Foto?",
  captions: {
    label: "Ihr Satz",
    placeholder: "Was zu sehen ist: wer oder was, was geschieht, und wo.",
    advice: "Nur was zu sehen ist: keine Namen, keine Vermutungen, nichts von außerhalb des Fotos.",
    correct: "Dieser Satz hat einen Fehler. Schreiben Sie ihn ohne den Fehler.",
    unchanged: "Der Satz hat einen Fehler. Bitte zuerst ändern.",
    done: "Fertig",
    hints: {
      short: "Ein Bildtext hat mindestens vier Wörter.",
      name: "Das sieht nach einem Namen aus. Besser „ein Mann“ oder „ein Turm“.",
      guess: "Das sieht nach einer Vermutung aus. Bitte nur schreiben, was zu sehen ist.",
      image: "Bitte beschreiben, was zu sehen ist, nicht das Foto selbst.",
      again: "Das haben Sie schon geschrieben.",
      opening: "Mehrere Ihrer Bildtexte beginnen so. Wenn möglich, anders anfangen.",
    },
    these: (n: number) =>
      n === 0 ? "Ankreuzen, was es beschreibt" : `Das sind alle: ${count(n, "Bildtext", "Bildtexte")}`,
    none: "Keiner beschreibt es",
    tickFirst: "Ankreuzen, welche das Foto beschreiben. Wenn keiner, das sagen.",
    matched: (describes: readonly boolean[]) => {
      const places = describes.flatMap((is, at) => (is ? [number.format(at + 1)] : []));
      if (places.length === 0) return "Keiner";
      const which = places.length === 1 ? "Bildtext" : "Bildtexte";
      return `${which} ${list.format(places)} von ${number.format(describes.length)}`;
    },
  },
  settings: {
    language: "Sprache",
    theme: "Farben",
    auto: "Wie das Gerät",
    light: "Hell",
    dark: "Dunkel",
    keys: "Mit einzelnen Tasten antworten",
    sends: "Eine Seite 5 Sekunden nach der letzten Antwort automatisch senden",
    unchecked: "",
  },
  me: {
    worker: (name, project) => `${name}, in ${project}`,
    earned: "Verdient",
    nothing: "Noch nichts",
    done: "Was Sie getan haben",
    task: "Aufgabe",
    pages: "Seiten",
    judgments: "Antworten",
    time: "Zeit",
    average: "Je Seite",
    total: "Zusammen",
    weeks: "Richtige Antworten",
    weeksWords:
      "Bei manchen Fragen ist die richtige Antwort vorher bekannt. Für jede abgeschlossene Woche steht hier, wie viele davon Sie richtig hatten, auf 10 % gerundet. Wochen mit wenigen solchen Fragen fehlen hier.",
    about: (percent) => `Etwa ${percent} %`,
    captions: "Ihre Beschreibungen",
    captionsWere: (accepted, refused) =>
      `${number.format(accepted)} angenommen, ${number.format(refused)} abgelehnt${refused > 0 ? ", und zwar wegen:" : "."}`,
    refusals: {
      short: "Weniger als vier Wörter",
      language: "Andere Sprache",
      spelling: "Falsch geschriebenes Wort",
      name: "Name",
      guess: "Vermutung",
      image: "Worte über das Foto selbst",
      "repeats-own": "Wiederholung einer eigenen",
      "repeats-other": "Wiederholung einer fremden",
      check: "Sie beschreibt das Foto nicht",
    },
    standing: "Ihr Stand",
    open: "Offen: Seiten dieser Aufgabe stehen Ihnen zu.",
    openNone: "Offen, aber zurzeit gibt es nichts zu tun.",
    blocked:
      "Geschlossen: Die Forschenden haben diese Aufgabe für Sie geschlossen. Bitte dort nach dem Grund fragen.",
    test: "Zuerst ist ein Test zu bestehen. Er beginnt, wenn Sie die Aufgabe öffnen.",
    testAgain: (when) => `Der Test wurde nicht bestanden. Ein neuer Versuch ist ${when} möglich.`,
    closed:
      "Geschlossen: Zu wenige Ihrer Antworten auf Fragen mit bekannter Antwort waren richtig, oder es ist kein Versuch am Test mehr übrig.",
    enough: "Genug für jetzt: Sie haben so viele Seiten, wie eine Person bekommt.",
    figures: "Noch nicht offen: Sie brauchen dafür mehr angenommene Aufgaben auf Ihrer Plattform.",
    contact: "Fragen?",
    contactWords: "Fragen zur Arbeit, zur Bezahlung und zu geschlossenen Aufgaben beantwortet:",
    noContact: "Hier wurde keine Adresse angegeben. Bitte dort fragen, wo der Link herkam.",
    device: "Auf diesem Gerät",
    deviceWords:
      "Dieser Browser bewahrt Ihren Zugang und Ihre Einstellungen auf, welche Anleitungen Sie gesehen haben, noch nicht gesendete Antworten und eine Nummer, an der Ihre Einladung ihn erkennt. Antworten werden gelöscht, sobald der Server sie hat. Sonst wird nichts aufbewahrt, und Cookies gibt es keine.",
    signOut: "Auf diesem Gerät abmelden",
    signOutTitle: "Auf diesem Gerät abmelden?",
    signOutWords: "Um wiederzukommen, brauchen Sie Ihren Link.",
    drafts: "Noch nicht gesendet:",
    draft: (stage, answered, items) => `${stage}: ${answered} von ${items} beantwortet`,
    forget: "Auch diese Antworten löschen",
    keepNote: "Sonst bleiben sie auf diesem Gerät und sind nach dem nächsten Anmelden hier wieder da.",
    signedOut: "Sie sind abgemeldet.",
    failed: "Ihr Konto konnte nicht geladen werden.",
    duration: (seconds) => {
      const minutes = Math.round(seconds / 60);
      if (seconds < 60) return `${Math.round(seconds)} s`;
      return minutes < 60 ? `${minutes} Min.` : `${Math.floor(minutes / 60)} Std. ${minutes % 60} Min.`;
    },
    none: "–",
  },
  qualification: {
    heading: "Zuerst ein kurzer Test",
    read: "Lesen Sie die Anleitung unten. Sie lässt sich jederzeit wieder öffnen.",
    training: (n) =>
      n === 1
        ? "1 Übungsfrage: Danach erfahren Sie, was richtig ist und warum. Sie zählt nicht."
        : `${number.format(n)} Übungsfragen: Nach jeder erfahren Sie, was richtig ist und warum. Sie zählen nicht.`,
    scored: (n) =>
      `Der Test: ${count(n, "Frage", "Fragen")}. Welche Antworten richtig sind, wird nicht gesagt.`,
    pass: (needed, of) =>
      `Bestanden ist er mit ${number.format(needed)} richtigen Antworten von ${number.format(of)}.`,
    tries: (n) => (n === 1 ? "Das ist Ihr letzter Versuch." : `Sie haben ${number.format(n)} Versuche.`),
    unpaid: "Der Test wird nicht bezahlt. Einmal bestanden, gilt er für diese Aufgabe im ganzen Projekt.",
    begin: "Los",
    practice: (n, of) => `Übungsfrage ${number.format(n)} von ${number.format(of)}`,
    right: "Richtig",
    wrong: "Nicht ganz",
    yours: "Ihre Antwort:",
    rightAnswer: "Richtig ist:",
    rightBoxes: (n) => (n === 1 ? "der Rahmen mit dem ✓" : "einer der Rahmen mit einem ✓"),
    rightOnes: "Richtig",
    theirs: "Ihrer",
    next: "Weiter",
    toTest: "Weiter zum Test",
    ready: "Jetzt der Test",
    left: (n) =>
      n === 0
        ? "Es ist der letzte Versuch."
        : `Danach ${n === 1 ? "bleibt" : "bleiben"} noch ${count(n, "Versuch", "Versuche")}.`,
    remaining: (n) => `Sie haben noch ${count(n, "Versuch", "Versuche")}.`,
    keeps: "Eine Pause ist möglich: Ihre Antworten bleiben auf diesem Gerät aufbewahrt, bis Sie sie abgeben.",
    start: "Test beginnen",
    banner: "Test: Was richtig ist, wird hier nicht gezeigt.",
    handIn: "Test abgeben",
    score: (right, of) => `${number.format(right)} von ${number.format(of)} Antworten waren richtig.`,
    passed: "Bestanden",
    passedWords: "Jetzt können Sie an dieser Aufgabe arbeiten.",
    passedBefore: "Der Test dieser Aufgabe ist bestanden. Sie können daran arbeiten.",
    work: "Zur Arbeit",
    failed: "Diesmal nicht bestanden",
    again: "Noch einmal versuchen",
    wait: (when) => `Ein neuer Versuch ist ${when} möglich.`,
    enough: "Sie haben Ihren Anteil gemacht",
    more: (when) => `Mehr gibt es für Sie ${when}.`,
    waiting: "Ein neuer Versuch ist später möglich",
    meanwhile: "Andere Aufgaben stehen Ihnen vielleicht inzwischen offen: Die Liste der Aufgaben zeigt sie.",
    closed: {
      tries:
        "Der Test wurde nicht bestanden, und es sind keine Versuche übrig. Halten Sie das für einen Irrtum, schreiben Sie den Forschenden.",
      trust:
        "Von einigen Fragen ist die Antwort vorher bekannt. Zu wenige Ihrer Antworten darauf waren richtig, um mit dieser Aufgabe weiterzumachen. Jede abgesendete Seite wird bezahlt wie versprochen.",
      enough: "Sie haben von dieser Arbeit so viele Seiten, wie eine Person bekommt.",
      figures:
        "Sie brauchen dafür mehr erledigte und angenommene Aufgaben auf Ihrer Plattform. Kommen Sie wieder, wenn Sie sie haben.",
    },
    offline: "Keine Verbindung: Das kam nicht an. Versuchen Sie es wieder, sobald die Verbindung zurück ist.",
    retried: "Es wird von selbst erneut versucht.",
  },
  preview: {
    banner: "Dies ist eine Vorschau: Nichts wird gesendet, aufbewahrt oder bezahlt.",
    done: "Das war die Vorschau",
    doneWords: "Nichts wurde gesendet. Nach einer eigenen Seite steht hier, was Sie verdient haben.",
    again: "Noch einmal",
    toWork: "Mit der Arbeit beginnen",
  },
  crowd: {
    preview: "Dies ist eine Vorschau mit Beispielbildern. Nehmen Sie die Aufgabe an, um zu beginnen.",
    previewWords: "Nichts wurde gesendet. Für eine eigene Seite nehmen Sie die Aufgabe auf der Plattform an.",
    nobody: "Bitte diese Aufgabe auf ihrer Plattform öffnen",
    nobodyWords:
      "Diese Seite gehört zu einer Aufgabe auf einer Crowd-Plattform, und die Adresse sagt nicht, für wen sie ist. Gehen Sie zurück zur Plattform und öffnen Sie die Aufgabe dort.",
    giveBack: "Bitte geben Sie diese Aufgabe auf der Plattform zurück",
    none: "Zurzeit gibt es darin keine Seite für Sie",
    nothing:
      "Andere haben den Rest, oder Sie haben alles gesehen. Haben Sie gerade erst angefangen, fehlt vielleicht noch die Bestätigung der Plattform für Ihre ersten Antworten: Das dauert etwa eine halbe Minute. Solange Sie hier warten, wird von selbst nachgesehen. Kommt in den nächsten Minuten keine, geben Sie die Aufgabe auf der Plattform zurück. Mit Ihrer Arbeit ist alles in Ordnung.",
    limited:
      "Aus Ihrem Netz haben in der letzten Stunde viele Leute solche Aufgaben geöffnet. Es wird von selbst wieder versucht. Wenn Sie nicht warten möchten, geben Sie die Aufgabe auf der Plattform zurück.",
    returned:
      "Sie haben die Seite hier zurückgegeben. Die Plattform weiß davon noch nichts: Geben Sie die Aufgabe auch dort zurück.",
    gone: "Hier ist sie zu Ende. Was Sie jetzt darin täten, könnte nicht mehr zählen.",
    crowded: "Mehr Leute haben sie geöffnet, als sie Plätze hat.",
    address:
      "Die Adresse dieser Seite ist nicht so, wie die Plattform sie angibt. Öffnen Sie die Aufgabe dort noch einmal; kommt dies wieder, geben Sie sie zurück.",
    test: "Wenn Sie hier nicht weitermachen können oder wollen, geben Sie die Aufgabe auf der Plattform zurück.",
    testPaid:
      "Der Test wird auch bezahlt, wenn Sie ihn nicht bestehen. Wenn Sie hier nicht weitermachen wollen, geben Sie die Aufgabe auf der Plattform zurück.",
    lease: "Andere haben sie vielleicht auch. In der Zeit der Plattform abgeben: Sie wird bezahlt.",
    over: "Die Plattform hat diese Seite schon",
    overWords: "Hier ist nichts mehr zu tun. Weitere Aufgaben gibt es auf der Plattform.",
    last: "Fertig. Jetzt muss es die Plattform wissen",
    lastWords: "Ihre Antworten sind hier. Die Plattform zahlt, sobald sie weiß, dass Sie fertig sind.",
    submit: "Auf der Plattform abgeben",
    back: "Zurück zur Plattform",
    waits: "Das wartet auf das Netz. Lassen Sie diese Seite offen.",
    ended: "Ihre Zeit auf dieser Seite ist hier zu Ende",
    endedWords:
      "Laden Sie die Seite neu, um weiterzumachen: Ihre Antworten bleiben bis dahin, wo Ihr Browser es erlaubt.",
    broken:
      "Wenn die Seite während der Arbeit nicht mehr ging, schreiben Sie den Forschenden: Die Arbeit daran kann zum Teil bezahlt werden.",
    number: (key) => `Nennen Sie dabei diese Nummer: ${key}`,
    rescue: (contact, key) =>
      `Ist Ihre Arbeit an dieser Seite verloren, kann sie zum Teil bezahlt werden. Schreiben Sie ${contact ? `an ${contact}` : "dem Auftraggeber auf der Plattform"} und nennen Sie diese Nummer: ${key}`,
    again: "Noch einmal nachsehen",
  },
  join: {
    project: (project) => `Sie sind zur Mitarbeit an ${project} eingeladen.`,
    name: {
      label: "Ihr Name oder Ihre E-Mail-Adresse",
      hint: "Nur die Forschenden sehen das und wissen so, wer zu bezahlen ist.",
      empty: "Bitte zuerst einen Namen oder eine E-Mail-Adresse eingeben.",
      refused: "Diesen Namen gibt es schon, oder er geht nicht. Bitte einen anderen wählen.",
    },
    passcode: {
      label: "Kennwort",
      hint: "Es kam mit der Einladung oder wird vor Ort gesagt.",
      empty: "Bitte zuerst das Kennwort eingeben.",
      refused: "Das ist nicht das Kennwort. Bitte noch einmal nachsehen.",
    },
    back: "Sie haben in diesem Browser schon zugesagt.",
    go: "Mitmachen",
    goOn: "Weiter",
    kept: "Dieser Browser bewahrt Ihren Zugang auf: Derselbe Link führt hierher zurück. Cookies werden nicht verwendet.",
    cut: "Das ist keine Einladung. Vielleicht fehlt ein Stück des Links: bitte ganz kopieren und noch einmal öffnen.",
    used: "Diese Einladung wurde schon benutzt. In dem Browser, in dem das war, öffnet sie sich weiterhin; sonst bitten Sie die Forschenden um eine eigene.",
    over: "Diese Einladung gilt nicht mehr. Bitten Sie die Forschenden um eine neue.",
    closed: "Die Arbeit ist für Sie geschlossen. Fragen Sie die Forschenden nach dem Grund.",
    offline: "Der Server hat nicht geantwortet. Bitte die Verbindung prüfen und noch einmal versuchen.",
    limited: "Das waren zu viele Versuche. Bitte später noch einmal: spätestens nach einer Stunde.",
  },
  overview: {
    heading: "Ihre Antworten",
    ready: "Bitte durchsehen. Eine Antwort auswählen, um sie zu ändern.",
    missing: (n) => `${count(n, "Frage ist", "Fragen sind")} noch nicht beantwortet.`,
    submit: "Seite senden",
    sendsIn: (seconds) => `Diese Seite wird in ${count(seconds, "Sekunde", "Sekunden")} gesendet.`,
    hold: "Noch nicht senden",
    held: "Die Seite wird nicht gesendet. Senden Sie sie, wenn Sie so weit sind.",
    toMissing: "Zur nächsten offenen Frage",
    commented: "mit Kommentar",
    flagged: "falsche Wörter markiert",
    unrelated: "Satz zu anderem Foto",
    pictures: "Laden die Bilder nicht?",
    refresh: "Neu holen",
  },
  phase: {
    sending: "Ihre Antworten werden gesendet …",
    sendingOffline:
      "Keine Verbindung. Die Antworten sind aufbewahrt und werden gesendet, sobald sie wieder da ist: Diese Seite kann geschlossen werden.",
    sendingInMemory:
      "Kein Netz, und dieser Browser kann die Antworten nicht sichern. Bitte lassen Sie diesen Tab offen, bis sie gesendet sind.",
    done: "Seite erledigt",
    doneWords: (n) => `${count(n, "Antwort", "Antworten")} angenommen. Vielen Dank.`,
    late: (n) =>
      `${count(n, "kam", "kamen")} zu spät und ${n === 1 ? "wird" : "werden"} nicht mehr gebraucht.`,
    reward: "Für diese Seite",
    session: "In dieser Sitzung",
    next: "Nächste Seite",
    nothing: "Hier ist zurzeit nichts zu tun",
    nothingWords:
      "Neue Seiten entstehen, während andere weitermachen. Diese Seite fragt von selbst wieder nach.",
    ask: "Jetzt nachfragen",
    asked: (time) => `Zuletzt gefragt um ${time}. Es gibt noch nichts.`,
    begun: "Hier angefangene Seiten:",
    elsewhere: "In einem anderen Tab geöffnet",
    elsewhereWords:
      "Diese Seite wird in einem anderen Tab oder Fenster bearbeitet. Nur eines davon kann sie ändern.",
    takeOver: "Hier weitermachen",
    returned: "Seite zurückgegeben",
    returnedWords: "Andere bekommen jetzt ihre Fragen.",
    refused: "Diese Aufgabe ist für Sie geschlossen",
    refusedWords: "Unter „Ihr Konto“ steht, wie die Forschenden zu erreichen sind.",
    failed: "Das hat nicht geklappt",
    failedWords: "Ihre Antworten sind auf diesem Gerät aufbewahrt. Es wird von selbst wieder versucht.",
    full: (n) => `Sie haben ${n} Seiten angefangen. Beenden Sie eine, oder geben Sie eine zurück.`,
  },
  signin: {
    heading: "Anmelden",
    words:
      "Diese Seiten öffnen sich mit einem persönlichen Link. Bitte den Link oder das Token daraus einfügen.",
    kept: "Sie wurden abgemeldet, weil Ihr Zugang abgelaufen ist oder geändert wurde. Ihre Antworten sind auf diesem Gerät aufbewahrt. Bitte öffnen Sie Ihren neuesten Link oder Ihre Einladung noch einmal. Dann geht es da weiter, wo Sie waren.",
    ended:
      "Sie wurden abgemeldet, weil Ihr Zugang abgelaufen ist oder geändert wurde. Bitte öffnen Sie Ihren neuesten Link oder Ihre Einladung noch einmal.",
    field: "Link oder Token",
    go: "Anmelden",
    empty: "Bitte zuerst den Link einfügen.",
    wrong: "Das ist kein Link für diese Seiten. Bitte ganz kopieren und noch einmal einfügen.",
    noLink:
      "Wenn Sie keinen Link haben oder er nicht mehr geht: Wer Sie eingeladen hat, kann einen neuen schicken.",
    researchers: "Forschende melden sich hier an",
  },
  aside: {
    words: (stage, answers) =>
      `${stage}: ${count(answers, "Antwort konnte", "Antworten konnten")} nicht zugestellt werden: Die Seite gehört Ihnen nicht mehr.`,
    seen: "Löschen",
  },
  giveBack: {
    title: "Diese Seite zurückgeben?",
    words: (answered) =>
      answered === 0
        ? "Andere bekommen diese Fragen."
        : `Andere bekommen diese Fragen. ${count(answered, "Antwort wird", "Antworten werden")} verworfen, und für diese Seite wird nichts bezahlt.`,
    keep: "Behalten",
  },
  unknown: {
    words: "Die Adresse ist womöglich abgeschnitten. Alle Aufgaben stehen auf der ersten Seite.",
  },
} satisfies Rest;
