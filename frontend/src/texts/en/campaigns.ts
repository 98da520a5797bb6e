export default {
  meanings: {
    tick: "Tick the caption of this number, or take the tick away",
    tenth: "The same for the tenth caption",
    noneFits: "None of the captions describes the photograph",
    allTicked: "These are all: go on",
    written: "The sentence is done: go on",
  },
  stages: {
    writing: {
      aim: "Write one sentence that describes the photograph to somebody who does not see it: who or what is there, what happens, and where.",
      rules: [
        "Describe what is depicted: the scene, the situation, the events, and the people and things in them.",
        "Write one whole sentence with a verb and without mistakes.",
        "No names of people or places, even if you know them: “a woman”, “a city”.",
        "No guesses: nothing about what people think, what they are to each other, or what happens next.",
        "Nothing about the photograph itself, as in “a picture of”, and nothing about who took it.",
        "Each photograph is different. Do not use the same sentence twice.",
      ],
      examples: {
        whole: {
          marked: ["A woman with long hair walks two dogs in a park."],
          verdict: "Good",
          why: "Who, what they do, and where, in one sentence.",
        },
        group: {
          marked: ["Two musicians play for a crowd on a stage."],
          verdict: "Good",
          why: "It says what happens, and leaves out what does not matter.",
        },
        guess: {
          marked: ["A father and his daughter are enjoying their holiday."],
          verdict: "Bad",
          why: "The photograph does not show that they are a family, or on holiday.",
        },
        short: {
          marked: ["Nice beach."],
          verdict: "Bad",
          why: "No sentence, and an opinion. Say who is there and what they do.",
        },
      },
    },
    caption_check: {
      aim: "Somebody described the photograph. Say whether the caption fits.",
      rules: [
        "Describes it: everything it says can be seen, and it is one sentence without mistakes.",
        "Minor errors: it fits, but for details, such as a wrong colour or number, a guess, or bad grammar.",
        "Does not: the main thing is wrong or missing, it is about something else, or it is no sentence.",
        "It need not name everything in the photograph.",
      ],
      examples: {
        right: {
          marked: ["A woman with long hair walks two dogs in a park."],
          verdict: "Describes it",
          why: "All of it can be seen.",
        },
        minor: {
          marked: ["A woman walk three dogs in a park."],
          verdict: "Minor errors",
          why: "There are two dogs, and the grammar is wrong.",
        },
        wrong: {
          marked: ["A boy throws a ball to a dog."],
          verdict: "Does not",
          why: "There is neither a boy nor a ball.",
        },
      },
    },
    grading: {
      aim: "Say how well the caption describes the photograph, on a scale of four.",
      rules: [
        "1, unrelated: nothing that the caption says is in the photograph.",
        "2, somewhat related: it fits some aspects of the photograph, but does not describe it.",
        "3, with minor errors: it describes the photograph, but some details are wrong.",
        "4, without any errors: it describes the photograph.",
        "A caption need not name everything in the photograph to be without errors.",
      ],
      examples: {
        exactly: {
          marked: ["A woman with long hair walks two dogs in a park."],
          verdict: "Without any errors",
          why: "All of it can be seen.",
        },
        nearly: {
          marked: ["A woman walks three dogs in a park."],
          verdict: "With minor errors",
          why: "There are two dogs, not three.",
        },
        somewhat: {
          marked: ["A dog sleeps under a bench."],
          verdict: "Somewhat related",
          why: "There are dogs and a bench, but nobody sleeps.",
        },
        unrelated: {
          marked: ["Children swim in a pool."],
          verdict: "Unrelated",
          why: "Nothing of it is in the photograph.",
        },
      },
    },
    relevance: {
      aim: "Tick each caption that describes the photograph. If none does, say so.",
      rules: [
        "Minor errors are allowed, such as a wrong colour or number.",
        "A caption need not name everything in the photograph.",
        "A caption that fits only some aspects, such as the place alone, does not describe it.",
        "Read all of them: one, several, or none may fit.",
      ],
      examples: {
        right: {
          marked: ["A woman with long hair walks two dogs in a park."],
          verdict: "Tick it",
          why: "All of it can be seen.",
        },
        minor: {
          marked: ["A lady walks three dogs past a bench."],
          verdict: "Tick it",
          why: "There are two dogs. That is a minor error.",
        },
        part: {
          marked: ["A dog sleeps under a bench."],
          verdict: "Leave it",
          why: "There are dogs and a bench, but that is not what happens.",
        },
      },
    },
  },
};
