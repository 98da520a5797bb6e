/**
 * The instructions in one language. Each language has a file, which is loaded when the instructions are first
 * opened, and another one for the stages about whole captions.
 */

import { isCampaign, type Method, type Stage } from "../api/types";
import type { Pointing } from "../parts/pointer";
import type { Language } from "../texts/index.svelte";
import type { CAPTION_EXAMPLES } from "./caption-examples";
import { EXAMPLES, type Example } from "./examples";
import { keysOf, type CampaignKey, type KeyName, type KeyRow } from "./keys";

export interface ExampleWords {
  /** The marked words. */
  marked: string[];
  /** The right answer, or "good" or "bad", in a word or two. */
  verdict: string;
  why: string;
}

export interface StageGuide {
  aim: string;
  rules: string[];
  examples: Record<string, ExampleWords>;
}

type StageGuides<Pictures> = {
  [K in keyof Pictures]: StageGuide & { examples: Record<keyof Pictures[K], ExampleWords> };
};

interface Words {
  examples: string;
  /** The verdicts of a researcher's own examples. */
  good: string;
  bad: string;
  keys: string;
  key: string;
  does: string;
  /** Names of keys that are not letters. */
  names: Record<string, string>;
  /** How to give extreme points, for batches that use them. */
  points: Record<Pointing, string>;
  /** How to use a mouse, and fingers, on the picture. */
  pointer: Record<Exclude<Pointing, "both">, string>;
}

/** What a language's file of the instructions has. */
export interface UsualGuide extends Words {
  meanings: Record<Exclude<KeyName, CampaignKey>, string>;
  stages: StageGuides<typeof EXAMPLES>;
}

export interface CampaignGuide {
  meanings: Record<CampaignKey, string>;
  stages: StageGuides<typeof CAPTION_EXAMPLES>;
}

/** The instructions of one stage. */
export interface Guide extends Words {
  meanings: Partial<Record<KeyName, string>>;
  stage: StageGuide;
  rows: (method: Method) => KeyRow[];
  /** The pictures of the stage's examples, by their names. */
  pictures: Record<string, Example>;
}

const USUAL: Record<Language, () => Promise<{ default: UsualGuide }>> = {
  en: () => import("../texts/en/instructions"),
  de: () => import("../texts/de/instructions"),
};

export async function guideIn(language: Language, stage: Stage): Promise<Guide> {
  const { stages, ...words } = (await USUAL[language]()).default;
  if (isCampaign(stage)) return (await import("./campaign-guide")).campaignGuide(words, language, stage);
  const rows = (method: Method): KeyRow[] => keysOf(stage, method);
  return { ...words, stage: stages[stage], rows, pictures: EXAMPLES[stage] };
}
