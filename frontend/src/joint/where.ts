/** Says where something is in the photograph. Pure. */

import type { Edges, ImageInfo } from "../api/types";
import { placeOf } from "../stages/places";
import type { Catalogue } from "../texts/index.svelte";

type Words = Catalogue["stages"]["shownBoxes"];
type Size = Pick<ImageInfo, "width" | "height">;

/** Returns the field of the picture that a box is in, and its edges. It is empty as long as the size is not known. */
export function where(box: Edges, image: Size, words: Words): string {
  const place = placeOf(box, image);
  if (place === null) return "";
  const [left, top, right, bottom] = place.percent;
  return words.at(words.fields[place.field], left, right, top, bottom);
}

/** Returns the field of the picture that a point is in. */
export function fieldOf([x = 0, y = 0]: readonly number[], image: Size, words: Words): string {
  const place = placeOf([x, y, x, y], image);
  return place === null ? "" : words.fields[place.field];
}
