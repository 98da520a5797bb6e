/** Fetches photographs before they are needed, in the size in which they will be shown, and decodes the first. */

import type { ImageInfo } from "../api/types";
import { imageSize, screenSize } from "../geometry/units";
import { fit } from "../geometry/view";
import { sharpest, sourcesOf } from "./sources";

/** How many are kept: as many as a page has. Only a decoded one is large, 48 MB for 12 megapixels. */
const MAX_KEPT = 12;
const ahead = new Map<string, HTMLImageElement>();

/** The room that a photograph was last given. The next one will have as much. */
let room = { width: globalThis.innerWidth || 0, height: globalThis.innerHeight || 0 };

/** Notes how large the surface is on which photographs are shown, in CSS pixels. */
export function noteRoom(width: number, height: number): void {
  room = { width, height };
}

/** Returns the address from which a photograph will be shown, as far as one can say, or null. */
function addressOf(image: ImageInfo): string | null {
  if (image.url === null) return null;
  const across = image.width ?? 1;
  const { scale } = fit(imageSize(across, image.height ?? 1), screenSize(room.width, room.height));
  const shown = { across: across * scale, ratio: globalThis.devicePixelRatio || 1, fitted: true };
  return sharpest(sourcesOf(image), shown)?.url ?? image.url;
}

/** It ends when the photograph has come that somebody looks at. */
let looking: Promise<void> | undefined;

/** Notes that somebody waits for a photograph. Until `come` ends, nothing is fetched ahead. */
export function waits(come: Promise<void>): void {
  looking = come;
}

/** Whether this address was fetched ahead and is there. */
export function isThere(url: string): boolean {
  return ahead.get(url)?.complete === true;
}

/**
 * Decodes the first of these photographs and fetches the others in turn, so that a page can be finished without
 * a network. The oldest are forgotten. If one cannot be loaded, it is tried again when it is shown, and a
 * failure is shown then.
 */
export function preload(images: readonly ImageInfo[]): () => void {
  let wanted = true;
  // On a slow line, they would hold up the photograph that somebody waits for.
  void Promise.resolve(looking).then(() => {
    if (wanted) fetchInTurn(images.map(addressOf));
  });
  return () => (wanted = false);
}

function fetchInTurn(urls: readonly (string | null)[]): void {
  const [next, ...later] = urls.filter((url) => url !== null).slice(0, MAX_KEPT);
  if (next === undefined) return;
  const image = held(next, "auto");
  void decoded(image).then((there) => {
    if (!there) ahead.delete(next);
    // The others wait until then, since on a slow line they would hold up the one that is needed first.
    for (const url of later) {
      const other = held(url, "low");
      other.onerror = () => ahead.delete(url);
    }
    for (const url of [...ahead.keys()].slice(0, Math.max(0, ahead.size - MAX_KEPT))) ahead.delete(url);
  });
}

function held(url: string, priority: "auto" | "low"): HTMLImageElement {
  const known = ahead.get(url);
  if (known) return known;
  const image = new Image();
  image.fetchPriority = priority;
  image.src = url;
  ahead.set(url, image);
  return image;
}

/** Whether the photograph could be loaded. After that, showing it takes no time. */
export async function decoded(image: HTMLImageElement): Promise<boolean> {
  try {
    await image.decode();
    return true;
  } catch {
    // Some browsers refuse to decode what they can show. It is there if it has a size.
    return image.complete && image.naturalWidth > 0;
  }
}
