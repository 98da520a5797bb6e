/**
 * Which versions of a stage's instructions were read on this device, as it keeps them: "yes" for the built-in
 * ones, and the ids of the researchers' own.
 */

const BUILT_IN = "yes";
/** More than a worker meets at once, so that two pages of two versions do not open them again and again. */
const MAX_VERSIONS = 20;

/** Returns the ids that were kept. Null stands for the built-in instructions. */
export function versionsRead(kept: string | null): ReadonlySet<number | null> {
  return new Set((kept ?? "").split(",").flatMap((word) => (word === "" ? [] : [idOf(word)])));
}

/** Returns what to keep once this version was read, too. */
export function read(kept: string | null, version: number | null): string {
  const others = [...versionsRead(kept)].filter((one) => one !== version);
  return [...others, version]
    .slice(-MAX_VERSIONS)
    .map((one) => one ?? BUILT_IN)
    .join(",");
}

const idOf = (word: string): number | null => (word === BUILT_IN ? null : Number(word));
