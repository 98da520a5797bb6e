import type { Entry } from "../work/draft";

/** What pages with suggestions need. No other page loads it. */
export const suggesting = () => import("./suggestions");

export type Suggesting = typeof import("./suggestions");

/** What an answer says if the worker could see the suggestions: their code may not have come. */
export const SHOWN: NonNullable<Entry["also"]> = { suggestions_shown: true };
