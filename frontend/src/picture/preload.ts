/** Fetches photographs before they are needed, and decodes the first of them. */

/** How many are kept: as many as a page has. Only a decoded one is large, 48 MB for 12 megapixels. */
const KEPT = 12;
const ahead = new Map<string, HTMLImageElement>();

/**
 * Decodes the first of these photographs and fetches the others in turn, so that a page can be finished without
 * a network. The oldest are forgotten. If one cannot be loaded, it is tried again when it is shown, and a
 * failure is shown then.
 */
export function preload(urls: readonly (string | null)[]): void {
  const [next, ...later] = urls.filter((url) => url !== null).slice(0, KEPT);
  if (next === undefined) return;
  const image = held(next, "auto");
  void decoded(image).then((there) => {
    if (!there) ahead.delete(next);
    // The others wait until then, since on a slow line they would hold up the one that is needed first.
    for (const url of later) {
      const other = held(url, "low");
      other.onerror = () => ahead.delete(url);
    }
    for (const url of [...ahead.keys()].slice(0, Math.max(0, ahead.size - KEPT))) ahead.delete(url);
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
