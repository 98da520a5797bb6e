/** The inspector's setup, which the server writes into the page as JSON. */

import type { Edges, ImageInfo } from "../../api/types";
import { parsed } from "../parsed";

export interface Chain {
  /** Its name on the page: A, B, … */
  letter: string;
  /** The classes of its colour and its line. */
  look: string;
  text: string;
  boxes: Edges[];
  /** The id of a chain of the crowd's; null for a chain that was known beforehand. */
  pk: number | null;
  /** The address of the page where it is decided about, or "". */
  page: string;
}

export interface Setup {
  image: ImageInfo;
  label: string;
  source: string;
  /** The addresses of what is fetched on demand. */
  merged: string;
  history: string;
  chains: Chain[];
  /** The thresholds that an export uses, and the least value of the sliders. */
  iou: number;
  iou_other: number;
  least: number;
}

/** Returns null if it is not a setup. Without the script, the page says the same. */
export const readSetup = (json: string): Setup | null =>
  parsed<Setup>(json, ({ image, chains }) => Boolean(image) && Array.isArray(chains));
