/** Moves the crosshair of a picture. It is fetched after the first item, with the rest of what drawing needs later. */

import { centred, pushed, type Push } from "../geometry/crosshair";
import { between, onScreen } from "../geometry/units";
import { pan, toScreen } from "../geometry/view";
import type { Canvas } from "../picture/canvas.svelte";

/** The crosshair stays at least so many screen pixels inside the surface. */
const IN_SIGHT = 32;

/** Moves the crosshair, which begins in the middle. The picture follows it. */
export function steer(canvas: Canvas, push: Push): void {
  const { view, image, screen } = canvas;
  const ground = { view, image, screen };
  const next = pushed(canvas.crosshair ?? centred(ground), push, ground);
  canvas.crosshair = next;
  canvas.touch = false;
  const { x, y } = toScreen(view, next.at);
  const by = onScreen(
    between(IN_SIGHT, x, screen.width - IN_SIGHT) - x,
    between(IN_SIGHT, y, screen.height - IN_SIGHT) - y,
  );
  if (by.x !== 0 || by.y !== 0) canvas.view = pan(view, by, image, screen);
}
