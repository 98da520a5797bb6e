/**
 * Whole pixels of the device. A browser paints a frame that lies between them on the nearest ones, and says where it
 * would be without: half a pixel of the screen, which is several pixels of a large photograph. Measured in Chromium
 * at device pixel ratios 1, 1.25, 1.5 and 2.
 */

/** Where a frame's edge is painted. In CSS pixels of the viewport; `ratio`: device pixels a CSS pixel. */
export function painted(edge: number, ratio: number): number {
  return Math.floor(edge * ratio + 0.5) / ratio;
}

/** CSS pixels that are looked at for a place that is whole in both kinds: 5 serves every quarter and fifth. */
const FARTHEST = 5;

/**
 * How far behind `edge` there is a place that is whole in CSS pixels and, where the ratio has such places nearby, in
 * device pixels. What begins there is painted where it is, on screens that are only emulated, too.
 */
export function inset(edge: number, ratio: number): number {
  let grid = 1;
  while (grid <= FARTHEST && Math.abs(grid * ratio - Math.round(grid * ratio)) > 0.001) grid += 1;
  if (grid > FARTHEST) grid = 1;
  // The edge is a sum of layout's 64ths: one that is whole but for rounding stays where it is.
  return Math.max(0, Math.ceil(edge / grid - 0.001) * grid - edge);
}
