/** Says where something is in the photograph, for people who cannot see it. Pure. */

import type { Edges, ImageInfo } from "../api/types";
import type { Catalogue } from "../texts/catalogue";

type Size = Pick<ImageInfo, "width" | "height">;
type Words = Pick<Catalogue["stages"]["shownBoxes"], "at" | "fields">;

export interface Place {
  /** The field, of nine fields of the picture, that contains the box's middle. */
  field: `${"top" | "middle" | "bottom"}${"Left" | "Centre" | "Right"}`;
  /** Edges in whole per cent of the picture's width (left, right) and height (top, bottom). */
  percent: Edges;
}

const third = <T>(share: number, low: T, mid: T, high: T): T =>
  share < 1 / 3 ? low : share > 2 / 3 ? high : mid;

/** Returns null as long as the picture's size is not known. */
export function placeOf(box: Edges, image: Size): Place | null {
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

/** Returns the field that a box is in, and its edges, in words. It is empty as long as the size is not known. */
export function where(box: Edges, image: Size, words: Words): string {
  const place = placeOf(box, image);
  if (place === null) return "";
  const [left, top, right, bottom] = place.percent;
  return words.at(words.fields[place.field], left, right, top, bottom);
}

/** Returns the field that a point is in, in words. */
export function fieldOf([x = 0, y = 0]: readonly number[], image: Size, { fields }: Words): string {
  const place = placeOf([x, y, x, y], image);
  return place === null ? "" : fields[place.field];
}
