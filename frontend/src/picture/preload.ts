/** Photographs decoded before they are needed. */

/** How many are kept decoded: a photograph of 12 megapixels is 48 MB then. */
const KEPT = 3;
const ahead = new Map<string, HTMLImageElement>();

/** Loads and decodes these photographs, in this order; older ones are forgotten. */
export function preload(urls: readonly (string | null)[]): void {
  for (const url of urls) {
    if (url === null || ahead.has(url)) continue;
    const image = new Image();
    image.src = url;
    ahead.set(url, image);
    // One that cannot be loaded is tried again, and said, when it is shown.
    void decoded(image).then((there) => {
      if (!there) ahead.delete(url);
    });
  }
  for (const url of [...ahead.keys()].slice(0, Math.max(0, ahead.size - KEPT))) ahead.delete(url);
}

/** Whether the photograph could be loaded; after that showing it takes no time. */
export async function decoded(image: HTMLImageElement): Promise<boolean> {
  try {
    await image.decode();
    return true;
  } catch {
    // Some browsers refuse to decode what they can show: it is there when it has a size.
    return image.complete && image.naturalWidth > 0;
  }
}
