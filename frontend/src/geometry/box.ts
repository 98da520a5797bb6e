/** Boxes in image pixels: made, moved, resized, cut at the image. A box is [left, top, right, bottom]. */

import type { Edges } from "../api/types";
import { between, type ImagePx, type Point, type Size } from "./units";

export type Handle = "n" | "ne" | "e" | "se" | "s" | "sw" | "w" | "nw";

/** The box with these two corners, whichever they are. */
export function fromCorners(a: Point<ImagePx>, b: Point<ImagePx>): Edges {
  return [Math.min(a.x, b.x), Math.min(a.y, b.y), Math.max(a.x, b.x), Math.max(a.y, b.y)];
}

/**
 * The box round the points. Given an object's topmost, bottommost, leftmost and rightmost point, in any order, it
 * is the object's (extreme clicking, Papadopoulos et al. 2017, section 3). null for no points.
 */
export function fromExtremes(points: readonly (readonly [x: number, y: number])[]): Edges | null {
  if (points.length === 0) return null;
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/**
 * On whole pixel edges and inside the image; null where nothing is left. Rounds as the server does (half up), so
 * that what is shown is what is stored.
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

/** Whether a side is shorter than `minimumSide` image pixels: too small for the server. */
export function tooSmall(box: Edges, minimumSide: number): boolean {
  return width(box) < minimumSide || height(box) < minimumSide;
}

/** Moved by so many image pixels, and stopped at the image's edges: its size stays. */
export function moved(box: Edges, dx: number, dy: number, image: Size<ImagePx>): Edges {
  const x = between(-box[0], dx, image.width - box[2]);
  const y = between(-box[1], dy, image.height - box[3]);
  return [box[0] + x, box[1] + y, box[2] + x, box[3] + y];
}

/** The right and the lower edge moved by so many image pixels: what a keyboard resizes with. */
export function grown(box: Edges, dx: number, dy: number, image: Size<ImagePx>, minimumSide: number): Edges {
  return [
    box[0],
    box[1],
    between(Math.min(box[0] + minimumSide, image.width), box[2] + dx, image.width),
    between(Math.min(box[1] + minimumSide, image.height), box[3] + dy, image.height),
  ];
}

/**
 * The edges or the corner that `handle` names put at a point. One that is drawn across the opposite edge goes on as
 * that edge: the hand is followed, and never held up at an invisible wall.
 */
export function resized(box: Edges, handle: Handle, to: Point<ImagePx>): Edges {
  const [left, top, right, bottom] = box;
  const x = handle.includes("w") ? [to.x, right] : handle.includes("e") ? [left, to.x] : [left, right];
  const y = handle.includes("n") ? [to.y, bottom] : handle.includes("s") ? [top, to.y] : [top, bottom];
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}

/** Where a handle is, in image pixels: the middle of an edge, or a corner. */
export function handlePoint(box: Edges, handle: Handle): Point<ImagePx> {
  const [left, top, right, bottom] = box;
  const x = handle.includes("w") ? left : handle.includes("e") ? right : (left + right) / 2;
  const y = handle.includes("n") ? top : handle.includes("s") ? bottom : (top + bottom) / 2;
  return { x: x as ImagePx, y: y as ImagePx };
}

/** A box of half the size of `within` in its middle, for those who begin without a pointer. */
export function inTheMiddle(within: Edges): Edges {
  const dx = width(within) / 4;
  const dy = height(within) / 4;
  return [within[0] + dx, within[1] + dy, within[2] - dx, within[3] - dy];
}

/** Grown about its middle until no side is shorter than `minimumSide`, and kept inside the image. */
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
