import type { CampaignInstructions } from "../catalogue";

export default {
  meanings: {
    tick: "Den Bildtext mit dieser Nummer ankreuzen, oder das Kreuz wegnehmen",
    tenth: "Dasselbe für den zehnten Bildtext",
    noneFits: "Keiner der Bildtexte beschreibt das Foto",
    allTicked: "Das sind alle: weiter",
    written: "Der Satz ist fertig: weiter",
  },
  stages: {
    writing: {
      aim: "Einen Satz schreiben, der das Foto jemandem beschreibt, der es nicht sieht: wer oder was da ist, was geschieht, und wo.",
      rules: [
        "Beschreiben, was abgebildet ist: den Ort, die Lage, was geschieht, und die Menschen und Dinge darin.",
        "Einen ganzen Satz mit Verb und ohne Fehler schreiben.",
        "Keine Namen von Menschen oder Orten, auch wenn sie bekannt sind: „eine Frau“, „eine Stadt“.",
        "Keine Vermutungen: nicht, was jemand denkt, wer mit wem verwandt ist, oder was danach geschieht.",
        "Nichts über das Foto selbst, wie „ein Bild von“, und nichts darüber, wer es gemacht hat.",
        "Jedes Foto ist anders. Denselben Satz nicht zweimal verwenden.",
      ],
      examples: {
        whole: {
          marked: ["Eine Frau mit langen Haaren führt zwei Hunde durch einen Park."],
          verdict: "Gut",
          why: "Wer, was geschieht, und wo, in einem Satz.",
        },
        group: {
          marked: ["Zwei Musiker spielen auf einer Bühne vor Publikum."],
          verdict: "Gut",
          why: "Es steht da, was geschieht, und Unwichtiges fehlt.",
        },
        guess: {
          marked: ["Ein Vater und seine Tochter genießen ihren Urlaub."],
          verdict: "Schlecht",
          why: "Das Foto zeigt nicht, dass sie verwandt sind oder Urlaub haben.",
        },
        short: {
          marked: ["Schöner Strand."],
          verdict: "Schlecht",
          why: "Kein Satz, und eine Meinung. Wer ist da, und was geschieht?",
        },
      },
    },
    caption_check: {
      aim: "Jemand hat das Foto beschrieben. Sagen Sie, ob der Bildtext passt.",
      rules: [
        "Beschreibt es: alles, was er sagt, ist zu sehen, und er ist ein Satz ohne Fehler.",
        "Kleine Fehler: er passt bis auf Einzelheiten, etwa eine falsche Farbe oder Zahl, eine Vermutung oder falsche Grammatik.",
        "Beschreibt es nicht: das Wichtigste ist falsch oder fehlt, es geht um etwas anderes, oder es ist kein Satz.",
        "Er muss nicht alles nennen, was auf dem Foto ist.",
      ],
      examples: {
        right: {
          marked: ["Eine Frau mit langen Haaren führt zwei Hunde durch einen Park."],
          verdict: "Beschreibt es",
          why: "Alles davon ist zu sehen.",
        },
        minor: {
          marked: ["Eine Frau führen drei Hunde durch einen Park."],
          verdict: "Kleine Fehler",
          why: "Es sind zwei Hunde, und die Grammatik ist falsch.",
        },
        wrong: {
          marked: ["Ein Junge wirft einem Hund einen Ball zu."],
          verdict: "Beschreibt es nicht",
          why: "Es gibt weder einen Jungen noch einen Ball.",
        },
      },
    },
    grading: {
      aim: "Sagen Sie auf einer Skala von vier, wie gut der Bildtext das Foto beschreibt.",
      rules: [
        "1, ohne Bezug: nichts von dem, was er sagt, ist auf dem Foto.",
        "2, etwas Bezug: er passt zu manchem auf dem Foto, beschreibt es aber nicht.",
        "3, mit kleinen Fehlern: er beschreibt das Foto, aber Einzelheiten sind falsch.",
        "4, ohne Fehler: er beschreibt das Foto.",
        "Ein Bildtext ohne Fehler muss nicht alles nennen, was auf dem Foto ist.",
      ],
      examples: {
        exactly: {
          marked: ["Eine Frau mit langen Haaren führt zwei Hunde durch einen Park."],
          verdict: "Ohne Fehler",
          why: "Alles davon ist zu sehen.",
        },
        nearly: {
          marked: ["Eine Frau führt drei Hunde durch einen Park."],
          verdict: "Mit kleinen Fehlern",
          why: "Es sind zwei Hunde, nicht drei.",
        },
        somewhat: {
          marked: ["Ein Hund schläft unter einer Bank."],
          verdict: "Etwas Bezug",
          why: "Es gibt Hunde und eine Bank, aber niemand schläft.",
        },
        unrelated: {
          marked: ["Kinder schwimmen in einem Becken."],
          verdict: "Ohne Bezug",
          why: "Nichts davon ist auf dem Foto.",
        },
      },
    },
    relevance: {
      aim: "Jeden Bildtext ankreuzen, der das Foto beschreibt. Wenn keiner, sagen Sie es.",
      rules: [
        "Kleine Fehler sind erlaubt, etwa eine falsche Farbe oder Zahl.",
        "Ein Bildtext muss nicht alles nennen, was auf dem Foto ist.",
        "Ein Bildtext, der nur zu manchem passt, etwa nur zum Ort, beschreibt es nicht.",
        "Alle lesen: einer, mehrere oder keiner kann passen.",
      ],
      examples: {
        right: {
          marked: ["Eine Frau mit langen Haaren führt zwei Hunde durch einen Park."],
          verdict: "Ankreuzen",
          why: "Alles davon ist zu sehen.",
        },
        minor: {
          marked: ["Eine Dame geht mit drei Hunden an einer Bank vorbei."],
          verdict: "Ankreuzen",
          why: "Es sind zwei Hunde. Das ist ein kleiner Fehler.",
        },
        part: {
          marked: ["Ein Hund schläft unter einer Bank."],
          verdict: "Lassen",
          why: "Es gibt Hunde und eine Bank, aber das geschieht nicht.",
        },
      },
    },
  },
} satisfies CampaignInstructions;
