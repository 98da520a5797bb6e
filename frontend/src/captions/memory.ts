/** The captions that were written since this page was opened, by the photograph. */
const written = new Map<string, string>();

export function remember(image: string, caption: string): void {
  written.set(image, caption);
}

/** Returns the captions of other photographs, those that were written first before the others. */
export function ofOthers(image: string): string[] {
  return [...written].flatMap(([of, caption]) => (of === image ? [] : caption));
}
