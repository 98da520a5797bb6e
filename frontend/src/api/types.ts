/** What the API says (docs/openapi.yaml), under the names the pages use. */

/** The stages of the paper's protocol. */
export const PAPER = ["link", "verification", "requirement", "drawing", "quality", "coverage"] as const;
/** The stages about all boxes of a chain at once. */
export const JOINT = ["boxes", "check"] as const;
/** The stages about whole captions: they are written, checked, graded, and matched with a photograph. */
export const CAMPAIGNS = ["writing", "caption_check", "grading", "relevance"] as const;
export const STAGES = [...PAPER, ...JOINT, ...CAMPAIGNS] as const;
export type Stage = (typeof STAGES)[number];
export type JointStage = (typeof JOINT)[number];
export type CampaignStage = (typeof CAMPAIGNS)[number];

/** Whether a stage is about whole captions, in which no words are marked. */
export const isCampaign = (stage: Stage): stage is CampaignStage => CAMPAIGNS.some((one) => one === stage);

/** [left, top, right, bottom]: pixel edges of the stored image; left < right, top < bottom. */
export type Edges = [left: number, top: number, right: number, bottom: number];

/** A smaller copy of a photograph, which shows the same, edge to edge. */
export interface Rendition {
  /** In pixels of the copy. */
  width: number;
  url: string;
}

/** The photograph. `width` and `height` are in pixels, after EXIF orientation is applied. */
export interface ImageInfo {
  /** The same whenever this worker sees the photograph, although its link changes. */
  id: string;
  url: string | null;
  width: number | null;
  height: number | null;
  /** The smallest first. Drafts that a browser kept from before do not name them. */
  renditions?: Rendition[];
}

export interface Segment {
  text: string;
  mention: boolean;
}

/** A caption, cut at the mention in question, as plain text. */
export interface Caption {
  index: number;
  /** What it is written in: a BCP 47 tag. Drafts that a browser kept from before do not name it. */
  language?: string;
  segments: Segment[];
}

export interface Question {
  image: ImageInfo;
  captions: Caption[];
  /** The boxes that were accepted so far (all stages about boxes but requirement). */
  boxes?: Edges[];
  /** The new box (quality). */
  box?: Edges;
  /** The new boxes (check), in the order in which they are answered. */
  new_boxes?: Edges[];
  /** Where checkers marked that something is missing (boxes): [x, y] in pixels. */
  points?: number[][];
  /** The sentence of the language test (writing), which has a mistake. Null: a caption is to be written. */
  correct?: string | null;
  /** What a caption is to be written in (writing): a BCP 47 tag. */
  language?: string;
}

export interface Item {
  /** The item's place on the page, from 1. */
  item: number;
  question: Question;
}

/** An amount in the currency's smallest unit (cents). */
export interface Money {
  amount: number;
  /** ISO 4217 */
  currency: string;
}

/** A text by language. A language that is missing shows the other one. */
export type Texts = Partial<Record<"en" | "de", string>>;

/** An example that a researcher cut from a photograph. */
export interface OwnExample {
  image: { url: string | null; width: number; height: number };
  /** The part that is shown. */
  view: Edges;
  boxes: Edges[];
  good: boolean;
  /** The marked words. */
  words: string[];
  why: Texts;
}

/** A researcher's own instructions for a stage. */
export interface OwnInstructions {
  /** Another one for every version. */
  id: number;
  version: number;
  /** If there is none, the built-in text is meant. */
  texts: Texts;
  /** Whether the built-in examples are shown, too. */
  usual_examples: boolean;
  examples: OwnExample[];
}

/** `preset`: what a new box is called before anybody has said anything of it. */
export interface Check {
  preset: "good" | "none";
}

export type Method = "drag" | "extreme" | "either";

export interface Page {
  id: string;
  stage: Stage;
  state: "live" | "submitted" | "returned" | "expired";
  expires_at: string;
  /** Seconds until then, by the server's clock when it replied, since clocks of phones are wrong. */
  expires_in: number;
  /** What the whole page pays; null if nothing is paid. */
  reward: Money | null;
  /** How many seconds a page with so many items usually takes. */
  usual_seconds: number;
  /** How boxes are drawn in this batch. */
  drawing: { method: Method; minimum_side: number };
  /** Only on pages of the stage check. */
  check?: Check;
  /** How many of the items may be answered that one cannot tell. Older drafts and tests have none. */
  unsure?: number;
  /** Null if the built-in instructions are meant. Older drafts and tests have none. */
  instructions?: OwnInstructions | null;
  items: Item[];
}

export type Requirement = "box" | "scene" | "nobox";
export type NoBoxes = "scene" | "nobox" | "done";
export type CaptionJudgment = "right" | "minor" | "wrong";
export type BoxJudgment = "good" | "loose" | "cut" | "wrong" | "double";

/** `scale`: screen pixels for each image pixel when the box was drawn. */
export interface Drawn {
  box: Edges | null;
  scale?: number;
}

/** All boxes that were missing, none of them null. */
export interface AllDrawn {
  boxes: Drawn[];
}

/** Why no box is missing. */
export interface NoneDrawn {
  none: NoBoxes;
}

/** What is said of each new box, and whether an entity has no box. `point`: where, as [x, y] in pixels. */
export interface Checked {
  boxes: BoxJudgment[];
  missing: boolean;
  point?: number[];
}

/** The caption that was written (writing), or what is said of one (caption_check). */
export interface Worded {
  caption: string;
}

/** From 1, unrelated, to 4, describes it without an error. */
export interface Graded {
  grade: 1 | 2 | 3 | 4;
}

/** Whether each caption shown describes the photograph, in their order. */
export interface Matched {
  describes: boolean[];
}

export type Answer =
  | { same: boolean }
  | { requirement: Requirement }
  | Drawn
  | { good: boolean }
  | { complete: boolean }
  | AllDrawn
  | NoneDrawn
  | Checked
  | Worded
  | Graded
  | Matched
  | Unusable
  | Unsure;

/** An answer of every stage: the photograph does not load, or shows nothing that could be judged. */
export interface Unusable {
  /** Always true. */
  unusable: boolean;
}

/** An answer of every stage but drawing and boxes, if the page takes it: the worker cannot tell. */
export interface Unsure {
  /** Always true. */
  unsure: boolean;
}

/** How the boxes of an answer were drawn. */
export type DrawnBy = Exclude<Method, "either"> | "keys" | "several";

export interface Reply {
  item: number;
  answer: Answer;
  seconds: number | null;
  drawn_by?: DrawnBy;
  comment: string;
  chunk_flag: boolean;
}

export interface Receipt {
  id: string;
  accepted: number;
  acknowledged: number;
  reward: Money | null;
  /** The page that follows, if it was asked for. Null: none could be claimed. */
  next?: Page | null;
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
   * `open`: the worker may take work. `test`: they have to pass a qualification test first. `waiting`: they
   * failed it, and may try again later. `closed`: they may not work here. `figures`: their platform record is
   * too low. `blocked`: a researcher has blocked them.
   */
  standing: "open" | "test" | "waiting" | "closed" | "figures" | "blocked";
  /** Seconds until the test may be tried again (`waiting`). */
  retry_in: number | null;
  waiting: boolean;
  /** What the page pays that is being worked on or comes next; null if nothing is paid. */
  reward: Money | null;
  /** How many seconds a full page usually takes; null if no batch runs. */
  usual_seconds: number | null;
  /** Whether a page that is not full pays less; null if no batch runs. */
  pay_by: "page" | "item" | null;
  pages: number;
  judgments: number;
  /** Time spent on items, as the pages measured it. */
  seconds: number;
}

/** The worker's own page. */
export interface Me {
  worker: string;
  project: string;
  /** An e-mail address or an https address; empty if the researcher gave none. */
  contact: string;
  earned: Money[];
  stages: Standing[];
  weeks: Week[];
}

/** How well a worker answered verification questions in a week that is over. */
export interface Week {
  /** A Monday, as YYYY-MM-DD. */
  begins: string;
  right_percent: number;
}

/**
 * The right answer. For drawing it is a list of boxes, each of which is right; if it is empty, no further box
 * is needed. For the stage boxes, it is all of them. For writing, it is the sentence without its mistake, in each
 * way that is right.
 */
export type RightAnswer =
  Exclude<Answer, Unusable | Unsure | Drawn | AllDrawn> | { boxes: Edges[] } | { captions: string[] };

/** Where a worker is in a stage's qualification test. */
export interface Situation {
  state: "none" | "training" | "testing" | "passed" | "waiting" | "failed" | "figures" | "not_required";
  /** How many tries can still be begun. */
  tries_left: number;
  /** Seconds until the next try is possible (`waiting`). */
  retry_in: number | null;
  /** The share of right answers that passes the test. */
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
  check?: Check;
  items: Item[];
}

export interface Qualification extends Situation {
  stage: Stage;
  training_items: number;
  test_items: number;
  instructions?: OwnInstructions | null;
  /** The try that the worker has begun. */
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
