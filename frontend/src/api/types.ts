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
  /** `open`: may take work; `blocked`: a researcher blocked the worker. */
  standing: "open" | "blocked";
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
