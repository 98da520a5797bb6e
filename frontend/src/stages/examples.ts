/**
 * The pictures of the instructions: which part of which scene is shown, with which boxes. Their texts are in
 * the guide.
 */

import type { Edges } from "../api/types";
import { BEACH, CONCERT, PARK, type SceneName } from "../sample/scenes";
import type { Instructions } from "../texts/catalogue";

export interface Example {
  scene: SceneName;
  /**
   * The part that is shown, in pixels of the scene. Its shape is four to three, so that all pictures have the
   * same size.
   */
  view: Edges;
  /** Accepted boxes. */
  boxes?: Edges[];
  /** The new box. */
  box?: Edges;
  /** Several new boxes, which are numbered. */
  fresh?: Edges[];
  /** Extreme points, in the order in which they are clicked. */
  points?: [x: number, y: number][];
  /** Null, except in an example that shows which of several right answers is meant. */
  good: boolean | null;
}

/** One picture for each example that the instructions explain. */
export type Pictures<Guides extends Record<keyof Guides, { examples: object }>> = {
  [K in keyof Guides]: Record<keyof Guides[K]["examples"], Example>;
};

export const WHOLE: Edges = [0, 0, 640, 480];
const BEACH_PEOPLE: Edges = [100, 140, 500, 440];
const DRUM: Edges = [10, 170, 370, 440];
const WALKER: Edges = [10, 150, 434, 468];
const BOATS: Edges = [20, 100, 340, 340];
const DOGS: Edges = [320, 240, 640, 480];

export const EXAMPLES = {
  link: {
    words: { scene: "beach", view: BEACH_PEOPLE, boxes: [BEACH.man], good: true },
    part: { scene: "beach", view: BEACH_PEOPLE, boxes: [BEACH.man, BEACH.hat], good: false },
    some: { scene: "beach", view: BEACH_PEOPLE, boxes: [BEACH.man, BEACH.girl], good: false },
  },
  verification: {
    all: { scene: "park", view: DOGS, boxes: [PARK.brownDog, PARK.blackDog], good: true },
    some: { scene: "park", view: DOGS, boxes: [PARK.brownDog, PARK.blackDog], good: false },
    other: { scene: "concert", view: WHOLE, boxes: [CONCERT.guitarist, CONCERT.woman], good: false },
  },
  requirement: {
    box: { scene: "beach", view: WHOLE, boxes: [BEACH.ball], good: null },
    scene: { scene: "park", view: WHOLE, good: null },
    nobox: { scene: "concert", view: WHOLE, good: null },
  },
  drawing: {
    points: {
      scene: "beach",
      view: [60, 220, 360, 445],
      box: BEACH.girl,
      points: [
        [190, 241],
        [178, 435],
        [134, 302],
        [268, 401],
      ],
      good: true,
    },
    single: { scene: "park", view: DOGS, boxes: [PARK.brownDog], box: PARK.blackDog, good: true },
    group: { scene: "concert", view: WHOLE, box: CONCERT.crowd, good: true },
    loose: { scene: "concert", view: DRUM, box: [50, 190, 290, 430], good: false },
    cut: { scene: "park", view: WALKER, box: [140, 170, 250, 330], good: false },
  },
  quality: {
    tight: { scene: "concert", view: DRUM, box: CONCERT.drum, good: true },
    loose: { scene: "concert", view: DRUM, box: [50, 190, 290, 430], good: false },
    several: { scene: "park", view: DOGS, box: [375, 330, 640, 436], good: false },
    again: { scene: "beach", view: BOATS, boxes: [BEACH.leftBoat], box: [72, 143, 129, 217], good: false },
  },
  coverage: {
    all: { scene: "beach", view: BOATS, boxes: [BEACH.leftBoat, BEACH.rightBoat], good: true },
    group: { scene: "concert", view: WHOLE, boxes: [CONCERT.crowd], good: true },
    missing: { scene: "concert", view: WHOLE, boxes: [CONCERT.guitarist], good: false },
  },
  boxes: {
    all: { scene: "park", view: DOGS, fresh: [PARK.brownDog, PARK.blackDog], good: true },
    other: { scene: "beach", view: BOATS, boxes: [BEACH.leftBoat], fresh: [BEACH.rightBoat], good: true },
    group: { scene: "concert", view: WHOLE, fresh: [CONCERT.crowd], good: true },
    missing: { scene: "concert", view: WHOLE, fresh: [CONCERT.guitarist], good: false },
    both: { scene: "park", view: DOGS, fresh: [[375, 330, 640, 436]], good: false },
  },
  check: {
    all: { scene: "beach", view: BOATS, fresh: [BEACH.leftBoat, BEACH.rightBoat], good: true },
    loose: { scene: "concert", view: DRUM, fresh: [[50, 190, 290, 430]], good: false },
    cut: { scene: "park", view: WALKER, fresh: [[140, 170, 250, 330]], good: false },
    again: {
      scene: "beach",
      view: BOATS,
      boxes: [BEACH.leftBoat],
      fresh: [[72, 143, 129, 217]],
      good: false,
    },
    missing: { scene: "concert", view: WHOLE, fresh: [CONCERT.guitarist], good: false },
  },
} satisfies Pictures<Instructions["stages"]>;
