/** Where the inset lies, and what it shows. Pure. */

import type { Edges } from "../api/types";
import { squareRound } from "../geometry/box";
import { onScreen, type Point, type ScreenPx, type Size } from "../geometry/units";
import { shared, type Rect, type View } from "../geometry/view";
import { SIDE, type Lens } from "./lens";

/** The distance of the inset from the edges of the picture, in screen pixels. */
const EDGE = 8;
/** How much is shown round the box on each side, as a share of its longer side. */
const ROUND = 0.4;
/** By how much the inset must enlarge. Otherwise it would only hide a part of the photograph. */
const WORTH = 1.5;

/** Returns where the enlarged box lies and what is shown of it, or null if it is large enough on the screen. */
export function insetOf(
  box: Edges,
  view: View,
  screen: Size<ScreenPx>,
  others: readonly Rect[],
): Lens | null {
  const side = Math.min(SIDE, screen.width * 0.4, screen.height * 0.4);
  const square = squareRound(box, ROUND);
  if (side / square.side < view.scale * WORTH) return null;
  const far = { x: screen.width - EDGE - side, y: screen.height - EDGE - side };
  // The buttons for zooming are at the fourth corner.
  const corners = [onScreen(EDGE, EDGE), onScreen(far.x, EDGE), onScreen(EDGE, far.y)];
  const hides = ({ x, y }: Point<ScreenPx>): number =>
    others.reduce(
      (sum, rect) => sum + shared({ x, y, width: side, height: side }, rect) / (rect.width * rect.height),
      0,
    );
  const corner = corners.reduce((best, next) => (hides(next) < hides(best) ? next : best));
  return { corner, side, square };
}
