import type { Instructions } from "../catalogue";

const points = (click: string): string =>
  `Vier Punkte: ${click}, wo das Ding am höchsten, am tiefsten, am weitesten links und am weitesten rechts ist. Der Rahmen entsteht von selbst.`;

export default {
  examples: "Beispiele",
  good: "Gut",
  bad: "Schlecht",
  keys: "Tasten",
  key: "Taste",
  does: "Was sie tut",
  names: { Escape: "Esc", Arrows: "Pfeiltasten", Delete: "Entf", Shift: "Umschalt" },
  meanings: {
    confirm: "Einen Punkt am Fadenkreuz setzen. Danach: Rahmen bestätigen, weiter",
    finish: "Einen Punkt am Fadenkreuz setzen. Danach: den Rahmen so lassen. Danach: das sind alle, weiter",
    take: "Diesen Rahmen nehmen, um ihn zu ändern",
    none: "Sagen, dass kein Rahmen nötig ist, und warum",
    takeBack: "Den letzten Punkt oder den letzten Rahmen zurücknehmen",
    letBe: "Den Rahmen so lassen",
    judge: "Sagen, wie dieser Rahmen ist",
    missing: "Es fehlt etwas",
    nothing: "Es fehlt nichts",
    send: "Die Stelle am Fadenkreuz markieren. Danach: das ist die Antwort, weiter",
    aim: "Das Foto verschieben, oder ein Fadenkreuz dorthin, wo etwas fehlt",
    newBox: "Neuen Rahmen in die Mitte setzen",
    move: "Ein Fadenkreuz bewegen. Danach: den Rahmen um ein Pixel",
    moveFar: "Das Fadenkreuz fein bewegen. Danach: den Rahmen um zehn Pixel",
    resize: "Breiter, schmaler, höher oder niedriger machen",
    undo: "Rückgängig",
    redo: "Wiederholen",
    remove: "Rahmen oder Punkte entfernen",
    zoom: "Vergrößern und verkleinern",
    whole: "Das ganze Foto zeigen",
    hide: "Gedrückt halten: unter die Rahmen sehen",
    pan: "Das vergrößerte Foto verschieben",
    method: "Zwischen vier Punkten und Ziehen wechseln",
    back: "Zurück zur vorigen Frage",
    comment: "Anmerkung schreiben. Esc verlässt das Feld",
    flag: "Sagen, dass die markierten Wörter falsch abgegrenzt sind",
    unrelated: "Sagen, dass ein Satz zu einem anderen Foto gehört",
    unusable: "Das Foto als unbrauchbar melden",
    unsure:
      "„Weiß nicht“ sagen, wo es angeboten wird. Ist die Antwort auf eine Frage schon bekannt, zählt es als falsch",
    help: "Diese Anleitung",
  },
  points: {
    click: points("Anklicken"),
    tap: points("Antippen"),
    both: points("Anklicken oder antippen"),
  },
  pointer: {
    click:
      "Maus: Das Rad vergrößert und verkleinert, Ziehen mit gedrückter Leertaste verschiebt das Bild. Kanten und Ecken des Rahmens lassen sich ziehen.",
    tap: "Finger: Zwei vergrößern und verschieben das Bild, einer zeichnet.",
  },
  stages: {
    link: {
      aim: "In zwei Bildtexten sind Wörter markiert. Die Frage ist, ob beide auf diesem Foto dasselbe Ding oder dieselben Dinge nennen.",
      rules: [
        "Das Foto entscheidet, nicht nur die Wörter. Verschiedene Wörter können dasselbe Ding nennen. Gleiche Wörter können zwei verschiedene Dinge nennen.",
        "Ein Teil ist nicht das Ganze. Ein Mann und seine Hand sind nicht dasselbe.",
        "Es müssen alle dieselben sein. „Zwei Männer“ und „einer von ihnen“ sind nicht dasselbe.",
        "Bildtexte können sich bei Farben oder Zahlen irren. Ist klar, dass dasselbe gemeint ist, lautet die Antwort Ja.",
        "Lässt es sich nicht sagen: „Weiß nicht“. Wird das nicht angeboten: Nein, mit einer Anmerkung.",
      ],
      examples: {
        words: {
          marked: ["a man", "a young man"],
          verdict: "Ja, dasselbe",
          why: "Andere Wörter, aber es gibt nur einen Mann.",
        },
        part: {
          marked: ["a man", "a red hat"],
          verdict: "Nein",
          why: "Der Mann trägt den Hut, aber der Hut ist ein anderes Ding.",
        },
        some: {
          marked: ["a family", "a young girl"],
          verdict: "Nein",
          why: "Das Mädchen ist nur eine Person der Familie.",
        },
      },
    },
    verification: {
      aim: "Andere fanden, dass alle diese markierten Wörter zusammengehören. Die Frage ist, ob wirklich alle dasselbe Ding oder dieselben Dinge nennen.",
      rules: [
        "Bitte jeden Bildtext lesen. Passt einer nicht, lautet die Antwort Nein.",
        "Alle müssen dieselbe Menge nennen: „zwei Hunde“ und „ein Hund“ tun das nicht.",
        "Ein Teil ist nicht das Ganze: Ein Mann und sein Hemd gehören nicht zusammen.",
        "Kleine Fehler eines Bildtexts, etwa eine falsche Farbe, zählen nicht, solange klar ist, was gemeint ist.",
      ],
      examples: {
        all: {
          marked: ["some dogs", "two dogs", "dogs"],
          verdict: "Ja, alle dasselbe",
          why: "Alle drei nennen beide Hunde.",
        },
        some: {
          marked: ["some dogs", "two dogs", "a black dog"],
          verdict: "Nein, nicht alle",
          why: "Der letzte nennt nur einen der beiden.",
        },
        other: {
          marked: ["a guitarist", "a man with a guitar", "a woman"],
          verdict: "Nein, nicht alle",
          why: "Die Frau ist jemand anderes.",
        },
      },
    },
    requirement: {
      aim: "Die Frage ist, ob sich um das, was die markierten Wörter nennen, Rahmen ziehen lassen.",
      rules: [
        "Ein Rahmen ist möglich: Mindestens ein gemeintes Ding ist zu sehen und hat einen Umriss. Auch eine Gruppe zählt, etwa eine Menschenmenge.",
        "Szene oder Ort: Die Wörter nennen die Umgebung als Ganzes, etwa einen Park, eine Straße oder das Meer.",
        "Kein Rahmen: Es ist nicht auf dem Foto oder gar nicht zu sehen, etwa Musik, ein Spaziergang oder ein Fest.",
        "Auch teilweise Verdecktes bekommt einen Rahmen. Ein solches Ding genügt.",
      ],
      examples: {
        box: {
          marked: ["a beach ball"],
          verdict: "Ein Rahmen ist möglich",
          why: "Der Ball ist zu sehen, und es ist klar, wo er endet.",
        },
        scene: {
          marked: ["a park"],
          verdict: "Szene oder Ort",
          why: "Der Park ist überall um die Frau und die Hunde.",
        },
        nobox: { marked: ["music"], verdict: "Kein Rahmen", why: "Musik hört man, man sieht sie nicht." },
      },
    },
    drawing: {
      aim: "Bitte einen neuen Rahmen um ein Ding ziehen, das die markierten Wörter nennen und das noch keinen hat. Haben alle einen oder ist keiner nötig, gibt es dafür eine eigene Antwort.",
      rules: [
        "Ein Ding, ein Rahmen: Bei „zwei Menschen“ bekommt einer den Rahmen, der andere später seinen.",
        "Eine Gruppe, deren Mitglieder sich nicht unterscheiden lassen, etwa eine Menschenmenge, bekommt einen Rahmen.",
        "Eng: Jede Seite berührt das Ding.",
        "Das ganze Ding, soweit es zu sehen ist: mit Armen, Griffen und Schwanz. Verdecktes nicht erraten.",
        "Nur was die Wörter nennen: Bei „ein Hut“ den Hut, nicht den Menschen darunter.",
      ],
      examples: {
        points: {
          marked: ["a young girl"],
          verdict: "Vier Punkte",
          why: "Kopf, Schuh, Hand und der andere Schuh: Der Rahmen geht durch alle vier.",
        },
        single: {
          marked: ["two dogs"],
          verdict: "Gut",
          why: "Ein Hund hat schon einen Rahmen, der neue gehört um den anderen.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Gut",
          why: "Zu viele, um sie zu unterscheiden: ein Rahmen um alle.",
        },
        loose: {
          marked: ["a drum"],
          verdict: "Schlecht",
          why: "Zu weit: Die Seiten berühren die Trommel nicht.",
        },
        cut: { marked: ["a woman"], verdict: "Schlecht", why: "Beine und ein Arm sind außerhalb." },
      },
    },
    quality: {
      aim: "Jemand hat einen neuen Rahmen gezogen. Die Frage ist, ob er für die markierten Wörter gut ist. Frühere Rahmen sind auch zu sehen.",
      rules: [
        "Eng: Jede Seite berührt das Ding. Winzige Lücken zählen nicht.",
        "Ganz: Nichts, was vom Ding zu sehen ist, liegt außerhalb.",
        "Gemeint: Er ist um das, was die markierten Wörter nennen.",
        "Ein Ding: Zwei, die sich unterscheiden lassen, brauchen zwei Rahmen. Eine Menschenmenge darf einen haben.",
        "Neu: Kein früherer Rahmen ist um dasselbe Ding.",
      ],
      examples: {
        tight: { marked: ["a drum"], verdict: "Gut", why: "Eng, ganz und das, was gemeint war." },
        loose: { marked: ["a drum"], verdict: "Schlecht", why: "Auf allen Seiten zu weit." },
        several: {
          marked: ["two dogs"],
          verdict: "Schlecht",
          why: "Zwei Hunde in einem Rahmen: Jeder braucht seinen eigenen.",
        },
        again: {
          marked: ["two boats"],
          verdict: "Schlecht",
          why: "Dieses Boot hat schon einen Rahmen, das andere noch keinen.",
        },
      },
    },
    coverage: {
      aim: "Die Frage ist, ob alles, was die markierten Wörter nennen, seinen Rahmen hat.",
      rules: [
        "Zählen, was sich unterscheiden lässt: „Zwei Menschen“ brauchen zwei Rahmen.",
        "Eine Gruppe, deren Mitglieder sich nicht unterscheiden lassen, braucht einen Rahmen.",
        "Auch auf Dinge achten, die klein, am Rand oder teilweise verdeckt sind.",
        "Wie eng die Rahmen sind, ist hier nicht gefragt.",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "Ja, alle sind da", why: "Zwei Boote, zwei Rahmen." },
        group: {
          marked: ["the audience"],
          verdict: "Ja, alle sind da",
          why: "Eine Menschenmenge braucht nur einen Rahmen.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "Nein, nicht alle",
          why: "Die Frau an der Trommel hat keinen Rahmen.",
        },
      },
    },
    boxes: {
      aim: "Um jedes Ding, das die markierten Wörter nennen und das noch keinen Rahmen hat, einen ziehen. Danach sagen, dass das alle sind oder dass keiner nötig ist.",
      rules: [
        "Ein Ding, ein Rahmen: Für „zwei Menschen“ zwei ziehen. Eine Gruppe, deren Mitglieder sich nicht unterscheiden lassen, bekommt einen.",
        "Ein fertiger Rahmen bleibt, und der nächste kann gleich beginnen. Um ihn zu ändern, seine Nummer drücken.",
        "Eng und ganz: Jede Seite berührt das Ding, und nichts, was von ihm zu sehen ist, liegt außerhalb.",
        "Nur was die Wörter nennen: für „ein Hut“ den Hut, nicht den Menschen darunter.",
        "Ein ? auf dem Foto: Jemand fand, dass dort etwas fehlt. Bitte hinsehen.",
        "Ist nichts zu ziehen, bitte sagen, warum: eine Szene oder ein Ort, nicht zu sehen oder zu umrahmen, oder alles hat schon einen Rahmen.",
      ],
      examples: {
        all: { marked: ["two dogs"], verdict: "Gut", why: "Zwei Hunde, zwei Rahmen." },
        other: {
          marked: ["two boats"],
          verdict: "Gut",
          why: "Das linke Boot hat schon einen Rahmen.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Gut",
          why: "Zu viele, um sie zu unterscheiden: ein Rahmen um alle.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "Schlecht",
          why: "Die Frau an der Trommel hat keinen Rahmen.",
        },
        both: {
          marked: ["two dogs"],
          verdict: "Schlecht",
          why: "Zwei Hunde in einem Rahmen: Jeder braucht seinen eigenen.",
        },
      },
    },
    check: {
      aim: "Jemand hat die nummerierten Rahmen gezogen. Bitte markieren, welche nicht gut sind und warum, und sagen, ob etwas, das die markierten Wörter nennen, gar keinen Rahmen hat.",
      rules: [
        "Gut: eng, ganz, um ein einziges Ding, das gemeint ist, und kein anderer Rahmen ist darum.",
        "Zu weit: Der Rahmen ist zu groß. Abgeschnitten: Ein Teil des Dings ist außerhalb. Winzige Lücken zählen nicht.",
        "Falsches Ding: Er ist um etwas anderes, oder um mehrere Dinge, die sich unterscheiden lassen.",
        "Doppelt: Zwei Rahmen sind um dasselbe Ding. Nur bei einem von ihnen angeben.",
        "Fehlt: Etwas, das gemeint ist, hat keinen Rahmen. Ein Ding mit einem zu weiten Rahmen fehlt nicht.",
        "Wenn möglich, die Stelle zeigen: einen Moment darauf drücken, oder „Es fehlt etwas“ wählen und dort drücken.",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "Gut", why: "Zwei Boote, zwei Rahmen, beide eng." },
        loose: { marked: ["a drum"], verdict: "Zu weit", why: "Auf allen Seiten zu weit." },
        cut: { marked: ["a woman"], verdict: "Abgeschnitten", why: "Beine und ein Arm sind außerhalb." },
        again: { marked: ["a boat"], verdict: "Doppelt", why: "Dieses Boot hat schon einen Rahmen." },
        missing: {
          marked: ["the band members"],
          verdict: "Es fehlt etwas",
          why: "Die Frau an der Trommel hat keinen Rahmen.",
        },
      },
    },
  },
} satisfies Instructions;
