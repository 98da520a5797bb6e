/** Describes where a box is, for people who cannot see it. Pure. */

import type { Edges, ImageInfo } from "../api/types";

export interface Place {
  /** The field, of nine fields of the picture, that contains the box's middle. */
  field: `${"top" | "middle" | "bottom"}${"Left" | "Centre" | "Right"}`;
  /** Edges in whole per cent of the picture's width (left, right) and height (top, bottom). */
  percent: Edges;
}

const third = <T>(share: number, low: T, mid: T, high: T): T =>
  share < 1 / 3 ? low : share > 2 / 3 ? high : mid;

/** Returns null as long as the picture's size is not known. */
export function placeOf(box: Edges, image: Pick<ImageInfo, "width" | "height">): Place | null {
  const { width, height } = image;
  if (!width || !height) return null;
  const [left, top, right, bottom] = box;
  const down = third((top + bottom) / 2 / height, "top", "middle", "bottom");
  const across = third((left + right) / 2 / width, "Left", "Centre", "Right");
  const share = (part: number, whole: number): number => Math.round((100 * part) / whole);
  return {
    field: `${down}${across}`,
    percent: [share(left, width), share(top, height), share(right, width), share(bottom, height)],
  };
}
