/** Taps and long presses on the photograph, which pointers also move and zoom. */

import type { Edges } from "../api/types";
import { height, width } from "../geometry/box";
import { distance, onScreen, type Point, type ScreenPx } from "../geometry/units";

/** The milliseconds after which a press is a long one. */
export const LONG = 500;
/** The screen pixels by which a press may move. A finger rolls more than a mouse slips. */
export const MAX_SLIP = 10;

export interface Told {
  tap: (at: Point<ScreenPx>) => void;
  /** A press was long. It is told while it lasts. */
  long: (at: Point<ScreenPx>) => void;
}

/** Returns where on the photograph an event is, or null if it is beside it, or the photograph is not there yet. */
export function placeOf(event: PointerEvent): Point<ScreenPx> | null {
  const surface = event.target as Element;
  if (!surface.matches("svg[data-phase=ready]")) return null;
  const { left, top } = surface.getBoundingClientRect();
  return onScreen(event.clientX - left, event.clientY - top);
}

export class Taps {
  #down: { id: number; at: Point<ScreenPx>; timer: ReturnType<typeof setTimeout> } | null = null;
  readonly #ids = new Set<number>();

  constructor(private readonly told: Told) {}

  /** Hears an event of a pointer. */
  hear(event: PointerEvent): void {
    const [id, at] = [event.pointerId, placeOf(event)];
    const { type } = event;
    if (type === "pointercancel") this.cancel(id);
    else if (!at) return;
    else if (type === "pointermove") this.move(id, at);
    else if (type === "pointerup") this.up(id, at);
    else if (event.button === 0 && !event.ctrlKey) this.down(id, at);
  }

  down(id: number, at: Point<ScreenPx>): void {
    this.#ids.add(id);
    this.drop();
    // Two fingers zoom.
    if (this.#ids.size > 1) return;
    const timer = setTimeout(() => {
      this.#down = null;
      this.told.long(at);
    }, LONG);
    this.#down = { id, at, timer };
  }

  move(id: number, at: Point<ScreenPx>): void {
    if (this.#down?.id === id && distance(this.#down.at, at) > MAX_SLIP) this.drop();
  }

  up(id: number, at: Point<ScreenPx>): void {
    this.move(id, at);
    this.#ids.delete(id);
    if (this.#down?.id !== id) return;
    this.drop();
    this.told.tap(at);
  }

  cancel(id: number): void {
    this.#ids.delete(id);
    this.drop();
  }

  /** Forgets the press, so that nothing comes of it. */
  drop(): void {
    clearTimeout(this.#down?.timer);
    this.#down = null;
  }
}

/** Returns the place of the smallest box that a point is in, or beside by at most `reach`, or null. */
export function boxAt(boxes: readonly Edges[], x: number, y: number, reach: number): number | null {
  const hit = boxes
    .map((box, place) => ({ box, place }))
    .filter(
      ({ box: [left, top, right, bottom] }) =>
        x >= left - reach && x <= right + reach && y >= top - reach && y <= bottom + reach,
    )
    .sort((a, b) => width(a.box) * height(a.box) - width(b.box) * height(b.box));
  return hit[0]?.place ?? null;
}
