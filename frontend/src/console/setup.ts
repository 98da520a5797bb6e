/** What the server says to an editor, as JSON in the page. */

import type { Edges, ImageInfo } from "../api/types";

export interface Setup {
  image: ImageInfo;
  minimumSide: number;
  fixed: Edges[];
  most: number;
  label: string;
}

/** Null for what is no setup: the form works without the editor. */
export function readSetup(json: string): Setup | null {
  try {
    const { image, minimum_side, fixed, most, label } = JSON.parse(json) as {
      image: ImageInfo;
      minimum_side: number;
      fixed: Edges[];
      most: number;
      label: string;
    };
    return image.url === null ? null : { image, minimumSide: minimum_side, fixed, most, label };
  } catch {
    return null;
  }
}
