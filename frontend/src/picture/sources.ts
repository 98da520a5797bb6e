/**
 * Which file of a photograph is shown: a smaller copy as long as it is sharp enough, and otherwise the
 * photograph itself. Boxes are in pixels of the photograph, whichever is shown. Pure.
 */

import type { ImageInfo } from "../api/types";

export interface Source {
  readonly url: string;
  /** In pixels. */
  readonly width: number;
  /** Whether it is the photograph itself. */
  readonly whole: boolean;
}

/** The pixels that a file needs at least for each pixel of the screen, to look sharp. */
const SHARP = 0.8;
/** The pixels that it needs for each CSS pixel, to be seen until a sharper file is there. */
const ROUGH = 0.5;
/** The pixels for each pixel of the screen below which not even a photograph that is shown whole may be. */
const BLURRED = 0.5;

/** Returns the files that show this photograph, the smallest first. The last is the photograph itself. */
export function sourcesOf({ url, width, renditions = [] }: ImageInfo): Source[] {
  if (url === null) return [];
  return [
    ...renditions.map((copy) => ({ ...copy, whole: false })),
    { url, width: width ?? Infinity, whole: true },
  ];
}

export interface Shown {
  /** CSS pixels over which the photograph's width lies, also where it lies outside of the window. */
  readonly across: number;
  /** Device pixels for each CSS pixel. */
  readonly ratio: number;
  /** Whether all of the photograph is seen. */
  readonly fitted: boolean;
}

/** Returns the smallest file that looks sharp. As long as nobody has zoomed in, it is a copy. */
export function sharpest(sources: readonly Source[], { across, ratio, fitted }: Shown): Source | undefined {
  const pixels = across * ratio;
  const enough = sources.find(({ width }) => width >= pixels * SHARP) ?? sources.at(-1);
  const copy = largestCopy(sources);
  return fitted && enough?.whole && copy && copy.width >= pixels * BLURRED ? copy : enough;
}

/** Returns the file to show first: one that is there in short time, if it says enough. */
export function quickest(sources: readonly Source[], shown: Shown): Source | undefined {
  const goal = sharpest(sources, shown);
  return sources.find(({ width }) => width >= shown.across * ROUGH || width === goal?.width);
}

/** Returns the largest copy, which is sharp enough to aim with the magnifier before anybody zooms in. */
export function largestCopy(sources: readonly Source[]): Source | undefined {
  return sources.filter((source) => !source.whole).at(-1) ?? sources[0];
}
