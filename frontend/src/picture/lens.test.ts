import { expect, test } from "vitest";
import { onScreen } from "../geometry/units";
import { paint, type Lens } from "./lens";

const lens: Lens = { corner: onScreen(30, 40), side: 100, square: { x: 10, y: 20, side: 50 } };
const photo = {} as CanvasImageSource;

/** A canvas that notes what is drawn on it. */
function noting(): { canvas: HTMLCanvasElement; drawn: Record<string, unknown[][]> } {
  const drawn: Record<string, unknown[][]> = { drawImage: [], strokeRect: [] };
  const context: Record<string, unknown> = { fillRect: () => undefined };
  for (const [name, calls] of Object.entries(drawn)) context[name] = (...args: unknown[]) => calls.push(args);
  const canvas = { width: 300, height: 150, style: {}, getContext: () => context };
  return { canvas: canvas as unknown as HTMLCanvasElement, drawn };
}

test("the square fills the lens, from a file that is twice as large as the image", () => {
  const { canvas, drawn } = noting();
  paint(canvas, { photo, ratio: 2 }, lens, null);
  expect([canvas.width, canvas.height]).toEqual([100, 100]);
  expect(canvas.style).toMatchObject({ width: "100px", height: "100px", transform: "translate(30px, 40px)" });
  expect(drawn.drawImage).toEqual([[photo, 20, 40, 100, 100, 0, 0, 100, 100]]);
  expect(drawn.strokeRect).toEqual([]);
});

test("the lines lie outside of the box", () => {
  const { canvas, drawn } = noting();
  paint(canvas, { photo, ratio: 1 }, lens, [20, 30, 40, 35]);
  expect(drawn.strokeRect).toEqual([
    [18, 18, 44, 14],
    [19, 19, 42, 12],
  ]);
});

test("a browser that cannot draw shows no more than a place for it", () => {
  const { canvas } = noting();
  canvas.getContext = () => null;
  expect(paint(canvas, { photo, ratio: 1 }, lens, null)).toBeNull();
});
