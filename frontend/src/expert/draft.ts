/** What is not saved yet is kept in the browser, so that nothing is lost with the page. */

import type { Doc } from "./annotation";
import type { Purpose } from "./setup";

export interface Draft {
  /** The version of the image that it was made for. */
  version: string;
  /** The name of this annotation. Sent twice, it is stored once. */
  key: string;
  purpose: Purpose;
  note: string;
  doc: Doc;
  /** The set of suggestions that was shown, if one was. */
  seen?: number | undefined;
}

const PREFIX = "groundcrew-expert";

export const placeFor = (user: string, image: string): string => `${PREFIX}/${user}/${image}`;

/** Returns null if there is none, or none that fits the image's captions. */
export function readDraft(place: string, captions: number): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(place) ?? "null") as Draft | null;
    return draft !== null && draft.doc.captions.length === captions ? draft : null;
  } catch {
    return null;
  }
}

/** Whether something that is not saved is kept. */
export function hasDraft(place: string): boolean {
  try {
    return localStorage.getItem(place) !== null;
  } catch {
    return false;
  }
}

/** Returns whether it is kept. A browser may have no room, or refuse to keep anything. */
export function keepDraft(place: string, draft: Draft): boolean {
  try {
    localStorage.setItem(place, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(place: string): void {
  try {
    localStorage.removeItem(place);
  } catch {
    // Nothing was kept then.
  }
}
