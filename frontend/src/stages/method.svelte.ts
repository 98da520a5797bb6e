/**
 * How the worker draws, if the batch leaves the choice to them. It is one choice for all items, and is kept for
 * later pages.
 */

import type { Method } from "../api/types";

export type Way = Exclude<Method, "either">;
const SETTING = "groundcrew-drawing-method";

// Four points take less time than dragging (Papadopoulos et al. 2017).
let way = $state<Way>(remembered());

/** Returns how boxes are drawn now, under the batch's rule. */
export function wayOf(method: Method): Way {
  return method === "either" ? way : method;
}

export function prefer(wanted: Way): void {
  way = wanted;
  try {
    localStorage.setItem(SETTING, wanted);
  } catch {
    // A frame may have no storage. Then the choice lasts until the page is closed.
  }
}

function remembered(): Way {
  try {
    return localStorage.getItem(SETTING) === "drag" ? "drag" : "extreme";
  } catch {
    return "extreme";
  }
}
