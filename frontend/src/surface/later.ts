import type { Canvas } from "../picture/canvas.svelte";
import { withRest } from "../texts/index.svelte";

/** What a surface needs once somebody draws, or aims by key. It is fetched ahead after the first item. */
export const AIMED = {
  aim: () => import("./Aim.svelte"),
  steering: () => withRest(import("./steering")),
  edges: () => withRest(import("./EdgeFields.svelte")),
};

/** Moves the crosshair of a picture, as an arrow key says. */
export function aimBy(event: KeyboardEvent, way: readonly [x: number, y: number], canvas: Canvas): void {
  const push = { way, fine: event.shiftKey, held: event.repeat, now: performance.now() };
  void AIMED.steering().then(
    ({ steer }) => steer(canvas, push),
    () => undefined,
  );
}
