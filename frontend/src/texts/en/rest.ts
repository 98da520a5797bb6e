/** The texts of the list of tasks, the worker's own page and the preview. The work does not need them. */

import type { Pointing } from "../pointer";

const plural = new Intl.PluralRules("en");
const number = new Intl.NumberFormat("en");
const list = new Intl.ListFormat("en");
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === "one" ? one : other}`;

export default {
  list: {
    tagline: "Look at photographs and answer small questions about them.",
    worker: (name: string, project: string) => `You are ${name} in ${project}.`,
    earned: "Earned so far",
    waiting: "Work is waiting",
    start: "Start",
    goOn: "Go on",
    none: "Nothing to do now",
    blocked: "Closed for you",
    test: "A test comes first",
    testAgain: (when: string) => `Test again ${when}`,
    enough: "Enough for now",
    enoughUntil: (when: string) => `More pages ${when}`,
    figures: "Not open to you yet",
    draft: (answered: number, items: number) => `Page in hand: ${answered} of ${items} answered`,
    unsent: "A page waits to be sent",
    pages: (n: number) => count(n, "page done", "pages done"),
    preview: "Preview",
    previewOf: (stage: string) => `Preview of “${stage}”`,
    look: "Or look at the tasks first",
    key: "Press the number of a task to start.",
    empty:
      "There is nothing to do at the moment. New work comes as others go on working. Look again in a while.",
    closed: "All tasks are closed for you. “Your account” says how to ask the researcher.",
    offline: "No connection. This list may be old. You can go on with pages in hand.",
    failed: "The list could not be loaded.",
    pay: (worth: string) => `A page: ${worth}`,
    byItem: (worth: string) => `A full page: ${worth}; shorter ones pay less`,
    tasks: {
      link: "Two captions, a few words marked in each: are they about the same thing?",
      verification: "Several captions, a few words marked in each: are all about the same thing?",
      requirement: "Can a box be drawn round what the marked words name?",
      drawing: "Draw a box round one thing that the marked words name.",
      quality: "Is the new box tight, and round one whole thing that was meant?",
      coverage: "Is there a box around everything that the marked words name?",
      boxes: "Draw a box round each thing that the marked words name.",
      check: "Are the new boxes good, and is anything missing?",
      writing: "Describe a photograph in one sentence.",
      caption_check: "Does a caption describe its photograph?",
      grading: "How well does a caption describe a photograph?",
      relevance: "Which of some captions describe a photograph?",
    },
  },
  closeUp: "Shown enlarged: pull the edges until the box is tight. ⤢ shows all of it.",
  crosshair: (x: number, y: number, width: number, height: number, set: number, needed: number): string =>
    `Crosshair ${x} from the left, ${y} from the top, of ${width} by ${height} pixels. ${set} of ${needed} points set.`,
  edges: {
    all: "Edges of the box, in pixels of the photograph",
    names: ["Left", "Top", "Right", "Bottom"],
  },
  /** The questions of the stages whose views come later. */
  questions: {
    boxes: "Draw a box round each thing that the marked words name and that has none yet.",
    check: "Are the new boxes good, and is anything missing?",
    writing: "Describe the photograph in one sentence.",
    relevance: "Which of the captions describe the photograph?",
  },
  /** What is said about all boxes of a chain at once. */
  joint: {
    boxes: {
      drawn: (n: number) => count(n, "new box", "new boxes"),
      all: (n: number) => (n === 0 ? "That is all" : `That is all: ${count(n, "new box", "new boxes")}`),
      release: (n: number) => `Box ${n} is right`,
      /** The right answer of a practice question. */
      allOf: (n: number) => (n === 1 ? "the box with the ✓" : "all boxes with a ✓"),
      why: "Why is no box needed?",
      reasons: {
        scene: "It is a scene or place",
        nobox: "It cannot be seen or drawn",
        done: "Everything has a box already",
      },
      back: "Back to drawing",
      adjust: "Pull the edges until the box is tight.",
      list: "Your boxes",
      one: (n: number) => `Box ${n}`,
      another: (n: number) => `Box ${n} is drawn. Draw the next one, or press “That is all”.`,
      choose: "Choose a reason, or go back to drawing.",
      made: (n: number, where: string) => `Box ${n} is drawn: ${where}.`,
      remove: (n: number) => `Remove box ${n}`,
      twin: (n: number) => `That is the same as box ${n}.`,
      most: (n: number) => `More than ${number.format(n)} boxes cannot be sent. Draw one box round a group.`,
      unfinished: "A box is begun. Set its other points, or take them back.",
      nothing: "Draw a box first. If none is needed, say so.",
      removeFirst: "You have drawn boxes. If none is needed, remove them first.",
      count: (said: number, boxes: number) =>
        `The words name ${count(said, "thing", "things")}; there ${boxes === 1 ? "is 1 box" : `are ${number.format(boxes)} boxes`}. If that is right, press again.`,
      points: (n: number, where: string) =>
        `${n === 1 ? "Somebody marked a place" : `${number.format(n)} places are marked`} where something may be missing: ${where}.`,
    },
    check: {
      list: "New boxes",
      one: (n: number) => `Box ${n}`,
      noNew: "There is no new box. Is anything missing?",
      open: "Not judged",
      judgments: {
        good: "Good",
        loose: "Loose",
        cut: "Cut off",
        wrong: "Wrong thing",
        double: "Double",
      },
      which: (n: number) => `Box ${n} is …`,
      back: "Back",
      nothingMissing: "Nothing is missing",
      somethingMissing: "Something is missing",
      markIt: (by: Pointing): string =>
        `Show where, if you can: ${{ click: "click there, or use the arrow keys and Enter.", tap: "tap there.", both: "click or tap there, or use the arrow keys and Enter." }[by]}`,
      markedAt: (field: string) => `Marked: ${field}.`,
      moved: "The mark is here now. An answer has one mark.",
      judgeFirst: (n: number) => `Box ${n} is not judged yet.`,
      missingFirst: "Say first whether anything is missing.",
      toJudge: "Not everything is judged yet",
      toSee: "Look at the boxes first",
      tap: "Press a box to say what is wrong with it.",
      /** What the answer says, before it is given and in the overview. */
      confirm: (boxes: number, bad: number, missing: boolean) =>
        [
          ...(boxes === 0
            ? []
            : bad === 0
              ? [boxes === 1 ? "The box is good" : `All ${number.format(boxes)} are good`]
              : bad === boxes
                ? [boxes === 1 ? "The box is bad" : `All ${number.format(boxes)} are bad`]
                : [`${count(bad, "box", "boxes")} bad`, `${number.format(boxes - bad)} good`]),
          missing ? "something is missing" : "nothing is missing",
        ]
          .join(", ")
          .replace(/^./, (letter) => letter.toUpperCase()),
    },
  },
  /** What is said where captions are written, and matched with a photograph. */
  /** Of several captions. */
  whichUnrelated: "Which captions are about another photograph?",
  captions: {
    label: "Your sentence",
    placeholder: "Say what can be seen: who or what, doing what, and where.",
    advice: "Only what can be seen: no names, no guesses, nothing from outside the photograph.",
    correct: "This sentence has one mistake. Write it without the mistake.",
    unchanged: "The sentence has a mistake. Change it first.",
    done: "Done",
    hints: {
      short: "A caption has at least four words.",
      name: "This looks like a name. Say “a man” or “a tower” instead.",
      guess: "This looks like a guess. Say only what can be seen.",
      image: "Describe what can be seen, not the photograph itself.",
      again: "You have written this already.",
      opening: "Several of your captions begin like this. Begin with something else if you can.",
    },
    these: (n: number) =>
      n === 0 ? "Tick those that describe it" : `That is all: ${count(n, "caption", "captions")}`,
    none: "None of them describes it",
    tickFirst: "Tick those that describe the photograph. If none does, say so.",
    matched: (describes: readonly boolean[]) => {
      const places = describes.flatMap((is, at) => (is ? [number.format(at + 1)] : []));
      if (places.length === 0) return "None of them";
      const which = places.length === 1 ? "Caption" : "Captions";
      return `${which} ${list.format(places)} of ${number.format(describes.length)}`;
    },
  },
  settings: {
    language: "Language",
    theme: "Colours",
    auto: "As the device",
    light: "Light",
    dark: "Dark",
    keys: "Answer by pressing single keys",
    sends: "Send a page automatically 5 seconds after its last answer",
    /** Said where no native speaker has checked these texts yet. Empty: one has. */
    unchecked: "",
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
    average: "Per page",
    total: "Total",
    weeks: "Right answers",
    weeksWords:
      "For some questions the right answer is known beforehand. For each week that is over, you see how many of them you answered right, rounded to 10%. Weeks with few such questions are left out.",
    about: (percent: number) => `About ${percent}%`,
    captions: "Your captions",
    captionsWere: (accepted: number, refused: number) =>
      `${number.format(accepted)} accepted, ${number.format(refused)} refused${refused > 0 ? ", because of:" : "."}`,
    refusals: {
      short: "Less than four words",
      language: "Another language",
      spelling: "A misspelt word",
      name: "A name",
      guess: "A guess",
      image: "Words about the photograph itself",
      "repeats-own": "It repeats another one of yours",
      "repeats-other": "It repeats somebody else’s",
      check: "It does not describe the photograph",
    },
    standing: "Your standing",
    open: "Open: you can take pages of this task.",
    openNone: "Open, but there is nothing to do at the moment.",
    blocked: "Closed: the researcher has closed this task for you. Ask them why.",
    test: "You have to pass a test first. It begins when you open the task.",
    testAgain: (when: string) => `The test was not passed. You can try again ${when}.`,
    closed:
      "Closed: too few of your answers to questions with known answers were right, or you have no tries left at its test.",
    enough: "Enough for now: you have as many pages as one worker gets.",
    figures: "Not open yet: you need more approved tasks on your platform for it.",
    contact: "Questions?",
    contactWords: "The researcher answers questions about the work, the pay and a closed task:",
    noContact: "The researcher gave no address here. Ask where you got your link.",
    device: "On this device",
    deviceWords:
      "This browser keeps your access, your settings, which instructions you have seen, answers that were not sent yet, and a number by which your invitation knows this browser. Answers are removed once the server has them. Nothing else is kept, and no cookies are used.",
    signOut: "Sign out of this device",
    signOutTitle: "Sign out of this device?",
    signOutWords: "To come back, you need your link.",
    drafts: "Not sent yet:",
    draft: (stage: string, answered: number, items: number) => `${stage}: ${answered} of ${items} answered`,
    forget: "Delete these answers, too",
    keepNote: "Otherwise they stay on this device and come back when you sign in here again.",
    signedOut: "You are signed out.",
    failed: "Your account could not be loaded.",
    duration: (seconds: number) => {
      const minutes = Math.round(seconds / 60);
      if (seconds < 60) return `${Math.round(seconds)} s`;
      return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    },
    none: "–",
  },
  qualification: {
    heading: "A short test first",
    read: "Read the instructions below. You can open them again at any time.",
    training: (n: number) =>
      n === 1
        ? "1 practice question: after it you are told what is right, and why. It does not count."
        : `${number.format(n)} practice questions: after each one you are told what is right, and why. They do not count.`,
    scored: (n: number) =>
      `The test: ${count(n, "question", "questions")}. You are not told which answers are right.`,
    pass: (needed: number, of: number) =>
      `${number.format(needed)} of ${number.format(of)} right answers pass.`,
    tries: (n: number) => (n === 1 ? "This is your last try." : `You have ${number.format(n)} tries.`),
    unpaid: "The test is not paid. Once you have passed it, it counts for this task in the whole project.",
    begin: "Start",
    practice: (n: number, of: number) => `Practice question ${number.format(n)} of ${number.format(of)}`,
    right: "Right",
    wrong: "Not quite",
    yours: "You said:",
    rightAnswer: "What is right:",
    rightBoxes: (n: number) => (n === 1 ? "the box with the ✓" : "any one of the boxes with a ✓"),
    rightOnes: "Right",
    theirs: "Yours",
    next: "Next",
    toTest: "On to the test",
    ready: "Now the test",
    left: (n: number) =>
      n === 0 ? "This is the last try." : `After it, ${count(n, "more try is", "more tries are")} left.`,
    remaining: (n: number) => `${count(n, "try is", "tries are")} left.`,
    keeps: "You can pause: your answers are kept on this device until you hand them in.",
    start: "Begin the test",
    banner: "Test: which answers are right is not shown.",
    handIn: "Hand in the test",
    score: (right: number, of: number) =>
      `${number.format(right)} of ${number.format(of)} answers were right.`,
    passed: "You passed",
    passedWords: "Now you can work on this task.",
    passedBefore: "The test of this task is passed. You can work on it.",
    work: "Start working",
    failed: "Not passed this time",
    again: "Try again",
    wait: (when: string) => `You can try again ${when}.`,
    enough: "You have done your share",
    more: (when: string) => `There are more for you ${when}.`,
    waiting: "You can try again later",
    meanwhile: "Other tasks may be open to you meanwhile: the list of tasks shows them.",
    closed: {
      tries:
        "The test was not passed, and no tries are left. If you think that is a mistake, write to the researcher.",
      trust:
        "For some questions the answer is known beforehand. Too few of your answers to these were right, so you cannot go on with this task. Every page you sent is paid as promised.",
      enough: "You have as many pages of this work as one worker gets.",
      figures:
        "For this task you need more finished and approved tasks on your platform. Come back when you have them.",
    },
    offline: "No connection: that did not arrive. Try again once the connection is back.",
    retried: "This page tries again automatically.",
  },
  preview: {
    banner: "This is a preview: nothing is sent, nothing is kept, nothing is paid.",
    done: "That was the preview",
    doneWords: "Nothing was sent. With a page of your own, this is where you see what you earned.",
    again: "Once more",
    toWork: "Start working",
  },
  crowd: {
    preview: "This is a preview with sample pictures. Accept the task to begin.",
    previewWords: "Nothing was sent. Accept the task on the platform to work on a page of your own.",
    nobody: "Open this task on its platform",
    nobodyWords:
      "This page belongs to a task on a crowd platform, and the address does not say for whom it is. Go back to the platform and open the task there.",
    giveBack: "Please return this task on the platform",
    none: "There is no page for you in it now",
    nothing:
      "Others have the remaining pages open or have done them, or you have seen them all. If you have just begun, the platform may still have to confirm your first answers, which takes about half a minute. While you wait here, this page looks again automatically. If no page comes within a few minutes, return the task on the platform. Nothing is wrong with your work.",
    limited:
      "Many people have opened such tasks from your network within the last hour. This page tries again automatically every few minutes. If you do not want to wait, return the task on the platform.",
    returned:
      "You gave the page back here. The platform does not know that yet, so return the task there, too.",
    gone: "It has ended here. Nothing that you do in it now would count.",
    crowded: "More people have opened it than it has places.",
    address:
      "This page is not at the address that the platform gives. Open the task again from the platform. If you see this again, return the task.",
    test: "If you cannot or do not want to go on here, return the task on the platform.",
    testPaid:
      "You are paid for the test if you do not pass it, too. If you do not want to go on here, return the task on the platform.",
    lease: "Others may have this page, too. Submit it in the platform’s time: it is paid.",
    over: "The platform has this page already",
    overWords: "There is nothing left to do here. Go on with other tasks on the platform.",
    last: "Done. Now tell the platform",
    lastWords: "Your answers are here. The platform pays once it knows that you have finished.",
    submit: "Submit to the platform",
    back: "Back to the platform",
    waits: "It waits for the network. Keep this page open.",
    ended: "Your time on this page is over here",
    endedWords: "Load the page again to go on. If your browser allows it, your answers are kept until then.",
    broken:
      "If the page broke while you were working, write to the researcher: work on it can be paid in part.",
    number: (key: string) => `When you write, give this number: ${key}`,
    rescue: (contact: string, key: string) =>
      `If your work on this page is lost, it can be paid in part. ${contact ? `Write to ${contact}` : "Write to the requester on the platform"} and give this number: ${key}`,
    again: "Look again",
  },
  join: {
    project: (project: string) => `You are invited to work on ${project}.`,
    name: {
      label: "Your name or e-mail address",
      hint: "The researcher sees it, and knows from it whom to pay. Other workers do not see it.",
      empty: "Write a name or an e-mail address first.",
      refused: "Somebody has this name already, or it cannot be used. Choose another one.",
    },
    passcode: {
      label: "Passcode",
      hint: "It came with the invitation, or you are told it where you work.",
      empty: "Write the passcode first.",
      refused: "That is not the passcode. Check it and try again.",
    },
    back: "You have joined before, in this browser.",
    go: "Join",
    goOn: "Go on",
    kept: "This browser keeps your access, so that the same link brings you back here. No cookies are used.",
    cut: "This is not an invitation. A part of the link may be missing. Copy the whole link and open it again.",
    used: "This invitation was used already. It still opens in the browser where it was used. Otherwise, ask the researcher for one of your own.",
    over: "This invitation has ended. Ask the researcher for another one.",
    closed: "The work is closed for you. Ask the researcher why.",
    offline: "The server did not answer. Check your connection and try again.",
    limited: "There were too many tries. Wait a while and try again, after an hour at the latest.",
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
    unrelated: "caption of another photograph",
    pictures: "The pictures do not load?",
    refresh: "Fetch them again",
  },
  phase: {
    sending: "Sending your answers …",
    sendingOffline:
      "No connection. The answers are kept, and sent as soon as it is back. You can close this page.",
    sendingInMemory:
      "No network, and this browser cannot save your answers. Keep this tab open until they are sent.",
    done: "Page done",
    doneWords: (n: number) => `${count(n, "answer was", "answers were")} taken. Thank you.`,
    late: (n: number) => `${count(n, "came", "came")} too late to be needed.`,
    reward: "For this page",
    session: "In this session",
    next: "Next page",
    nothing: "Nothing to do here now",
    nothingWords: "New pages come as others go on working. This page asks again automatically.",
    ask: "Ask now",
    asked: (time: string) => `Asked last at ${time}. There is nothing yet.`,
    begun: "Pages that you have begun here:",
    elsewhere: "Open in another tab",
    elsewhereWords:
      "This page is being worked on in another tab or window. Only one at a time can change it.",
    takeOver: "Go on here",
    returned: "Page given back",
    returnedWords: "Others get its questions now.",
    refused: "This task is closed for you",
    refusedWords: "“Your account” says how to ask the researcher.",
    failed: "That did not work",
    failedWords: "Your answers are kept on this device. This page tries again automatically.",
    full: (n: number) => `You have ${n} pages in hand. Finish or give back one of them.`,
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
      "If you have no link, or if it does not work any more, ask the researcher who invited you for a new one.",
    researchers: "Researchers log in here",
  },
  aside: {
    /** What the worker reads before deleting the answers. */
    words: (stage: string, answers: number) =>
      `${stage}: ${count(answers, "answer", "answers")} could not be delivered: the page is not yours any more.`,
    seen: "Delete them",
  },
  giveBack: {
    title: "Give this page back?",
    words: (answered: number) =>
      answered === 0
        ? "Others will get these questions."
        : `Others will get these questions. ${count(answered, "answer of yours is", "answers of yours are")} thrown away, and nothing is paid for this page.`,
    keep: "Keep it",
  },
  unknown: {
    words: "A part of the address may be missing. All tasks are on the first page.",
  },
};
