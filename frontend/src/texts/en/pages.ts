const plural = new Intl.PluralRules("en");
const number = new Intl.NumberFormat("en");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  /** The titles of the pages. Links to the pages use them, too. */
  titles: {
    home: "Tasks",
    me: "Your page",
    join: "Invitation",
    unknown: "There is no such page",
    preview: (stage: string) => `Preview: ${stage}`,
  },
  mine: "Your page",
  pay: (worth: string) => `A page: ${worth}`,
  byItem: (worth: string) => `A full page: ${worth}; shorter ones pay less`,
  anHour: (amount: string) => `${amount} an hour`,
  questions: (n: number) => count(n, "question", "questions"),
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
    giveBackTitle: "Give this page back?",
    giveBackWords: (answered: number) =>
      answered === 0
        ? "Others will get these questions."
        : `Others will get these questions. ${count(answered, "answer of yours is", "answers of yours are")} thrown away, and nothing is paid for this page.`,
    keep: "Keep it",
    more: "More",
    changed: "These instructions have changed since you last read them.",
    begin: "To the questions",
    /** What the worker reads before deleting the answers. */
    aside: (stage: string, answers: number) =>
      `${stage}: ${count(answers, "answer", "answers")} could not be delivered: the page is not yours any more.`,
    acknowledge: "Delete them",
    pictures: "The pictures do not load?",
    refresh: "Fetch them again",
  },
  overview: {
    heading: "Your answers",
    ready: "Look them over. Choose one to change it.",
    missing: (n: number) => `${count(n, "question is", "questions are")} not answered yet.`,
    submit: "Send this page",
    sendsIn: (seconds: number) => `This page is sent in ${count(seconds, "second", "seconds")}.`,
    hold: "Do not send it yet",
    held: "The page is not sent. Send it when you are ready.",
    toMissing: "To the next open question",
    commented: "with a comment",
    flagged: "words cut wrongly",
  },
  phase: {
    sending: "Sending your answers …",
    sendingOffline:
      "No connection. The answers are kept, and sent as soon as it is back. You can close this page.",
    done: "Page done",
    doneWords: (n: number) => `${count(n, "answer was", "answers were")} taken. Thank you.`,
    late: (n: number) => `${count(n, "came", "came")} too late to be needed.`,
    reward: "For this page",
    session: "In this session",
    next: "Next page",
    nothing: "Nothing to do here now",
    nothingWords: "New pages come as others go on working. This page asks again automatically.",
    ask: "Ask now",
    elsewhere: "Open in another tab",
    elsewhereWords:
      "This page is being worked on in another tab or window. Only one at a time can change it.",
    takeOver: "Go on here",
    returned: "Page given back",
    returnedWords: "Others get its questions now.",
    refused: "This task is closed for you",
    refusedWords: "Your page says how to ask the researcher.",
    failed: "That did not work",
    failedWords: "Your answers are kept on this device. This page tries again automatically.",
  },
  signin: {
    heading: "Sign in",
    words: "These pages open with a personal link. Paste the link you got, or the token from it.",
    kept: "You were signed out, because your access has ended or was changed. Your answers are kept on this device. Open your newest link or your invitation again, and you can go on where you were.",
    ended:
      "You were signed out, because your access has ended or was changed. Open your newest link or your invitation again.",
    field: "Link or token",
    go: "Sign in",
    empty: "Paste the link first.",
    wrong: "That is not a link for these pages. Copy the whole link and paste it again.",
    noLink:
      "No link at hand, or does it not work any more? The researcher who invited you can send a new one.",
    researchers: "Researchers log in here",
  },
  crash: {
    heading: "Something broke on this page",
    words: "Your answers are kept. Load the page again to go on where you were.",
    load: "This page could not be loaded",
    loadWords: "The connection may be gone. Your answers are kept.",
  },
};
