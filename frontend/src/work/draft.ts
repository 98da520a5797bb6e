/** What a worker has said of a page so far. Pure: every function gives a new draft. */

import type { Answer, Page } from "../api/types";

/** One item's answer in the making. */
export interface Entry {
  answer: Answer | null;
  /** Extreme points clicked so far, [x, y] in image pixels; a reload brings them back. */
  marks: [x: number, y: number][];
  comment: string;
  chunkFlag: boolean;
  /** Time on the item, in seconds. */
  seconds: number;
}

export interface Draft {
  page: Page;
  /** Which item is shown, from 0; `page.items.length` is the overview before submitting. */
  place: number;
  entries: Entry[];
}
