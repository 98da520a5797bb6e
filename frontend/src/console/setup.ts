/** An editor's setup, which the server writes into the page as JSON. */

import type { ImageInfo } from "../api/types";

/** A field of the form that has boxes. Each kind of box has its own field. */
export interface Layer {
  /** The id of its textarea. */
  field: string;
  name: string;
  /** The most boxes that it may have. */
  most: number;
}

export interface Setup {
  image: ImageInfo;
  minimumSide: number;
  label: string;
  layers: Layer[];
}

/** Returns null if it is not a setup. Without the editor, the form still works. */
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
