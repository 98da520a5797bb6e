import type { Linked } from "../catalogue";

export default {
  away: "In dieser Aufgabe gibt es keine Arbeit für Sie",
  awayWords:
    "An Ihnen oder Ihrer Arbeit liegt es nicht: Andere haben den Rest, oder Sie haben Ihren Teil getan. Sehen Sie in ein paar Minuten noch einmal nach, oder geben Sie die Aufgabe auf der Plattform zurück.",
  awayPaid:
    "Gehen Sie damit zur Plattform zurück, damit sie weiß, dass Sie da waren. Wenn Sie warten wollen, sehen Sie in ein paar Minuten noch einmal nach.",
  codeWords:
    "Ihre Antworten sind hier. Kopieren Sie diesen Code und geben Sie ihn auf der Plattform ein: Sie zahlt, sobald sie ihn hat.",
  copy: "Kopieren",
  copied: "Kopiert",
} satisfies Linked;
