/** The pictures of the instructions of the stages about whole captions, which are loaded with their texts. */

import type { CampaignInstructions } from "../texts/catalogue";
import { WHOLE, type Pictures } from "./examples";

export const CAPTION_EXAMPLES = {
  writing: {
    whole: { scene: "park", view: WHOLE, good: true },
    group: { scene: "concert", view: WHOLE, good: true },
    guess: { scene: "beach", view: WHOLE, good: false },
    short: { scene: "beach", view: WHOLE, good: false },
  },
  caption_check: {
    right: { scene: "park", view: WHOLE, good: null },
    minor: { scene: "park", view: WHOLE, good: null },
    wrong: { scene: "park", view: WHOLE, good: null },
  },
  grading: {
    exactly: { scene: "park", view: WHOLE, good: null },
    nearly: { scene: "park", view: WHOLE, good: null },
    somewhat: { scene: "park", view: WHOLE, good: null },
    unrelated: { scene: "park", view: WHOLE, good: null },
  },
  relevance: {
    right: { scene: "park", view: WHOLE, good: true },
    minor: { scene: "park", view: WHOLE, good: true },
    part: { scene: "park", view: WHOLE, good: false },
  },
} satisfies Pictures<CampaignInstructions["stages"]>;
