/**
 * Whether a reply is what the API promises, as far as anything depends on it. A hotel's sign-in page, a proxy
 * or an old cache may answer in the server's place, and answers are only deleted here after a real receipt.
 */

import { STAGES, type Answer, type Edges, type Lease, type Me, type Page, type Receipt } from "./types";
import type { Stage, Waiting } from "./types";

type Bag = Record<string, unknown>;

export function isBag(value: unknown): value is Bag {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isStage(value: unknown): value is Stage {
  return STAGES.some((stage) => stage === value);
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

export function isEdges(value: unknown): value is Edges {
  return Array.isArray(value) && value.length === 4 && value.every((edge) => Number.isFinite(edge));
}

function isItem(value: unknown): boolean {
  if (!isBag(value) || !isCount(value.item) || !isBag(value.question)) return false;
  const { image, captions, boxes, box } = value.question;
  if (!isBag(image) || !Array.isArray(captions)) return false;
  if (boxes !== undefined && !(Array.isArray(boxes) && boxes.every(isEdges))) return false;
  return (box === undefined || isEdges(box)) && captions.every((c) => isBag(c) && Array.isArray(c.segments));
}

export const isItems = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isItem);

export function isPage(value: unknown): value is Page {
  return (
    isBag(value) &&
    typeof value.id === "string" &&
    isStage(value.stage) &&
    typeof value.state === "string" &&
    Number.isFinite(value.expires_in) &&
    isBag(value.drawing) &&
    isItems(value.items)
  );
}

/** What an answer of each stage looks like. */
export function fits(stage: Stage, value: unknown): value is Answer {
  if (!isBag(value)) return false;
  if (value.unusable === true || value.unsure === true) return true;
  if (stage === "link" || stage === "verification") return typeof value.same === "boolean";
  if (stage === "requirement") return ["box", "scene", "nobox"].some((r) => r === value.requirement);
  if (stage === "drawing") return value.box === null || isEdges(value.box);
  if (stage === "quality") return typeof value.good === "boolean";
  // The views of the joint stages look closer.
  if (stage === "boxes" || stage === "check") return Array.isArray(value.boxes) || "none" in value;
  if (stage === "writing" || stage === "caption_check") return typeof value.caption === "string";
  if (stage === "grading") return [1, 2, 3, 4].some((grade) => grade === value.grade);
  if (stage === "relevance")
    return Array.isArray(value.describes) && value.describes.every((one) => typeof one === "boolean");
  return typeof value.complete === "boolean";
}

/** Whether it is a receipt for this very assignment. Without one, its answers are kept. */
export const isReceiptFor =
  (id: string) =>
  (value: unknown): value is Receipt =>
    isBag(value) && value.id === id && isCount(value.accepted) && isCount(value.acknowledged);

export const isLease = (value: unknown): value is Lease => isBag(value) && Number.isFinite(value.expires_in);

export const isWaitingList = (value: unknown): value is Waiting[] =>
  Array.isArray(value) && value.every((w) => isBag(w) && isStage(w.stage) && typeof w.waiting === "boolean");

export const isMe = (value: unknown): value is Me =>
  isBag(value) && Array.isArray(value.earned) && Array.isArray(value.stages);

export const isToken = (value: unknown): value is { token: string } =>
  isBag(value) && typeof value.token === "string" && value.token !== "";

/** 204: the reply is empty on purpose. */
export const isNothing = (value: unknown): value is undefined => value === undefined;
