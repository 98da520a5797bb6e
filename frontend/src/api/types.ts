/** What the API says (docs/openapi.yaml), under the names the pages use. */

export const STAGES = ["link", "verification", "requirement", "drawing", "quality", "coverage"] as const;
export type Stage = (typeof STAGES)[number];

/** [left, top, right, bottom]: pixel edges of the stored image; left < right, top < bottom. */
export type Edges = [left: number, top: number, right: number, bottom: number];

/** The photograph. `width` and `height` in pixels, after EXIF orientation. */
export interface ImageInfo {
  id: number;
  url: string | null;
  width: number | null;
  height: number | null;
}

export interface Segment {
  text: string;
  mention: boolean;
}

/** A caption cut at the mention in question. Plain text. */
export interface Caption {
  index: number;
  segments: Segment[];
}

export interface Question {
  image: ImageInfo;
  captions: Caption[];
  /** Accepted so far (drawing, quality, coverage). */
  boxes?: Edges[];
  /** The new one (quality). */
  box?: Edges;
}

export interface Item {
  /** Its place on the page, from 1. */
  item: number;
  question: Question;
}

/** An amount in the currency's smallest unit (cents). */
export interface Money {
  amount: number;
  /** ISO 4217 */
  currency: string;
}

export type Method = "drag" | "extreme" | "either";

export interface Page {
  id: string;
  stage: Stage;
  state: "live" | "submitted" | "returned" | "expired";
  expires_at: string;
  /** Seconds until then, as the server reckoned when it replied: clocks of phones are wrong. */
  expires_in: number;
  /** Of the whole page; null where nothing is paid. */
  reward: Money | null;
  /** How boxes are drawn in this batch. */
  drawing: { method: Method; minimum_side: number };
  items: Item[];
}

export type Requirement = "box" | "scene" | "nobox";
export type Answer =
  | { same: boolean }
  | { requirement: Requirement }
  | { box: Edges | null }
  | { good: boolean }
  | { complete: boolean };

export interface Reply {
  item: number;
  answer: Answer;
  seconds: number | null;
  comment: string;
  chunk_flag: boolean;
}

export interface Receipt {
  id: string;
  accepted: number;
  acknowledged: number;
  reward: Money | null;
}

export interface Lease {
  expires_at: string;
  expires_in: number;
}

export interface Waiting {
  stage: Stage;
  waiting: boolean;
}

/** A worker's standing in one stage. */
export interface Standing {
  stage: Stage;
  /**
   * `open`: may take work. `test`: has a qualification test to pass first. `waiting`: failed it, and may try
   * again. `closed`: may not. `figures`: the platform's figures are too low. `blocked`: by a researcher.
   */
  standing: "open" | "test" | "waiting" | "closed" | "figures" | "blocked";
  /** Seconds until the test may be tried again (`waiting`). */
  retry_in: number | null;
  waiting: boolean;
  /** Of the page being worked on, or of the next one; null where nothing is paid. */
  reward: Money | null;
  pages: number;
  judgments: number;
  /** Time spent on items, as the pages measured it. */
  seconds: number;
}

/** The worker's own page. */
export interface Me {
  worker: string;
  project: string;
  /** An e-mail address or an https address; empty where the researcher gave none. */
  contact: string;
  earned: Money[];
  stages: Standing[];
}

/** What is right: an answer of the stage, or, for drawing, boxes of which any is right (none: no further box). */
export type RightAnswer = Exclude<Answer, { box: Edges | null }> | { boxes: Edges[] };

/** Where a worker is in a stage's qualification test. */
export interface Situation {
  state: "none" | "training" | "testing" | "passed" | "waiting" | "failed" | "figures" | "not_required";
  /** That can still be begun. */
  tries_left: number;
  /** Seconds until the next try is possible (`waiting`). */
  retry_in: number | null;
  /** Share of right answers that passes. */
  pass_mark: number;
}

/** The part of a try that comes next. */
export interface Try {
  number: number;
  stage: Stage;
  part: "training" | "testing" | "passed" | "failed";
  /** Training items that were answered, by their number. */
  answered: number[];
  drawing: Page["drawing"];
  items: Item[];
}

export interface Qualification extends Situation {
  stage: Stage;
  training_items: number;
  test_items: number;
  /** The one in hand. */
  try: Try | null;
}

/** A training item after its answer. */
export interface Explanation {
  right: boolean;
  /** The researcher's words; may be empty. */
  explanation: string;
  answer: RightAnswer;
}

/** How a try ended. Which answers were right is never said. */
export interface Outcome extends Situation {
  passed: boolean;
  right: number;
  asked: number;
}
