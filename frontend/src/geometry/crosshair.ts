/**
 * A crosshair that arrows move, as a pure state machine. Its steps become longer as long as they go the same way,
 * and shorter when they turn back, so that a few of them reach any place of the surface.
 */

import { between, inImage, type ImagePx, type Point, type ScreenPx, type Size } from "./units";
import { toImage, type View } from "./view";

export interface Crosshair {
  readonly at: Point<ImagePx>;
  /** The step that led here, in screen pixels, and its direction. */
  readonly step: number;
  readonly fine: boolean;
  readonly way: readonly [x: number, y: number];
  /** When that was, in milliseconds. */
  readonly when: number;
  /** Whether it was the repetition of a held key. */
  readonly held: boolean;
}

/** A press of an arrow key. */
export interface Push {
  /** -1, 0 or 1 in each direction. */
  readonly way: readonly [x: number, y: number];
  /** Begin with one screen pixel, or with one pixel of the image if that is larger. */
  readonly fine: boolean;
  /** Whether the key repeats because it is held. */
  readonly held: boolean;
  readonly now: number;
}

/** What the crosshair moves over. */
export interface Ground {
  readonly view: View;
  readonly image: Size<ImagePx>;
  readonly screen: Size<ScreenPx>;
}

/** The first step, in screen pixels. */
const FIRST = 16;
/** Milliseconds after which a press begins with the first step again. It is longer than the pause before a key repeats. */
const PAUSE = 900;
/** By how much each press makes the next one longer, up to this part of the surface. */
const PRESSED = { growth: 2, most: 1 / 4 } as const;
/** A held key repeats about 30 times a second. Its steps stay so short that a hand can stop it in time. */
const HELD = { growth: 1.15, most: 16 } as const;
/** A fine step is one screen pixel. A held key makes it a little longer. */
const FINE = { growth: 1.1, most: 3 } as const;
/** How much shorter a step back is than the one that went too far. */
const BACK = 1 / 3;

/** Returns the crosshair in the middle of what is seen of the image. */
export function centred({ view, image, screen }: Ground): Crosshair {
  const { x, y } = toImage(view, { x: (screen.width / 2) as ScreenPx, y: (screen.height / 2) as ScreenPx });
  const at = inImage(between(0, x, image.width), between(0, y, image.height));
  return { at, step: 0, fine: false, way: [0, 0], when: -Infinity, held: false };
}

/** Returns the crosshair after a press. It stops at the edges of the image. */
export function pushed(crosshair: Crosshair, push: Push, { view, image, screen }: Ground): Crosshair {
  const { way, fine, held, now } = push;
  const step = fine ? fineStepOf(crosshair, push, view.scale) : stepOf(crosshair, push, screen);
  const [x, y] = way.map((one) => (one * step) / view.scale) as [number, number];
  const at = inImage(
    between(0, crosshair.at.x + x, image.width),
    between(0, crosshair.at.y + y, image.height),
  );
  return { at, step, fine, way, when: now, held };
}

function fineStepOf(before: Crosshair, { held }: Push, scale: number): number {
  const least = Math.max(1, scale);
  return held && before.fine ? Math.max(least, Math.min(before.step * FINE.growth, FINE.most)) : least;
}

function stepOf(before: Crosshair, { way, held, now }: Push, screen: Size<ScreenPx>): number {
  const along = before.way[0] * way[0] + before.way[1] * way[1];
  if (before.step === 0 || before.fine || now - before.when > PAUSE || along === 0) return FIRST;
  if (along < 0) return Math.max(before.step * BACK, 1);
  // After a held key, a press is for the last bit of the way.
  if (before.held && !held) return FIRST / 2;
  if (held) return Math.min(Math.max(before.step, FIRST / 2) * HELD.growth, HELD.most);
  return Math.min(before.step * PRESSED.growth, Math.max(screen.width, screen.height) * PRESSED.most);
}
