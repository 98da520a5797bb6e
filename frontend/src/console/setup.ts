/** What the server says to an editor, as JSON in the page. */

import type { ImageInfo } from "../api/types";

/** A field of the form with boxes: each kind of box has its own. */
export interface Layer {
  /** The id of its textarea. */
  field: string;
  name: string;
  /** At most so many boxes. */
  most: number;
}

export interface Setup {
  image: ImageInfo;
  minimumSide: number;
  label: string;
  layers: Layer[];
}

/** Null for what is no setup: the form works without the editor. */
export function readSetup(json: string): Setup | null {
  try {
    const { image, minimum_side, label, layers } = JSON.parse(json) as {
      image: ImageInfo;
      minimum_side: number;
      label: string;
      layers: Layer[];
    };
    return image.url === null || layers.length === 0
      ? null
      : { image, minimumSide: minimum_side, label, layers };
  } catch {
    return null;
  }
}
