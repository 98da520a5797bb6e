/**
 * What the API says, under the names the pages use. The types are made from docs/openapi.yaml (`npm run types`).
 *
 * Where a type is written out here, it is more precise than the document: a box has four edges there, too, but
 * the document can only say that it is an array of numbers.
 */

import type { components } from "../../generated/api";

export type Schemas = components["schemas"];

/** The stages of the paper's protocol. */
export const PAPER = ["link", "verification", "requirement", "drawing", "quality", "coverage"] as const;
/** The stages about all boxes of a chain at once. */
const JOINT = ["boxes", "check"] as const;
/** The stages about whole captions: they are written, checked, graded, and matched with a photograph. */
const CAMPAIGNS = ["writing", "caption_check", "grading", "relevance"] as const;
export type Stage = Schemas["StageEnum"];
export type JointStage = (typeof JOINT)[number];
export type CampaignStage = (typeof CAMPAIGNS)[number];
type Listed = (typeof PAPER)[number] | JointStage | CampaignStage;
/** Every stage. This does not compile if the API has one that is not listed above. */
export const STAGES: readonly (Stage extends Listed ? Stage : never)[] = [...PAPER, ...JOINT, ...CAMPAIGNS];

/** Whether a stage is about whole captions, in which no words are marked. */
export const isCampaign = (stage: Stage): stage is CampaignStage => CAMPAIGNS.some((one) => one === stage);

/** [left, top, right, bottom]: pixel edges of the stored image; left < right, top < bottom. */
export type Edges = [left: number, top: number, right: number, bottom: number];

/** The photograph. Drafts that a browser kept from before name no renditions. */
export type ImageInfo = Schemas["Image"];

/** A caption, cut at the mention in question. Drafts that a browser kept from before name no language. */
export type Caption = Schemas["Caption"];

export interface Question extends Omit<Schemas["Question"], "boxes" | "box" | "new_boxes"> {
  /** The boxes that were accepted so far (all stages about boxes but requirement). */
  boxes?: Edges[];
  /** The new box (quality). */
  box?: Edges;
  /** The new boxes (check), in the order in which they are answered. */
  new_boxes?: Edges[];
}

export interface Item extends Omit<Schemas["Item"], "question"> {
  question: Question;
}

export type Money = Schemas["Money"];

export type Texts = Schemas["Texts"];

/** An example that a researcher cut from a photograph. */
export interface OwnExample extends Omit<Schemas["Example"], "view" | "boxes"> {
  /** The part that is shown. */
  view: Edges;
  boxes: Edges[];
}

/** A researcher's own instructions for a stage. */
export interface OwnInstructions extends Omit<Schemas["Instructions"], "examples"> {
  examples: OwnExample[];
}

export type Method = Schemas["MethodEnum"];

/** A page of items. Drafts that a browser kept from before have no `unsure` and no `instructions`. */
export interface Page extends Omit<Schemas["Page"], "instructions" | "items"> {
  instructions?: OwnInstructions | null;
  items: Item[];
}

export type NoBoxes = Schemas["NoneEnum"];
export type BoxJudgment = Schemas["BoxesEnum"];

/**
 * `scale`: screen pixels for each image pixel when the box was drawn. `suggestion`: which of the suggestions it
 * was, from 0.
 */
export interface Drawn extends Omit<Schemas["DrawingAnswerRequest"], "box"> {
  box: Edges | null;
}

/** All boxes that were missing, none of them null. */
export interface AllDrawn {
  boxes: Drawn[];
}

/** What is said of each new box, and whether an entity has no box. `point`: where, as [x, y] in pixels. */
export type Checked = Schemas["CheckAnswerRequest"];

export type Answer =
  | Exclude<Schemas["AnswerRequest"], Schemas["DrawingAnswerRequest"] | Schemas["BoxesAnswerRequest"]>
  | Drawn
  | AllDrawn;

/** How the boxes of an answer were drawn. */
export type DrawnBy = Schemas["DrawnByEnum"];

/** An answer as the pages send it: they always say how long it took, be it that nobody knows. */
export interface Reply extends Omit<
  Schemas["ReplyRequest"],
  "answer" | "seconds" | "drawn_by" | "suggestions_shown"
> {
  answer: Answer;
  seconds: number | null;
  drawn_by?: DrawnBy;
  suggestions_shown?: boolean;
}

export interface Receipt extends Omit<Schemas["Receipt"], "next"> {
  /** The page that follows, if it was asked for. Null: none could be claimed. */
  next?: Page | null;
}

export type Lease = Schemas["Lease"];
export type Waiting = Schemas["Waiting"];

/**
 * A worker's standing in one stage. `open`: the worker may take work. `test`: they have to pass a qualification
 * test first. `waiting`: they failed it, and may try again later. `enough`: they have as many pages as
 * one worker gets. `closed`: they may not work here. `figures`: their platform record is too low. `blocked`: a researcher has blocked them.
 */
export type Standing = Schemas["Standing"];

/** The worker's own page. */
export type Me = Schemas["Me"];
export type Week = Schemas["Week"];

/**
 * The right answer. For drawing it is a list of boxes, each of which is right; if it is empty, no further box
 * is needed. For the stage boxes, it is all of them. For writing, it is the sentence without its mistake, in each
 * way that is right.
 */
export type RightAnswer = Exclude<Schemas["RightAnswer"], Schemas["RightBoxes"]> | { boxes: Edges[] };

/** The part of a try that comes next. */
export interface Try extends Omit<Schemas["Try"], "items"> {
  items: Item[];
}

export interface Qualification extends Omit<Schemas["Qualification"], "instructions" | "try"> {
  instructions?: OwnInstructions | null;
  /** The try that the worker has begun. */
  try: Try | null;
}

/** A training item after its answer. */
export interface Explanation extends Omit<Schemas["Explanation"], "answer"> {
  answer: RightAnswer;
}

/** How a try ended. Which answers were right is never said. */
export type Outcome = Schemas["Outcome"];
