import type { CampaignInstructions } from "../catalogue";

export default {
  meanings: {
    tick: "Marcar la descripción de este número, o quitar la marca",
    tenth: "Lo mismo para la décima descripción",
    noneFits: "Ninguna de las descripciones describe la foto",
    allTicked: "Estas son todas: seguir",
    written: "La frase está lista: seguir",
  },
  stages: {
    writing: {
      aim: "Escribe una frase que describa la foto a alguien que no la ve: quién o qué hay, qué ocurre y dónde.",
      rules: [
        "Describe lo que se ve: la escena, la situación, lo que ocurre, y las personas y cosas que aparecen.",
        "Escribe una sola frase completa, con verbo y sin errores.",
        "Nada de nombres de personas o lugares, aunque los conozcas: «una mujer», «una ciudad».",
        "Nada de suposiciones: nada sobre lo que piensan las personas, qué relación tienen o qué pasa después.",
        "Nada sobre la foto misma, como «una imagen de», ni sobre quién la hizo.",
        "Cada foto es distinta. No uses la misma frase dos veces.",
      ],
      examples: {
        whole: {
          marked: ["Una mujer de pelo largo pasea a dos perros por un parque."],
          verdict: "Bien",
          why: "Quién, qué hace y dónde, en una frase.",
        },
        group: {
          marked: ["Dos músicos tocan para una multitud en un escenario."],
          verdict: "Bien",
          why: "Dice qué ocurre y omite lo que no importa.",
        },
        guess: {
          marked: ["Un padre y su hija disfrutan de sus vacaciones."],
          verdict: "Mal",
          why: "La foto no muestra que sean familia ni que estén de vacaciones.",
        },
        short: {
          marked: ["Bonita playa."],
          verdict: "Mal",
          why: "No es una frase completa, y es una opinión. Di quién está y qué hace.",
        },
      },
    },
    caption_check: {
      aim: "Alguien describió la foto. Di si la descripción encaja.",
      rules: [
        "La describe: todo lo que dice se puede ver, y es una frase sin errores.",
        "Errores leves: encaja, salvo detalles, como un color o un número equivocado, una suposición o mala gramática.",
        "No la describe: lo principal es erróneo o falta, trata de otra cosa, o no es una frase completa.",
        "No hace falta que nombre todo lo que hay en la foto.",
      ],
      examples: {
        right: {
          marked: ["Una mujer de pelo largo pasea a dos perros por un parque."],
          verdict: "La describe",
          why: "Todo se puede ver.",
        },
        minor: {
          marked: ["Una mujer pasean a tres perros por un parque."],
          verdict: "Errores leves",
          why: "Hay dos perros, y la gramática es incorrecta.",
        },
        wrong: {
          marked: ["Un niño le lanza una pelota a un perro."],
          verdict: "No la describe",
          why: "No hay ni niño ni pelota.",
        },
      },
    },
    grading: {
      aim: "Di, en una escala de cuatro, qué tan bien describe la foto la descripción.",
      rules: [
        "1, sin relación: nada de lo que dice la descripción está en la foto.",
        "2, algo de relación: encaja con algunos aspectos de la foto, pero no la describe.",
        "3, con errores leves: describe la foto, pero algunos detalles están mal.",
        "4, sin errores: describe la foto.",
        "Para no tener errores, una descripción no necesita nombrar todo lo que hay en la foto.",
      ],
      examples: {
        exactly: {
          marked: ["Una mujer de pelo largo pasea a dos perros por un parque."],
          verdict: "Sin errores",
          why: "Todo se puede ver.",
        },
        nearly: {
          marked: ["Una mujer pasea a tres perros por un parque."],
          verdict: "Con errores leves",
          why: "Hay dos perros, no tres.",
        },
        somewhat: {
          marked: ["Un perro duerme debajo de un banco."],
          verdict: "Algo de relación",
          why: "Hay perros y un banco, pero nadie duerme.",
        },
        unrelated: {
          marked: ["Unos niños nadan en una piscina."],
          verdict: "Sin relación",
          why: "Nada de eso está en la foto.",
        },
      },
    },
    relevance: {
      aim: "Marca cada descripción que describa la foto. Si no lo hace ninguna, dilo.",
      rules: [
        "Se permiten errores leves, como un color o un número equivocado.",
        "Una descripción no necesita nombrar todo lo que hay en la foto.",
        "Una descripción que solo encaja con algunos aspectos, como únicamente el lugar, no la describe.",
        "Léelas todas: puede encajar una, varias o ninguna.",
      ],
      examples: {
        right: {
          marked: ["Una mujer de pelo largo pasea a dos perros por un parque."],
          verdict: "Marcar",
          why: "Todo se puede ver.",
        },
        minor: {
          marked: ["Una señora pasea a tres perros junto a un banco."],
          verdict: "Marcar",
          why: "Hay dos perros. Es un error leve.",
        },
        part: {
          marked: ["Un perro duerme debajo de un banco."],
          verdict: "No marcar",
          why: "Hay perros y un banco, pero eso no es lo que ocurre.",
        },
      },
    },
  },
} satisfies CampaignInstructions;
