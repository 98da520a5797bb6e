const plural = new Intl.PluralRules("en");
const number = new Intl.NumberFormat("en");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  /** How the language runs: "ltr" from the left, "rtl" from the right. */
  direction: "ltr",
  /** The titles of the pages. Links to the pages use them, too. */
  titles: {
    home: "Tasks",
    me: "Your account",
    join: "Invitation",
    unknown: "There is no such page",
    preview: (stage: string) => `Preview: ${stage}`,
  },
  mine: "Your account",
  unpaid: "unpaid",
  anHour: (amount: string) => `${amount} an hour`,
  questions: (n: number) => count(n, "question", "questions"),
  sent: "Page sent",
  title: (page: string) => `${page} · Groundcrew`,
  close: "Close",
  cancel: "Cancel",
  reload: "Load again",
  retry: "Try again",
  home: "All tasks",
  loading: "Loading …",
  progress: {
    label: "Questions of this page",
    item: (n: number, state: "answered" | "open" | "problem") =>
      `Question ${n}, ${{ answered: "answered", open: "not answered", problem: "to be corrected" }[state]}`,
    count: (n: number, of: number) => `${n} of ${of}`,
    overview: "Overview",
  },
  stage: {
    question: (n: number, of: number) => `Question ${n} of ${of}`,
    back: "Back",
    help: "Instructions",
    giveBack: "Give the page back",
    more: "More",
    changed: "These instructions have changed since you last read them.",
    begin: "To the questions",
  },
  crash: {
    heading: "Something broke on this page",
    words: "Your answers are kept. Load the page again to go on where you were.",
    load: "This page could not be loaded",
    loadWords: "The connection may be gone. Your answers are kept.",
  },
};
