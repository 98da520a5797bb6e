/**
 * Boxes in image pixels: they are made, moved, resized, and cut at the image. A box is [left, top, right,
 * bottom].
 */

import type { Edges } from "../api/types";
import { between, type ImagePx, type Point, type Size } from "./units";

/** A box with a side shorter than this, in screen pixels, cannot be drawn well. */
export const MIN_DRAWN = 24;

export type Handle = "n" | "ne" | "e" | "se" | "s" | "sw" | "w" | "nw";

/** Returns the box with these two opposite corners, in any order. */
export function fromCorners(a: Point<ImagePx>, b: Point<ImagePx>): Edges {
  return [Math.min(a.x, b.x), Math.min(a.y, b.y), Math.max(a.x, b.x), Math.max(a.y, b.y)];
}

/**
 * Returns the box round the points, or null without points. For an object's topmost, bottommost, leftmost and
 * rightmost point, in any order, it is the object's box (extreme clicking, Papadopoulos et al. 2017, section
 * 3).
 */
export function fromExtremes(points: readonly (readonly [x: number, y: number])[]): Edges | null {
  if (points.length === 0) return null;
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/**
 * Returns the box with whole pixel edges and inside the image, or null if nothing is left of it. It rounds as
 * the server does (half up), so that what is shown is what is stored.
 */
export function whole(box: Edges, image: Size<ImagePx>): Edges | null {
  const [left, top, right, bottom] = box.map((edge) => Math.floor(edge + 0.5)) as Edges;
  const cut: Edges = [
    Math.max(left, 0),
    Math.max(top, 0),
    Math.min(right, image.width),
    Math.min(bottom, image.height),
  ];
  return cut[0] < cut[2] && cut[1] < cut[3] ? cut : null;
}

export const width = ([left, , right]: Edges): number => right - left;
export const height = ([, top, , bottom]: Edges): number => bottom - top;

/** Whether a side is shorter than `minimumSide` image pixels, so that the server would refuse the box. */
export function tooSmall(box: Edges, minimumSide: number): boolean {
  return width(box) < minimumSide || height(box) < minimumSide;
}

/** Returns the box moved by so many image pixels. It stops at the image's edges and keeps its size. */
export function moved(box: Edges, dx: number, dy: number, image: Size<ImagePx>): Edges {
  const x = between(-box[0], dx, image.width - box[2]);
  const y = between(-box[1], dy, image.height - box[3]);
  return [box[0] + x, box[1] + y, box[2] + x, box[3] + y];
}

/** Returns the box with its right and lower edge moved by so many image pixels, to resize it by keyboard. */
export function grown(box: Edges, dx: number, dy: number, image: Size<ImagePx>, minimumSide: number): Edges {
  return [
    box[0],
    box[1],
    between(Math.min(box[0] + minimumSide, image.width), box[2] + dx, image.width),
    between(Math.min(box[1] + minimumSide, image.height), box[3] + dy, image.height),
  ];
}

/**
 * Returns the box with the edge or the corner that `handle` names put at a point. If an edge is drawn across
 * the opposite one, it becomes that one: the box follows the hand, and never stops at an invisible wall.
 */
export function resized(box: Edges, handle: Handle, to: Point<ImagePx>): Edges {
  const [left, top, right, bottom] = box;
  const x = handle.includes("w") ? [to.x, right] : handle.includes("e") ? [left, to.x] : [left, right];
  const y = handle.includes("n") ? [to.y, bottom] : handle.includes("s") ? [top, to.y] : [top, bottom];
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}

/** Returns where a handle is, in image pixels: the middle of an edge, or a corner. */
export function handlePoint(box: Edges, handle: Handle): Point<ImagePx> {
  const [left, top, right, bottom] = box;
  const x = handle.includes("w") ? left : handle.includes("e") ? right : (left + right) / 2;
  const y = handle.includes("n") ? top : handle.includes("s") ? bottom : (top + bottom) / 2;
  return { x: x as ImagePx, y: y as ImagePx };
}

/** Returns a box in the middle of `within` and half its size, for those who begin without a pointer. */
export function inTheMiddle(within: Edges): Edges {
  const dx = width(within) / 4;
  const dy = height(within) / 4;
  return [within[0] + dx, within[1] + dy, within[2] - dx, within[3] - dy];
}

/** Returns the box, grown about its middle until no side is shorter than `minimumSide`, and inside the image. */
export function atLeast(box: Edges, minimumSide: number, image: Size<ImagePx>): Edges {
  const [left, right] = reach(box[0], box[2], minimumSide, image.width);
  const [top, bottom] = reach(box[1], box[3], minimumSide, image.height);
  return [left, top, right, bottom];
}

function reach(from: number, to: number, length: number, end: number): [from: number, to: number] {
  if (to - from >= length) return [from, to];
  const begins = between(0, (from + to - length) / 2, end - length);
  return [begins, Math.min(begins + length, end)];
}

/** A square of the photograph, in image pixels: its corner and its side. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** The fewest image pixels round a box on each side. Without surroundings, nobody can tell what a few pixels are. */
const SURROUNDINGS = 6;

/**
 * Returns a square that shows a box with what is round it: on each side, this share of the box's longer side. It
 * may reach over the edge of the photograph.
 */
export function squareRound(box: Edges, share: number): Square {
  const longer = Math.max(width(box), height(box));
  const side = longer + 2 * Math.max(longer * share, SURROUNDINGS);
  return { x: (box[0] + box[2] - side) / 2, y: (box[1] + box[3] - side) / 2, side };
}

/** Returns how much two boxes overlap: intersection over union. */
export function iou(a: Edges, b: Edges): number {
  const across = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const down = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (across <= 0 || down <= 0) return 0;
  const area = (box: Edges): number => width(box) * height(box);
  return (across * down) / (area(a) + area(b) - across * down);
}
