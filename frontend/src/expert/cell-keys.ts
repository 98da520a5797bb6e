/** The keys of the 4 × 4 cells, by their place on the keyboard, whatever is written on them. */

const CODES = ["Digit1", "Digit2", "Digit3", "Digit4", ..."QWERASDFZXCV"].map((one) =>
  one.length === 1 ? `Key${one}` : one,
);
/** What is written on them where nothing else is known. */
const WRITTEN = [..."1234QWERASDFZXCV"];

interface LaidOut {
  keyboard?: { getLayoutMap?: () => Promise<ReadonlyMap<string, string>> };
}

/** Returns the cell of a key, counted row by row from 0, or null. Some keyboards on screens tell no place. */
export function cellAt({ code, key }: Pick<KeyboardEvent, "code" | "key">): number | null {
  const cell = code ? CODES.indexOf(code) : WRITTEN.indexOf(key.toUpperCase());
  return cell < 0 ? null : cell;
}

/** Returns what is written on the keys, as far as the browser tells. */
export async function written(): Promise<string[]> {
  try {
    const map = await (navigator as LaidOut).keyboard?.getLayoutMap?.();
    return CODES.map((code, cell) => map?.get(code)?.toUpperCase() ?? WRITTEN[cell] ?? "");
  } catch {
    return WRITTEN;
  }
}
