/** An editor's setup, which the server writes into the page as JSON. */

import type { ImageInfo } from "../api/types";
import { parsed } from "./parsed";

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
  minimum_side: number;
  label: string;
  layers: Layer[];
}

/** Returns null if it is not a setup. Without the editor, the form still works. */
export const readSetup = (json: string): Setup | null =>
  parsed<Setup>(json, ({ image, layers }) => Boolean(image?.url && layers?.length));
