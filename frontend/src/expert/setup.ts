/** The setup of the expert screen, which the server writes into the page as JSON. */

import type { Edges, ImageInfo } from "../api/types";
import { parsed } from "../console/parsed";
import type { Doc, Flag, Type, Word } from "./annotation";

export type Purpose = "final" | "gold" | "correction";

export interface Setup {
  image: ImageInfo;
  label: string;
  /** Who annotates. Drafts in the browser are kept for each name. */
  user: string;
  minimum_side: number;
  version: string;
  purpose: Purpose;
  purposes: { value: Purpose; name: string; help: string }[];
  captions: {
    words: Word[];
    tail: string;
    phrases: { start: number; end: number; types: Type[]; visual: boolean; chain: string }[];
  }[];
  /** The types that a phrase can have, in their order. */
  types: { key: Type; label: string }[];
  chains: { name: string; boxes: Edges[]; flag: Flag }[];
  /** The boxes of a model, if there are some for the image. `at`: caption, first word and end of a phrase. */
  suggested?: {
    set: number;
    model: string;
    boxes: { id: number; at: [caption: number, start: number, end: number]; box: Edges }[];
  };
  /** The label of the button that saves. */
  save: string;
  /** Where it is sent to. */
  address: string;
}

/** Returns null if it is not a setup. */
export const readSetup = (json: string): Setup | null =>
  parsed<Setup>(
    json,
    ({ image, captions, chains }) => Boolean(image) && Array.isArray(captions) && Array.isArray(chains),
  );

/** Returns the annotation as it was when the page was opened. */
export function docOf({ captions, chains }: Setup): Doc {
  return {
    captions: captions.map(({ phrases }) => phrases),
    chains: Object.fromEntries(chains.map(({ name, boxes, flag }) => [name, { boxes, flag }])),
  };
}
