/** The instructions of the stages about whole captions, which are loaded when one of them is wanted. */

import type { CampaignStage } from "../api/types";
import type { CampaignInstructions, Instructions } from "../texts/catalogue";
import type { Language } from "../texts/index.svelte";
import { CAPTION_EXAMPLES } from "./caption-examples";
import type { Guide } from "./guide";
import { EVERYWHERE, keysOf, LOOK, row, type KeyRow } from "./keys";

const KEYS: Record<"writing" | "relevance", KeyRow[]> = {
  // Single keys are letters of the caption.
  writing: [row("written", "Enter")],
  relevance: [row("tick", "1–9"), row("tenth", "0"), row("noneFits", "n"), row("allTicked", "Enter"), LOOK],
};

/** No words are marked that may be cut wrongly, and the answers say whether a caption is about the photograph. */
const isFlag = ({ does }: KeyRow): boolean =>
  "key" in does && (does.key === "flag" || does.key === "unrelated");

const GUIDES: Record<Language, () => Promise<{ default: CampaignInstructions }>> = {
  en: () => import("../texts/en/campaigns"),
  de: () => import("../texts/de/campaigns"),
  es: () => import("../texts/es/campaigns"),
  fr: () => import("../texts/fr/campaigns"),
  pt: () => import("../texts/pt/campaigns"),
  zh: () => import("../texts/zh/campaigns"),
};

export async function campaignGuide(
  words: Omit<Instructions, "stages">,
  language: Language,
  stage: CampaignStage,
): Promise<Guide> {
  const { meanings, stages } = (await GUIDES[language]()).default;
  return {
    ...words,
    meanings: { ...words.meanings, ...meanings },
    stage: stages[stage],
    rows: (method) =>
      (stage === "writing" || stage === "relevance"
        ? [...KEYS[stage], ...EVERYWHERE]
        : keysOf(stage, method)
      ).filter((one) => !isFlag(one)),
    pictures: CAPTION_EXAMPLES[stage],
  };
}
