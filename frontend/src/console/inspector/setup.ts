/** What the server says to the inspector, as JSON in the page. */

import type { Edges, ImageInfo } from "../../api/types";

export interface Chain {
  /** What it is called on the page: A, B, … */
  letter: string;
  /** The classes of its colour and its line. */
  look: string;
  text: string;
  boxes: Edges[];
  /** Of the crowd's; null for what is known beforehand. */
  pk: number | null;
  /** Where it is decided about. */
  page: string;
}

export interface Setup {
  image: ImageInfo;
  label: string;
  source: string;
  /** Addresses of what is fetched when it is wanted. */
  merged: string;
  history: string;
  chains: Chain[];
  /** Thresholds that an export takes, and the least of the sliders. */
  iou: number;
  iou_other: number;
  least: number;
}

/** Null for what is no setup: the page says as much without the script. */
export function readSetup(json: string): Setup | null {
  try {
    const setup = JSON.parse(json) as Partial<Setup> | null;
    return setup?.image && Array.isArray(setup.chains) ? (setup as Setup) : null;
  } catch {
    return null;
  }
}
