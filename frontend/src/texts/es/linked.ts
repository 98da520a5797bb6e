import type { Linked } from "../catalogue";

export default {
  away: "En esta tarea no hay trabajo para usted",
  awayWords:
    "No se debe a usted ni a su trabajo: otros tienen lo que queda, o usted ya ha hecho su parte. Vuelva a mirar dentro de unos minutos, o devuelva la tarea en la plataforma.",
  awayPaid:
    "Vuelva con esto a la plataforma, para que sepa que usted ha venido. Si quiere esperar, vuelva a mirar dentro de unos minutos.",
  codeWords:
    "Sus respuestas están aquí. Copie este código y escríbalo en la plataforma: paga en cuanto lo tiene.",
  copy: "Copiar",
  copied: "Copiado",
} satisfies Linked;
