import type { Catalogue } from "../catalogue";

export default {
  saved: "Guardado en este dispositivo.",
  saving: "Guardando…",
  memory: "Este navegador no guarda nada. Deja abierta la pestaña hasta enviar la página.",
  offline: "Sin red. Sigue trabajando: tus respuestas se guardan en este dispositivo.",
  unreachable: "No se puede acceder al servidor. Esta página lo reintenta automáticamente.",
  waiting: (n: number) =>
    n === 1
      ? "Una página de respuestas espera la red. Está guardada y se enviará sola."
      : `${n} páginas de respuestas esperan la red. Están guardadas y se enviarán solas.`,
  soon: (minutes: number) =>
    `Esta página es tuya durante ${minutes === 1 ? "un minuto más" : `${minutes} minutos más`}. Si trabajas en ella, la conservas.`,
  over: "Se acabó el tiempo. Aún puedes enviar: lo que todavía hace falta cuenta.",
  notice: () => "Eso no funcionó. Tus respuestas se conservan.",
  problems: (n: number) =>
    n === 1
      ? "Una respuesta no se pudo aceptar. Corrígela y vuelve a enviar."
      : `${n} respuestas no se pudieron aceptar. Corrígelas y vuelve a enviar.`,
  aside: (n: number) =>
    `${n === 1 ? "Una respuesta no se pudo entregar" : `${n} respuestas no se pudieron entregar`}. ${n === 1 ? "Se conserva" : "Se conservan"} hasta que hayas visto esto.`,
} satisfies Catalogue["work"];
