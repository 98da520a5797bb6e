/** A page to try out a stage. It has no lease and no token, and nothing is sent. It is loaded on demand. */

import type { Caption, OwnInstructions, Page, Question, Stage } from "../api/types";
import { BEACH, CONCERT, IMAGES, PARK, type SceneName } from "./scenes";

/** Cuts "[A man] waves ." into segments, as the API does. */
export function caption(index: number, written: string): Caption {
  const segments = written
    .split(/(\[[^\]]*\])/)
    .filter((piece) => piece !== "")
    .map((piece) =>
      piece.startsWith("[") ? { text: piece.slice(1, -1), mention: true } : { text: piece, mention: false },
    );
  return { index, segments };
}

type Shown = Pick<Question, "boxes" | "box" | "new_boxes" | "points" | "correct" | "language">;

function ask(scene: SceneName, captions: string[], shown: Shown = {}): Question {
  return { image: IMAGES[scene], captions: captions.map((words, index) => caption(index, words)), ...shown };
}

const QUESTIONS: Record<Stage, Question[]> = {
  link: [
    ask("beach", [
      "[A man] wearing a red hat waves next to a beach umbrella .",
      "A little girl runs after a beach ball while [a man] cheers her on .",
    ]),
    ask("beach", [
      "A young man in a white shirt and [a young girl] are playing on a sandy beach .",
      "Two boats on the sea behind [a family] .",
    ]),
    ask("park", ["[Some dogs] walk past a bench and a tree .", "A lady is walking [two dogs] in a park ."]),
    ask("concert", [
      "[A guitarist] in a blue shirt and his brown shorts is playing a guitar .",
      "A crowd watches [the band members] on the stage .",
    ]),
  ],
  verification: [
    ask("beach", [
      "A man wearing a red hat waves next to a beach umbrella behind [a girl] .",
      "A young man in a white shirt and [a young girl] are playing on a sandy beach .",
      "[A little girl] runs after a beach ball while a man cheers her on .",
      "[A young girl] in an orange top is playing with a beach ball near the sea .",
    ]),
    ask("concert", [
      "[The audience] listens to music at a show .",
      "[A crowd] watches the band members on the stage .",
      "A man with a guitar performs for [the audience] .",
    ]),
    ask("park", [
      "[A woman] passes a green tree in a park while dogs walk ahead of her .",
      "[Two dogs] are running on green grass near a park bench .",
      "[A lady] is walking two dogs in a park .",
    ]),
  ],
  requirement: [
    ask("beach", ["Two boats on [the sea] behind a family ."]),
    ask("beach", ["A little girl runs after [a beach ball] while a man cheers her on ."]),
    ask("concert", ["The audience listens to [music] at a show ."]),
    ask("park", ["A woman with long hair goes for [a walk] ."]),
  ],
  drawing: [
    ask("beach", ["A man wearing a red hat waves next to [a beach umbrella] ."], { boxes: [] }),
    ask("park", ["A lady is walking [two dogs] in a park ."], { boxes: [PARK.brownDog] }),
    ask("beach", ["[Two boats] on the sea behind a family ."], { boxes: [BEACH.leftBoat, BEACH.rightBoat] }),
    ask("concert", ["[A crowd] watches the band members on the stage ."], { boxes: [] }),
  ],
  quality: [
    ask("concert", ["A woman in a white top plays [a drum] on a stage ."], { boxes: [], box: CONCERT.drum }),
    ask("park", ["[Two dogs] are running on green grass near a park bench ."], {
      boxes: [PARK.brownDog],
      box: [500, 300, 640, 460],
    }),
    ask("beach", ["Two boats on the sea behind [a family] ."], { boxes: [BEACH.man], box: BEACH.girl }),
    ask("park", ["[A woman] with long hair goes for a walk ."], { boxes: [], box: [150, 172, 264, 320] }),
  ],
  coverage: [
    ask("beach", ["[Two boats] on the sea behind a family ."], { boxes: [BEACH.leftBoat] }),
    ask("beach", ["Two boats on the sea behind [a family] ."], { boxes: [BEACH.man, BEACH.girl] }),
    ask("concert", ["A crowd watches [the band members] on the stage ."], {
      boxes: [CONCERT.woman, CONCERT.guitarist],
    }),
    ask("park", ["[Some dogs] walk past a bench and a tree ."], { boxes: [PARK.blackDog] }),
  ],
  boxes: [
    ask("park", ["A lady is walking [two dogs] in a park ."], { boxes: [], points: [] }),
    ask("beach", ["[Two boats] on the sea behind a family ."], {
      boxes: [BEACH.leftBoat],
      points: [[207, 190]],
    }),
    ask("concert", ["A crowd watches [the band members] on the stage ."], { boxes: [], points: [] }),
    ask("park", ["A woman with long hair goes for [a walk] ."], { boxes: [], points: [] }),
  ],
  check: [
    ask("park", ["A lady is walking [two dogs] in a park ."], {
      boxes: [],
      new_boxes: [PARK.brownDog, PARK.blackDog],
    }),
    ask("concert", ["A crowd watches [the band members] on the stage ."], {
      boxes: [],
      new_boxes: [CONCERT.guitarist, [84, 116, 180, 300]],
    }),
    ask("beach", ["Two boats on the sea behind [a family] ."], {
      boxes: [BEACH.man],
      new_boxes: [BEACH.girl, [346, 155, 482, 428]],
    }),
    ask("concert", ["A woman in a white top plays [a drum] on a stage ."], {
      boxes: [],
      new_boxes: [[50, 190, 290, 430]],
    }),
  ],
  writing: [
    ask("park", [], { correct: null, language: "en" }),
    ask("beach", [], { correct: null, language: "en" }),
    ask("concert", [], { correct: null, language: "en" }),
  ],
  caption_check: [
    ask("park", ["A woman with long hair walks two dogs in a park ."]),
    ask("beach", ["A man in a red hat wave at a little girl ."]),
    ask("concert", ["A boy feeds ducks at a lake ."]),
  ],
  grading: [
    ask("beach", ["A little girl runs after a beach ball while a man cheers her on ."]),
    ask("concert", ["Three women play drums on a stage ."]),
    ask("park", ["A dog sleeps under a bench ."]),
    ask("beach", ["A train enters a station ."]),
  ],
  relevance: [
    ask("park", [
      "A lady is walking two dogs in a park .",
      "Two boats on the sea behind a family .",
      "A woman with long hair goes for a walk .",
      "A crowd watches the band members on the stage .",
    ]),
    ask("concert", [
      "A man reads a newspaper in a train .",
      "A guitarist and a drummer play for an audience .",
      "A woman in a white top plays a drum on a stage .",
      "A dog sleeps under a bench .",
    ]),
    ask("beach", [
      "A boy feeds ducks at a lake .",
      "A train enters a station .",
      "A crowd listens to music at a show .",
    ]),
  ],
};

/** The seconds for which a sample pretends to be leased. */
const LEASE = 86_400;

/** What a project has of its own. Without questions, the scenes are shown. */
export interface Own {
  questions: Question[];
  instructions: OwnInstructions | null;
}

/** The sample's scenes with a project's instructions. */
export const instructedBy = (instructions: OwnInstructions | null): Own => ({ questions: [], instructions });

export function samplePage(stage: Stage, own?: Own): Page {
  const questions = own?.questions.length ? own.questions : QUESTIONS[stage];
  return {
    id: `sample-${stage}`,
    stage,
    state: "live",
    expires_at: new Date(Date.now() + LEASE * 1000).toISOString(),
    expires_in: LEASE,
    reward: null,
    usual_seconds: 60,
    drawing: { method: "either", minimum_side: 3 },
    instructions: own?.instructions ?? null,
    items: questions.map((question, place) => ({ item: place + 1, question })),
  };
}
