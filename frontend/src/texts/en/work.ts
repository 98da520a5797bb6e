/** What is said about saving, sending, the network and the lease. */

const pages = (n: number) => (n === 1 ? "A page" : `${n} pages`);
const answers = (n: number) => (n === 1 ? "One answer" : `${n} answers`);
/** Shown in place of what the server said, because that is English and tells a worker no more. */
type InPlaceOf = (detail: string) => string;
const notice: InPlaceOf = () => "That did not work. Your answers are kept.";

export default {
  saved: "Saved on this device.",
  saving: "Saving…",
  memory: "This browser cannot save your answers. Keep this tab open until the page is sent.",
  offline: "No network. Go on working: your answers are kept on this device.",
  unreachable: "The server cannot be reached. This page tries again automatically.",
  waiting: (n: number) =>
    `${pages(n)} of answers ${n === 1 ? "waits" : "wait"} for the network, kept here. ${n === 1 ? "It is" : "They are"} sent automatically.`,
  soon: (minutes: number) =>
    `This page is yours for ${minutes === 1 ? "one more minute" : `${minutes} more minutes`}. Working on it keeps it.`,
  over: "Time is over. You can still send the page: what is still needed counts.",
  notice,
  problems: (n: number) =>
    n === 1
      ? "One answer could not be taken. Please correct it and send again."
      : `${n} answers could not be taken. Please correct them and send again.`,
  aside: (n: number) => `${answers(n)} could not be delivered. They are kept until you have seen this.`,
};
