/**
 * The instructions in one language. Each language has a file, which is loaded when the instructions are first
 * opened, and another one for the stages about whole captions.
 */

import { isCampaign, type Item, type Method, type Stage } from "../api/types";
import type { Instructions } from "../texts/catalogue";
import type { Language } from "../texts/index.svelte";
import { EXAMPLES, type Example } from "./examples";
import { keysOf, type KeyName, type KeyRow } from "./keys";

export interface StageGuide {
  aim: string;
  rules: string[];
  examples: Record<string, ExampleWords>;
}

export interface ExampleWords {
  /** The marked words. */
  marked: string[];
  /** The right answer, or "good" or "bad", in a word or two. */
  verdict: string;
  why: string;
}

/** The instructions of one stage. */
export interface Guide extends Omit<Instructions, "meanings" | "stages"> {
  meanings: Partial<Record<KeyName, string>>;
  stage: StageGuide;
  rows: (method: Method) => KeyRow[];
  /** The pictures of the stage's examples, by their names. */
  pictures: Record<string, Example>;
}

const USUAL: Record<Language, () => Promise<{ default: Instructions }>> = {
  en: () => import("../texts/en/instructions"),
  de: () => import("../texts/de/instructions"),
  es: () => import("../texts/es/instructions"),
  fr: () => import("../texts/fr/instructions"),
  pt: () => import("../texts/pt/instructions"),
  zh: () => import("../texts/zh/instructions"),
};

/** `items`: the questions that it is for. If a model suggests boxes in one of them, the keys for these are listed. */
export async function guideIn(language: Language, stage: Stage, items?: Item[]): Promise<Guide> {
  const { stages, ...words } = (await USUAL[language]()).default;
  if (isCampaign(stage)) return (await import("./campaign-guide")).campaignGuide(words, language, stage);
  const rows = (method: Method): KeyRow[] => keysOf(stage, method);
  const guide: Guide = { ...words, stage: stages[stage], rows, pictures: EXAMPLES[stage] };
  if (!items?.some((one) => one.question.suggestions?.[0])) return guide;
  return (await import("./suggestions-guide")).default(guide, language);
}
