/**
 * The instructions in one language. Each language has a file, which is loaded when the instructions are first
 * opened.
 */

import type { Stage } from "../api/types";
import type { Pointing } from "../parts/pointer";
import type { Language } from "../texts/index.svelte";
import type { EXAMPLES } from "./examples";
import type { KeyName } from "./keys";

export interface ExampleWords {
  /** The marked words. */
  marked: string[];
  /** The right answer, or "good" or "bad", in a word or two. */
  verdict: string;
  why: string;
}

export interface Guide {
  examples: string;
  /** The verdicts of a researcher's own examples. */
  good: string;
  bad: string;
  keys: string;
  key: string;
  does: string;
  /** Names of keys that are not letters. */
  names: Record<string, string>;
  meanings: Record<KeyName, string>;
  /** How to give extreme points, for batches that use them. */
  points: Record<Pointing, string>;
  /** How to use a mouse, and fingers, on the picture. */
  pointer: Record<Exclude<Pointing, "both">, string>;
  stages: {
    [S in Stage]: {
      aim: string;
      rules: string[];
      examples: Record<keyof (typeof EXAMPLES)[S], ExampleWords>;
    };
  };
}

const GUIDES: Record<Language, () => Promise<{ default: Guide }>> = {
  en: () => import("../texts/en/instructions"),
  de: () => import("../texts/de/instructions"),
};

export async function guideIn(language: Language): Promise<Guide> {
  return (await GUIDES[language]()).default;
}
