import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edges } from "../api/types";
import { IDLE, cancel, down, move, up, type Gesture, type Outcome, type Scene } from "./gestures";
import { aimOf } from "../surface/aim";
import { imageSize, onScreen, screenSize } from "./units";
import type { View } from "./view";

/** A screen pixel is half an image pixel, and the picture begins at 10, 10. */
const view: View = { scale: 2, ...onScreen(10, 10) };
const scene = (more: Partial<Scene> = {}): Scene => ({
  view,
  image: imageSize(400, 300),
  screen: screenSize(820, 620),
  tool: "drag",
  box: null,
  minimumSide: 3,
  ...more,
});

type Event =
  | ["down", x: number, y: number, id?: number]
  | ["move" | "up", x: number, y: number, id?: number]
  | ["cancel", id?: number];

/** Returns what comes of events one after the other, with the last view, live box and so on of any of them. */
function play(
  where: Scene,
  events: Event[],
  how: { touch?: boolean; pans?: boolean } = {},
): Outcome & { seen: (Edges | null)[] } {
  let all: Outcome = { gesture: IDLE };
  const seen: (Edges | null)[] = [];
  for (const event of events) {
    const now = { ...where, view: all.view ?? where.view };
    const next = play1(all.gesture, now, event, how);
    if (next.live !== undefined) seen.push(next.live);
    all = { ...all, ...next };
  }
  return { ...all, seen };
}

function play1(
  gesture: Gesture,
  where: Scene,
  event: Event,
  { touch = false, pans = false }: { touch?: boolean; pans?: boolean },
): Outcome {
  if (event[0] === "cancel") return cancel(gesture, event[1] ?? 1);
  const [kind, x, y, id = 1] = event;
  if (kind === "down") return down(gesture, where, { id, at: onScreen(x, y), touch, pans });
  return (kind === "move" ? move : up)(gesture, where, id, onScreen(x, y));
}

const BOX: Edges = [100, 100, 200, 150];
/** On the screen from 210, 210 to 410, 310. */

describe("one pointer", () => {
  test.each<[string, Partial<Scene>, Event[], Partial<Outcome>]>([
    [
      "draws a box",
      {},
      [
        ["down", 110, 110],
        ["move", 200, 150],
        ["up", 310, 210],
      ],
      { drawn: [50, 50, 150, 100] },
    ],
    [
      "draws from any corner",
      {},
      [
        ["down", 310, 210],
        ["up", 110, 110],
      ],
      { drawn: [50, 50, 150, 100] },
    ],
    [
      "draws to the image's border",
      {},
      [
        ["down", 110, 110],
        ["up", 9000, 9000],
      ],
      { drawn: [50, 50, 400, 300] },
    ],
    [
      "draws outside the box it has",
      { box: BOX },
      [
        ["down", 20, 20],
        ["up", 60, 60],
      ],
      { drawn: [5, 5, 25, 25] },
    ],
    [
      "leaves a finished box alone if it slips beside it",
      { box: BOX },
      [
        ["down", 20, 20],
        ["move", 27, 27],
        ["up", 27, 27],
      ],
      { live: null },
    ],
    [
      "is refused a box too small",
      {},
      [
        ["down", 110, 110],
        ["up", 310, 114],
      ],
      { refused: true, live: null },
    ],
    [
      "moves a box by its inside",
      { box: BOX },
      [
        ["down", 310, 260],
        ["up", 330, 250],
      ],
      { drawn: [110, 95, 210, 145] },
    ],
    [
      "moves it no farther than the image",
      { box: BOX },
      [
        ["down", 310, 260],
        ["up", -900, 260],
      ],
      { drawn: [0, 100, 100, 150] },
    ],
    [
      "moves an edge",
      { box: BOX },
      [
        ["down", 410, 260],
        ["up", 430, 300],
      ],
      { drawn: [100, 100, 210, 150] },
    ],
    [
      "moves a corner",
      { box: BOX },
      [
        ["down", 210, 210],
        ["up", 230, 200],
      ],
      { drawn: [110, 95, 200, 150] },
    ],
    [
      "takes hold beside an edge, and moves nothing by it",
      { box: BOX },
      [
        ["down", 415, 260],
        ["up", 415, 260],
      ],
      { drawn: BOX },
    ],
    [
      "marks where it is let go",
      { tool: "extreme" },
      [
        ["down", 100, 100],
        ["move", 50, 60],
        ["up", 111, 121],
      ],
      { mark: [50.5, 55.5] },
    ],
    [
      "marks in the image",
      { tool: "extreme" },
      [
        ["down", 0, 0],
        ["up", 0, 5000],
      ],
      { mark: [0, 300] },
    ],
  ])("%s", (_name, more, events, outcome) => {
    expect(play(scene(more), events)).toMatchObject({ gesture: IDLE, ...outcome });
  });

  test("that does not move draws nothing, and is not refused", () => {
    const outcome = play(scene(), [
      ["down", 110, 110],
      ["up", 111, 112],
    ]);
    expect(outcome.drawn).toBeUndefined();
    expect(outcome.refused).toBeUndefined();
  });

  test("shows the box while it is made, and no more after", () => {
    const { seen } = play(scene(), [
      ["down", 110, 110],
      ["move", 210, 210],
      ["up", 310, 310],
    ]);
    expect(seen).toEqual([[50, 50, 100, 100], null]);
  });

  test("pans with the middle button, box or not", () => {
    const close = { ...view, scale: 8 };
    const outcome = play(
      scene({ box: BOX, view: close }),
      [
        ["down", 300, 300],
        ["move", 290, 310],
        ["up", 290, 310],
      ],
      { pans: true },
    );
    expect(outcome.view).toEqual({ scale: 8, x: 0, y: 12 });
    expect(outcome.drawn).toBeUndefined();
  });

  test("that is taken away leaves all as it was", () => {
    const outcome = play(scene({ box: BOX }), [["down", 310, 260], ["move", 500, 500], ["cancel"]]);
    expect(outcome).toMatchObject({ gesture: IDLE, live: null });
    expect(outcome.drawn).toBeUndefined();
  });

  test("does not listen to another", () => {
    const outcome = play(scene(), [
      ["down", 110, 110],
      ["move", 700, 500, 7],
      ["up", 700, 500, 7],
      ["up", 310, 210],
    ]);
    expect(outcome.drawn).toEqual([50, 50, 150, 100]);
  });
});

describe("two fingers", () => {
  const pinch: Event[] = [
    ["down", 300, 300],
    ["move", 330, 320],
    ["down", 500, 300, 2],
    ["move", 600, 300, 2],
  ];

  test("zoom by how far they spread, and what the first had begun is dropped", () => {
    const outcome = play(scene(), pinch, { touch: true });
    expect(outcome.seen.at(-1)).toBeNull();
    expect(outcome.view?.scale).toBeCloseTo((2 * Math.hypot(270, 20)) / Math.hypot(170, 20), 6);
    expect(outcome.drawn).toBeUndefined();
  });

  test("zoom no more when one is lifted, and the other draws nothing", () => {
    const outcome = play(scene(), [...pinch, ["up", 600, 300, 2], ["move", 100, 100], ["up", 100, 100]], {
      touch: true,
    });
    expect(outcome.gesture).toEqual(IDLE);
    expect(outcome.drawn).toBeUndefined();
    expect(outcome.refused).toBeUndefined();
  });

  test("make no extreme point", () => {
    const outcome = play(scene({ tool: "extreme" }), [...pinch, ["up", 330, 320], ["up", 600, 300, 2]], {
      touch: true,
    });
    expect(outcome.gesture).toEqual(IDLE);
    expect(outcome.mark).toBeUndefined();
  });

  test("on one spot do not zoom to infinity", () => {
    const outcome = play(
      scene(),
      [
        ["down", 300, 300],
        ["down", 300, 300, 2],
        ["move", 301, 300, 2],
      ],
      { touch: true },
    );
    expect(Number.isFinite(outcome.view?.scale)).toBe(true);
  });
});

test("whatever pointers do, boxes are whole, in the image, and big enough", () => {
  const spot = fc.integer({ min: -100, max: 1000 });
  const event = fc.oneof(
    fc.tuple(
      fc.constantFrom("down" as const, "move" as const, "up" as const),
      spot,
      spot,
      fc.integer({ min: 1, max: 3 }),
    ),
    fc.tuple(fc.constant("cancel" as const), fc.integer({ min: 1, max: 3 })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), fc.boolean(), fc.boolean(), (events, touch, extreme) => {
      let gesture: Gesture = IDLE;
      let now = scene({ tool: extreme ? "extreme" : "drag", box: BOX });
      for (const one of events) {
        const outcome = play1(gesture, now, one, { touch });
        gesture = outcome.gesture;
        now = { ...now, view: outcome.view ?? now.view, box: outcome.drawn ?? now.box };
        if (!outcome.drawn) continue;
        const [left, top, right, bottom] = outcome.drawn;
        expect(outcome.drawn.every(Number.isInteger)).toBe(true);
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThanOrEqual(400);
        expect(bottom).toBeLessThanOrEqual(300);
        expect(Math.min(right - left, bottom - top)).toBeGreaterThanOrEqual(3);
      }
    }),
  );
});

test("what is aimed at is the edge or corner that is held, from beside as well, or else the point", () => {
  const at = onScreen(415, 260);
  expect(aimOf(IDLE, view, at)).toEqual({ x: 202.5, y: 125 });
  const edge = down(IDLE, scene({ box: BOX }), { id: 1, at, touch: false, pans: false }).gesture;
  expect(aimOf(edge, view, at)).toEqual({ x: 200, y: 125 });
  const corner = onScreen(205, 206);
  const held = down(IDLE, scene({ box: BOX }), { id: 1, at: corner, touch: false, pans: false }).gesture;
  expect(aimOf(held, view, corner)).toEqual({ x: 100, y: 100 });
});
