import type { Instructions } from "../catalogue";

const points = (click: string): string =>
  `Cuatro puntos: ${click} donde la cosa llega más arriba, más abajo, más a la izquierda y más a la derecha. El recuadro aparece solo.`;

export default {
  examples: "Ejemplos",
  good: "Bien",
  bad: "Mal",
  keys: "Teclas",
  key: "Tecla",
  does: "Qué hace",
  names: { Escape: "Esc", Arrows: "Flechas", Delete: "Supr", Shift: "Mayús", Backspace: "Retroceso" },
  meanings: {
    confirm: "Poner un punto en la mira. Después: confirmar el recuadro, seguir",
    finish: "Poner un punto en la mira. Después: dejar el recuadro así. Después: eso es todo, seguir",
    take: "Tomar este recuadro para cambiarlo",
    none: "Decir que no hace falta ningún recuadro, y por qué",
    takeBack: "Retirar el último punto o el último recuadro",
    letBe: "Dejar el recuadro así",
    judge: "Decir cómo está este recuadro",
    missing: "Falta algo",
    nothing: "No falta nada",
    send: "Poner la marca en la mira. Después: esa es la respuesta, seguir",
    aim: "Mover la foto, o una mira hasta donde falta algo",
    newBox: "Poner un recuadro nuevo en el centro",
    move: "Mover una mira. Después: mover el recuadro un píxel",
    moveFar: "Mover la mira con precisión. Después: mover el recuadro diez píxeles",
    resize: "Hacerlo más ancho, más estrecho, más alto o más bajo",
    undo: "Deshacer",
    redo: "Rehacer",
    remove: "Quitar el recuadro o los puntos",
    zoom: "Acercar y alejar",
    whole: "Mostrar toda la foto",
    hide: "Mantener pulsada: mirar debajo de los recuadros",
    pan: "Mover la foto, si está ampliada",
    method: "Cambiar entre cuatro puntos y arrastrar",
    back: "Volver a la pregunta anterior",
    comment: "Escribir un comentario. Esc sale del campo",
    flag: "Decir que las palabras están mal marcadas",
    unrelated: "Decir que una descripción es de otra foto",
    unusable: "Decir que la foto es inservible",
    unsure:
      "Decir «No lo sé», donde se ofrece. Si la respuesta a la pregunta se conoce de antemano, «No lo sé» cuenta como respuesta incorrecta",
    help: "Estas instrucciones",
  },
  points: {
    click: points("haz clic"),
    tap: points("toca"),
    both: points("toca o haz clic"),
  },
  pointer: {
    click:
      "Ratón: gira la rueda para acercar o alejar; mantén pulsada la barra espaciadora y arrastra para mover la imagen. Arrastra un borde o una esquina del recuadro para cambiarlo.",
    tap: "Dedos: con dos se amplía y se mueve la imagen, con uno se dibuja.",
  },
  stages: {
    link: {
      aim: "En cada una de dos descripciones hay unas palabras marcadas. Di si ambas nombran la misma cosa, o las mismas cosas, en esta foto.",
      rules: [
        "Mira la foto, no solo las palabras. Palabras distintas pueden nombrar la misma cosa. Las mismas palabras pueden nombrar dos cosas distintas.",
        "Una parte no es el todo. Un hombre y su mano no son lo mismo.",
        "Todo tiene que ser lo mismo. «Dos hombres» y «uno de ellos» no lo son.",
        "Las descripciones pueden equivocarse en los colores o los números. Si está claro que se habla de lo mismo, la respuesta es Sí.",
        "Si no hay manera de saberlo, responde «No lo sé». Si no se ofrece, responde No y escribe un comentario.",
      ],
      examples: {
        words: {
          marked: ["a man", "a young man"],
          verdict: "Sí, lo mismo",
          why: "Son otras palabras, pero solo hay un hombre.",
        },
        part: {
          marked: ["a man", "a red hat"],
          verdict: "No",
          why: "El hombre lleva puesto el sombrero, pero es otra cosa.",
        },
        some: {
          marked: ["a family", "a young girl"],
          verdict: "No",
          why: "La niña es solo una persona de la familia.",
        },
      },
    },
    verification: {
      aim: "Otras personas consideraron que todas estas palabras marcadas van juntas. Di si de verdad cada una nombra la misma cosa o las mismas cosas.",
      rules: [
        "Lee todas las descripciones. Basta una que no encaje para responder No.",
        "Todas deben nombrar el mismo conjunto: «dos perros» y «un perro» no lo hacen.",
        "Una parte no es el todo: un hombre y su camisa no van juntos.",
        "Los errores pequeños de una descripción, como un color equivocado, no importan mientras esté claro de qué se habla.",
      ],
      examples: {
        all: {
          marked: ["some dogs", "two dogs", "dogs"],
          verdict: "Sí, todas",
          why: "Las tres nombran a los dos perros.",
        },
        some: {
          marked: ["some dogs", "two dogs", "a black dog"],
          verdict: "No, no todas",
          why: "La última nombra solo a uno de los dos.",
        },
        other: {
          marked: ["a guitarist", "a man with a guitar", "a woman"],
          verdict: "No, no todas",
          why: "La mujer es otra persona.",
        },
      },
    },
    requirement: {
      aim: "Di si se podrían dibujar recuadros alrededor de lo que nombran las palabras marcadas.",
      rules: [
        "Recuadro posible: se ve al menos una de las cosas nombradas, y tiene contorno. También cuenta un grupo, como una multitud.",
        "Escena o lugar: las palabras nombran el entorno en su conjunto, como un parque, una calle o el mar.",
        "Sin recuadro: no está en la foto, o no se puede ver de ningún modo, como la música, un paseo o una fiesta.",
        "También lo que está tapado en parte recibe un recuadro. Basta una cosa así.",
      ],
      examples: {
        box: {
          marked: ["a beach ball"],
          verdict: "Recuadro posible",
          why: "Se ve, y está claro dónde termina.",
        },
        scene: {
          marked: ["a park"],
          verdict: "Escena o lugar",
          why: "El parque está por todas partes alrededor de la mujer y los perros.",
        },
        nobox: { marked: ["music"], verdict: "Sin recuadro", why: "La música se oye, no se ve." },
      },
    },
    drawing: {
      aim: "Dibuja un recuadro nuevo alrededor de una cosa que nombran las palabras marcadas y que aún no tiene ninguno. Si todas tienen uno, o si no hace falta ninguno, dilo.",
      rules: [
        "Una cosa, un recuadro: para «dos personas», dibuja el de una de ellas; la otra tendrá el suyo después.",
        "Un grupo cuyos miembros no se distinguen, como una multitud, lleva un solo recuadro.",
        "Ajustado: cada lado toca la cosa.",
        "La cosa entera, hasta donde se ve: con brazos, asas y cola. No adivines lo que está tapado.",
        "Solo lo que nombran las palabras: para «un sombrero», el sombrero, no la persona que lo lleva.",
      ],
      examples: {
        points: {
          marked: ["a young girl"],
          verdict: "Cuatro puntos",
          why: "La cabeza, un zapato, la mano y el otro zapato: el recuadro pasa por los cuatro.",
        },
        single: {
          marked: ["two dogs"],
          verdict: "Bien",
          why: "Un perro ya tiene recuadro; por eso el nuevo va alrededor del otro.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Bien",
          why: "Son demasiados para distinguirlos: un recuadro alrededor de todos.",
        },
        loose: {
          marked: ["a drum"],
          verdict: "Mal",
          why: "Demasiado grande: los lados no tocan el tambor.",
        },
        cut: { marked: ["a woman"], verdict: "Mal", why: "Las piernas y un brazo quedan fuera." },
      },
    },
    quality: {
      aim: "Alguien dibujó un recuadro nuevo. Di si está bien para las palabras marcadas. También se muestran los recuadros anteriores.",
      rules: [
        "Ajustado: cada lado toca la cosa. Los huecos diminutos no importan.",
        "Entero: nada de lo que se ve de la cosa queda fuera.",
        "Lo nombrado: está alrededor de lo que nombran las palabras marcadas.",
        "Una sola cosa: dos que se distinguen necesitan dos recuadros. Una multitud puede llevar uno solo.",
        "Nuevo: ningún recuadro anterior rodea la misma cosa.",
      ],
      examples: {
        tight: { marked: ["a drum"], verdict: "Bien", why: "Ajustado, entero, y es lo nombrado." },
        loose: { marked: ["a drum"], verdict: "Mal", why: "Demasiado grande por todos los lados." },
        several: {
          marked: ["two dogs"],
          verdict: "Mal",
          why: "Dos perros en un recuadro: cada uno necesita el suyo.",
        },
        again: {
          marked: ["two boats"],
          verdict: "Mal",
          why: "Este barco ya tiene recuadro; el otro no tiene ninguno.",
        },
      },
    },
    coverage: {
      aim: "Di si todo lo que nombran las palabras marcadas tiene su recuadro.",
      rules: [
        "Cuenta lo que se distingue: «dos personas» necesitan dos recuadros.",
        "Un grupo cuyos miembros no se distinguen necesita un solo recuadro.",
        "Fíjate en las cosas pequeñas, las del borde o las parcialmente tapadas.",
        "Aquí no se pregunta si los recuadros están ajustados.",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "Sí, están todos", why: "Dos barcos, dos recuadros." },
        group: {
          marked: ["the audience"],
          verdict: "Sí, están todos",
          why: "Una multitud necesita un solo recuadro.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "No, no todos",
          why: "La mujer del tambor no tiene recuadro.",
        },
      },
    },
    boxes: {
      aim: "Dibuja un recuadro alrededor de cada cosa que nombran las palabras marcadas y que aún no tiene ninguno. Después di que esos son todos, o que no hace falta ninguno.",
      rules: [
        "Una cosa, un recuadro: para «dos personas», dibuja dos. Un grupo cuyos miembros no se distinguen lleva uno solo.",
        "Un recuadro terminado se queda, y puedes dibujar enseguida el siguiente. Para cambiarlo, pulsa en su número.",
        "Ajustado y entero: cada lado toca la cosa, y nada de lo que se ve de ella queda fuera.",
        "Solo lo que nombran las palabras: para «un sombrero», el sombrero, no la persona que lo lleva.",
        "Un ? en la foto: alguien vio que allí falta algo. Compruébalo.",
        "Si no hay nada que dibujar, di por qué: es una escena o un lugar, no se puede ver ni dibujar, o todo tiene ya su recuadro.",
      ],
      examples: {
        all: { marked: ["two dogs"], verdict: "Bien", why: "Dos perros, dos recuadros." },
        other: {
          marked: ["two boats"],
          verdict: "Bien",
          why: "El barco de la izquierda ya tiene recuadro; por eso solo se dibuja el del otro.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Bien",
          why: "Son demasiados para distinguirlos: un recuadro alrededor de todos.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "Mal",
          why: "La mujer del tambor no tiene recuadro.",
        },
        both: {
          marked: ["two dogs"],
          verdict: "Mal",
          why: "Dos perros en un recuadro: cada uno necesita el suyo.",
        },
      },
    },
    check: {
      aim: "Alguien dibujó los recuadros numerados. Marca los que no están bien, di por qué, y di si algo que nombran las palabras marcadas no tiene ningún recuadro.",
      rules: [
        "Bien: ajustado, entero, alrededor de una sola cosa nombrada, y ningún otro recuadro la rodea.",
        "Holgado: el recuadro es demasiado grande. Cortado: una parte de la cosa queda fuera. Los huecos diminutos no importan.",
        "Cosa errónea: rodea otra cosa, o varias cosas que se distinguen.",
        "Duplicado: dos recuadros rodean la misma cosa. Dilo solo de uno de ellos.",
        "Falta: algo que se nombra no tiene recuadro. Una cosa con un recuadro holgado no falta.",
        "Si puedes, muestra dónde falta: mantén pulsado ese lugar un momento, o elige «Falta algo» y pulsa allí.",
      ],
      examples: {
        all: {
          marked: ["two boats"],
          verdict: "Bien",
          why: "Dos barcos, dos recuadros, ambos ajustados.",
        },
        loose: { marked: ["a drum"], verdict: "Holgado", why: "Demasiado grande por todos los lados." },
        cut: { marked: ["a woman"], verdict: "Cortado", why: "Las piernas y un brazo quedan fuera." },
        again: { marked: ["a boat"], verdict: "Duplicado", why: "Este barco ya tiene recuadro." },
        missing: {
          marked: ["the band members"],
          verdict: "Falta algo",
          why: "El recuadro está bien, pero la mujer del tambor no tiene ninguno.",
        },
      },
    },
  },
} satisfies Instructions;
