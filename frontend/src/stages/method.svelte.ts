/** How the worker draws, where the batch leaves it open. One choice for all items, kept for the next page. */

import type { Method } from "../api/types";

export type Way = Exclude<Method, "either">;
const SETTING = "groundcrew-drawing-method";

// Four points take less time than dragging (Papadopoulos et al. 2017).
let way = $state<Way>(remembered());

/** How boxes are drawn now, under the batch's rule. */
export function wayOf(method: Method): Way {
  return method === "either" ? way : method;
}

export function prefer(wanted: Way): void {
  way = wanted;
  try {
    localStorage.setItem(SETTING, wanted);
  } catch {
    // A frame without storage: it holds until the page is closed.
  }
}

function remembered(): Way {
  try {
    return localStorage.getItem(SETTING) === "drag" ? "drag" : "extreme";
  } catch {
    return "extreme";
  }
}
