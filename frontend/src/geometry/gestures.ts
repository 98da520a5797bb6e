/**
 * What pointers mean, as a pure state machine. One pointer draws, moves, resizes, points or pans; two pinch.
 * Its input is an event and the scene as it is; its output is the next gesture and what that does.
 */

import type { Edges } from "../api/types";
import { fromCorners, handlePoint, moved, resized, tooSmall, whole, type Handle } from "./box";
import { gripAt, REACH } from "./grip";
import {
  between,
  distance,
  middle,
  onScreen,
  type ImagePx,
  type Point,
  type ScreenPx,
  type Size,
} from "./units";
import { pan, rectOf, toImage, zoomAt, type View } from "./view";

/** `pan`: nothing can be drawn here. */
export type Tool = "pan" | "drag" | "extreme";

/** What the pointers act on, as it is when the event happens. */
export interface Scene {
  readonly view: View;
  readonly image: Size<ImagePx>;
  readonly screen: Size<ScreenPx>;
  readonly tool: Tool;
  readonly box: Edges | null;
  /** Image pixels. */
  readonly minimumSide: number;
}

export interface Press {
  readonly id: number;
  readonly at: Point<ScreenPx>;
  readonly touch: boolean;
  /** The middle button is used, or Space is held: the pointer moves the picture, whatever the tool. */
  readonly pans: boolean;
}

/** A pointer that is down, and where it is now. */
interface Finger {
  readonly id: number;
  readonly at: Point<ScreenPx>;
}

export type Gesture =
  | { readonly kind: "idle" }
  | (Finger & { readonly kind: "draw"; readonly from: Point<ScreenPx>; readonly corner: Point<ImagePx> })
  | (Finger & { readonly kind: "move"; readonly before: Edges; readonly from: Point<ImagePx> })
  | (Finger & {
      readonly kind: "resize";
      readonly before: Edges;
      readonly handle: Handle;
      /** The distance from the pointer to the edge, in image pixels, so that taking hold moves nothing. */
      readonly offset: Point<ImagePx>;
    })
  | (Finger & { readonly kind: "aim" })
  | (Finger & { readonly kind: "pan" })
  | { readonly kind: "pinch"; readonly a: Finger; readonly b: Finger }
  /** One finger of two is left. It does nothing more. */
  | (Finger & { readonly kind: "spent" });

export interface Outcome {
  readonly gesture: Gesture;
  readonly view?: View;
  /** The box as the gesture has it now. Null: the box from before it. */
  readonly live?: Edges | null;
  /** The gesture is over, and this is its box. */
  readonly drawn?: Edges;
  /** An extreme point, in image pixels. */
  readonly mark?: readonly [x: number, y: number];
  /** The gesture made no box, since the box would be smaller than the batch allows. */
  readonly refused?: true;
}

export const IDLE: Gesture = { kind: "idle" };

/**
 * The screen pixels by which a press may move and still be a click. Beside a finished box they are more: a tap
 * that slips must not replace it.
 */
export const STILL = { free: 3, besideBox: 12 } as const;

export function down(gesture: Gesture, scene: Scene, press: Press): Outcome {
  switch (gesture.kind) {
    case "idle":
      return { gesture: begun(scene, press) };
    case "pinch":
      return { gesture };
    default: {
      // This is a second finger, so what the first one began was meant as a pinch.
      if (!press.touch) return { gesture };
      const first = { id: gesture.id, at: gesture.at };
      return { gesture: { kind: "pinch", a: first, b: { id: press.id, at: press.at } }, live: null };
    }
  }
}

function begun(scene: Scene, { id, at, touch, pans }: Press): Gesture {
  if (pans || scene.tool === "pan") return { kind: "pan", id, at };
  const point = toImage(scene.view, at);
  const grip = scene.box && gripAt(rectOf(scene.view, scene.box), at, touch ? REACH.touch : REACH.mouse);
  if (scene.box === null || grip === null) {
    return scene.tool === "extreme"
      ? { kind: "aim", id, at }
      : { kind: "draw", id, at, from: at, corner: point };
  }
  if (grip === "inside") return { kind: "move", id, at, before: scene.box, from: point };
  const edge = handlePoint(scene.box, grip);
  const offset = { x: (edge.x - point.x) as ImagePx, y: (edge.y - point.y) as ImagePx };
  return { kind: "resize", id, at, before: scene.box, handle: grip, offset };
}

export function move(gesture: Gesture, scene: Scene, id: number, at: Point<ScreenPx>): Outcome {
  if (gesture.kind === "idle") return { gesture };
  if (gesture.kind === "pinch") return pinched(gesture, scene, id, at);
  if (gesture.id !== id) return { gesture };
  const next = { ...gesture, at };
  switch (gesture.kind) {
    case "pan": {
      const by = onScreen(at.x - gesture.at.x, at.y - gesture.at.y);
      return { gesture: next, view: pan(scene.view, by, scene.image, scene.screen) };
    }
    case "draw":
    case "move":
    case "resize":
      return { gesture: next, live: madeBy(gesture, scene, at) };
    default:
      return { gesture: next };
  }
}

export function up(gesture: Gesture, scene: Scene, id: number, at: Point<ScreenPx>): Outcome {
  switch (gesture.kind) {
    case "idle":
      return { gesture };
    case "pinch": {
      if (id !== gesture.a.id && id !== gesture.b.id) return { gesture };
      return { gesture: { kind: "spent", ...(id === gesture.a.id ? gesture.b : gesture.a) } };
    }
    default:
      if (gesture.id !== id) return { gesture };
  }
  switch (gesture.kind) {
    case "aim": {
      const { x, y } = toImage(scene.view, at);
      const mark = [between(0, x, scene.image.width), between(0, y, scene.image.height)] as const;
      return { gesture: IDLE, mark };
    }
    case "draw":
      if (distance(gesture.from, at) < (scene.box ? STILL.besideBox : STILL.free))
        return { gesture: IDLE, live: null };
      break;
    case "move":
    case "resize":
      break;
    default:
      return { gesture: IDLE };
  }
  const box = madeBy(gesture, scene, at);
  if (box === null || tooSmall(box, scene.minimumSide)) return { gesture: IDLE, live: null, refused: true };
  return { gesture: IDLE, live: null, drawn: box };
}

/** The system took the pointer away (a call, or a swipe of its own), so the gesture is undone. */
export function cancel(gesture: Gesture, id: number): Outcome {
  const ids = gesture.kind === "pinch" ? [gesture.a.id, gesture.b.id] : "id" in gesture ? [gesture.id] : [];
  return ids.includes(id) ? { gesture: IDLE, live: null } : { gesture };
}

function madeBy(
  gesture: Extract<Gesture, { kind: "draw" | "move" | "resize" }>,
  scene: Scene,
  at: Point<ScreenPx>,
): Edges | null {
  const point = toImage(scene.view, at);
  switch (gesture.kind) {
    case "draw":
      return whole(fromCorners(gesture.corner, point), scene.image);
    case "move": {
      const { before, from } = gesture;
      return whole(moved(before, point.x - from.x, point.y - from.y, scene.image), scene.image);
    }
    case "resize": {
      const edge = { x: (point.x + gesture.offset.x) as ImagePx, y: (point.y + gesture.offset.y) as ImagePx };
      return whole(resized(gesture.before, gesture.handle, edge), scene.image);
    }
  }
}

function pinched(
  gesture: Extract<Gesture, { kind: "pinch" }>,
  scene: Scene,
  id: number,
  at: Point<ScreenPx>,
): Outcome {
  const { a, b } = gesture;
  if (id !== a.id && id !== b.id) return { gesture };
  const next = id === a.id ? { a: { id, at }, b } : { a, b: { id, at } };
  const before = middle(a.at, b.at);
  const after = middle(next.a.at, next.b.at);
  // Fingers on one spot have no distance to compare with.
  const factor = distance(next.a.at, next.b.at) / Math.max(distance(a.at, b.at), 1);
  const shifted = pan(
    scene.view,
    onScreen(after.x - before.x, after.y - before.y),
    scene.image,
    scene.screen,
  );
  return {
    gesture: { kind: "pinch", ...next },
    view: zoomAt(shifted, factor, after, scene.image, scene.screen),
  };
}
