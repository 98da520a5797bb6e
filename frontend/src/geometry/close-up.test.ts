import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MIN_DRAWN } from "./box";
import { closeUp } from "./close-up";
import { imageSize, screenSize } from "./units";
import { fit, rectOf } from "./view";

describe("coming closer to a small box", () => {
  const image = imageSize(4000, 3000);
  const phone = screenSize(390, 300);
  const whole = fit(image, phone);

  test("there is no need if its sides have 24 screen pixels", () => {
    const side = Math.ceil(MIN_DRAWN / whole.scale);
    expect(closeUp(whole, [100, 100, 100 + side, 100 + side], image, phone)).toBeNull();
    expect(closeUp(whole, [100, 100, 100 + side, 99 + side], image, phone)).not.toBeNull();
  });

  test("there is no use in it if the box is so long that it would leave the surface", () => {
    expect(closeUp(whole, [100, 100, 3900, 150], image, phone)).toBeNull();
  });

  test("a box has sides of 24 screen pixels after a few times, and is always in sight", () => {
    const corner = fc.integer({ min: 0, max: 2900 });
    const side = fc.integer({ min: 3, max: 90 });
    fc.assert(
      fc.property(corner, corner, side, side, (x, y, width, height) => {
        // Longer ones are as large as the surface allows.
        fc.pre(Math.max(width, height) < 6 * Math.min(width, height));
        let view = whole;
        for (let times = 0; times < 4; times += 1) {
          const closer = closeUp(view, [x, y, x + width, y + height], image, phone);
          if (closer === null) break;
          expect(closer.scale / view.scale).toBeLessThanOrEqual(8.0001);
          view = closer;
          const rect = rectOf(view, [x, y, x + width, y + height]);
          expect(rect.x).toBeGreaterThanOrEqual(0);
          expect(rect.y).toBeGreaterThanOrEqual(0);
          expect(rect.x + rect.width).toBeLessThanOrEqual(390);
          expect(rect.y + rect.height).toBeLessThanOrEqual(300);
        }
        expect(Math.min(width, height) * view.scale).toBeGreaterThanOrEqual(MIN_DRAWN);
      }),
    );
  });
});
