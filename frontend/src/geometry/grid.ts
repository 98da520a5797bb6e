/**
 * Whole pixels of the device. If a frame lies between them, a browser paints it on the nearest ones, but still
 * reports its exact place. This is off by up to half a pixel of the screen, which is several pixels of a large
 * photograph. Measured in Chromium at device pixel ratios 1, 1.25, 1.5 and 2.
 */

/**
 * Returns where a frame's edge is painted, in CSS pixels of the viewport. `ratio` is device pixels for each CSS
 * pixel.
 */
export function painted(edge: number, ratio: number): number {
  return Math.floor(edge * ratio + 0.5) / ratio;
}

/**
 * How many CSS pixels are searched for a place that is whole in both kinds of pixels. 5 is enough for every
 * quarter and fifth.
 */
const FARTHEST = 5;

/**
 * Returns how far behind `edge` a place lies that is whole in CSS pixels and, if the ratio has such places
 * nearby, in device pixels. What begins there is painted where it is, also on screens that are only emulated.
 */
export function inset(edge: number, ratio: number): number {
  let grid = 1;
  while (grid <= FARTHEST && Math.abs(grid * ratio - Math.round(grid * ratio)) > 0.001) grid += 1;
  if (grid > FARTHEST) grid = 1;
  // The edge is a sum of layout's 64ths. An edge that is whole except for rounding stays where it is.
  return Math.max(0, Math.ceil(edge / grid - 0.001) * grid - edge);
}
