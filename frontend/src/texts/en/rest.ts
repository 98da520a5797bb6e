/** What the list of tasks, the worker's own page and the preview say: the work itself does not need it. */

const plural = new Intl.PluralRules("en");
const number = new Intl.NumberFormat("en");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  list: {
    tagline: "Look at photographs and answer small questions about them.",
    worker: (name: string, project: string) => `You are ${name} in ${project}.`,
    earned: "Earned so far",
    waiting: "Work is waiting",
    goOn: "Go on",
    none: "Nothing to do now",
    blocked: "Closed for you",
    draft: (answered: number, items: number) => `Page in hand: ${answered} of ${items} answered`,
    unsent: "A page waits to be sent",
    pages: (n: number) => count(n, "page done", "pages done"),
    preview: "Preview",
    previewOf: (stage: string) => `Preview of “${stage}”`,
    look: "Or look at the tasks first",
    key: "Press the number of a task to start.",
    empty: "There is nothing to do at the moment. New work comes as others go on: look again in a while.",
    closed: "All tasks are closed for you. Your page says how to ask the researcher.",
    offline: "No connection. What is shown may be old; pages in hand can be worked on.",
    failed: "The list could not be loaded.",
  },
  settings: {
    language: "Language",
    theme: "Colours",
    auto: "As the device",
    light: "Light",
    dark: "Dark",
    keys: "Single keys answer",
  },
  me: {
    worker: (name: string, project: string) => `${name}, in ${project}`,
    earned: "Earned",
    nothing: "Nothing yet",
    done: "What you did",
    task: "Task",
    pages: "Pages",
    judgments: "Answers",
    time: "Time",
    average: "A page",
    total: "Together",
    standing: "Your standing",
    open: "Open: you can take pages of this task.",
    openNone: "Open: you can take pages of this task. There is nothing to do in it now.",
    blocked: "Closed: the researcher has closed this task for you. Ask them why.",
    qualifications: "Qualifications",
    noTest: "No test is needed for this task.",
    noTests: "No test is needed for any task that is open for you.",
    contact: "Questions?",
    contactWords: "The researcher answers questions about the work, the pay and a closed task:",
    noContact: "The researcher gave no address here. Ask where you got your link.",
    device: "On this device",
    deviceWords:
      "This browser keeps your access, the language and colours you chose, which instructions you have seen, and answers that were not sent yet. Answers are removed once the server has them. Nothing else is kept, and no cookies are used.",
    signOut: "Sign out of this device",
    signOutTitle: "Sign out of this device?",
    signOutWords: "To come back you need your link.",
    drafts: "Not sent yet:",
    draft: (stage: string, answered: number, items: number) => `${stage}: ${answered} of ${items} answered`,
    forget: "Delete these answers, too",
    keepNote: "Otherwise they stay on this device and come back when you sign in here again.",
    signedOut: "You are signed out.",
    failed: "Your page could not be loaded.",
    duration: (seconds: number) => {
      const minutes = Math.round(seconds / 60);
      if (seconds < 60) return `${Math.round(seconds)} s`;
      return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    },
    none: "–",
  },
  preview: {
    banner: "This is a preview: nothing is sent, nothing is kept, nothing is paid.",
    done: "That was the preview",
    doneWords: "Nothing was sent. With a page of your own, this is where you see what you earned.",
    again: "Once more",
    toWork: "Start working",
  },
  unknown: {
    words: "The address may have been cut. All tasks are on the first page.",
  },
};
