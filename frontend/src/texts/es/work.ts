import type { Catalogue } from "../catalogue";

export default {
  saved: "Guardado en este dispositivo.",
  saving: "Guardando…",
  memory:
    "Este navegador no puede guardar tus respuestas. Deja abierta esta pestaña hasta que se envíe la página.",
  offline: "Sin red. Sigue trabajando: tus respuestas se guardan en este dispositivo.",
  unreachable: "No se puede acceder al servidor. Esta página lo reintenta automáticamente.",
  waiting: (n: number) =>
    n === 1
      ? "Una página de respuestas espera a que haya red. Está guardada en este dispositivo y se enviará sola."
      : `${n} páginas de respuestas esperan a que haya red. Están guardadas en este dispositivo y se enviarán solas.`,
  soon: (minutes: number) =>
    `Esta página es tuya durante ${minutes === 1 ? "un minuto más" : `${minutes} minutos más`}. Si trabajas en ella, la conservas.`,
  over: "El tiempo de esta página se acabó. Aún puedes enviarla: las respuestas que todavía hacen falta cuentan.",
  notice: () => "Eso no funcionó. Tus respuestas se conservan.",
  problems: (n: number) =>
    n === 1
      ? "Una respuesta no se pudo aceptar. Corrígela y vuelve a enviar."
      : `${n} respuestas no se pudieron aceptar. Corrígelas y vuelve a enviar.`,
  aside: (n: number) =>
    `${n === 1 ? "Una respuesta no se pudo entregar" : `${n} respuestas no se pudieron entregar`}. ${n === 1 ? "Se conserva" : "Se conservan"} hasta que hayas visto esto.`,
} satisfies Catalogue["work"];
