/** One photograph on one surface: where it lies, and what pointers do with it. */

import type { Edges } from "../api/types";
import { atLeast } from "../geometry/box";
import type { Crosshair } from "../geometry/crosshair";
import {
  cancel,
  down,
  IDLE,
  move,
  up,
  type Gesture,
  type Outcome,
  type Press,
  type Scene,
  type Tool,
} from "../geometry/gestures";
import {
  imageSize,
  onScreen,
  screenSize,
  type ImagePx,
  type Point,
  type ScreenPx,
  type Size,
} from "../geometry/units";
import { fit, isFitted, pan, resized, toImage, toScreen, visible, zoomAt, type View } from "../geometry/view";
import { ENLARGED } from "./later";

/** What pointers act on, and who is told. A picture that is only looked at has none of this. */
export interface Drawing {
  readonly tool: Tool;
  readonly box: Edges | null;
  readonly minimumSide: number;
  /** `anew`: it was drawn beside the box that there was, and does not change it. */
  drawn(box: Edges, anew: boolean): void;
  marked(mark: readonly [number, number]): void;
  refused(): void;
}

/** How much a press of a zoom key or button magnifies. */
export const STEP = 1.5;
/** Screen pixels a key pans. */
const PACE = 80;

export class Canvas {
  readonly image: Size<ImagePx>;
  screen = $state.raw<Size<ScreenPx>>(screenSize(0, 0));
  view = $state.raw<View>({ scale: 1, ...onScreen(0, 0) });
  gesture = $state.raw<Gesture>(IDLE);
  /** The box while a pointer makes it. */
  live = $state.raw<Edges | null>(null);
  /** Where the pointer is. Null: it is somewhere else. */
  pointer = $state.raw<Point<ScreenPx> | null>(null);
  /** What arrows aim with, if somebody does. */
  crosshair = $state.raw<Crosshair | null>(null);
  touch = $state(false);
  spaceHeld = $state(false);
  /** Whether boxes and numbers are hidden, so that everything under them is seen. */
  bare = $state(false);
  /** The view from before it came closer by itself, as long as nobody has changed the view since. */
  #before = $state.raw<{ from: View; to: View } | null>(null);
  readonly #drawing: (() => Drawing) | null;

  constructor(width: number, height: number, drawing: (() => Drawing) | null = null) {
    this.image = imageSize(width, height);
    this.#drawing = drawing;
  }

  get fitted(): boolean {
    return isFitted(this.view, this.image, this.screen);
  }

  /** The visible part of the photograph, in image pixels. */
  get visible(): Edges {
    return visible(this.view, this.image, this.screen);
  }

  get tool(): Tool {
    return this.#drawing?.().tool ?? "pan";
  }

  /** Notes that the surface has this size now. */
  resize(width: number, height: number): void {
    const screen = screenSize(width, height);
    const first = this.screen.width === 0 || this.screen.height === 0;
    this.view = first ? fit(this.image, screen) : resized(this.view, this.image, this.screen, screen);
    this.screen = screen;
  }

  /** Magnifies round `anchor`, round the crosshair, or round the middle. */
  zoom(factor: number, anchor?: Point<ScreenPx>): void {
    const at = anchor ?? this.aimed ?? onScreen(this.screen.width / 2, this.screen.height / 2);
    this.view = zoomAt(this.view, factor, at, this.image, this.screen);
  }

  /** Whether the view came closer by itself, and is still as it was then. */
  get close(): boolean {
    return this.#before !== null && this.#before.to === this.view;
  }

  /** The view without what it came closer by itself. */
  get chosen(): View {
    return this.close && this.#before ? this.#before.from : this.view;
  }

  /** Comes closer to a box that is too small to be drawn well. */
  closeUp(box: Edges): void {
    void ENLARGED.closeUp().then(
      ({ closeUp }) => {
        const to = closeUp(this.view, box, this.image, this.screen);
        // The view must not change under a hand that draws again.
        if (to === null || this.gesture.kind !== "idle") return;
        this.#before = { from: this.close && this.#before ? this.#before.from : this.view, to };
        this.view = to;
      },
      () => undefined,
    );
  }

  /** Goes back to the view from before it came closer by itself. */
  goBack(): void {
    if (this.close && this.#before) this.view = this.#before.from;
    this.#before = null;
  }

  fit(): void {
    this.view = fit(this.image, this.screen);
  }

  /** Moves the window over the photograph by one step in each direction: -1, 0 or 1. */
  step(x: number, y: number): void {
    this.view = pan(this.view, onScreen(-x * PACE, -y * PACE), this.image, this.screen);
  }

  /** Where the crosshair is on the screen. */
  get aimed(): Point<ScreenPx> | null {
    return this.crosshair && toScreen(this.view, this.crosshair.at);
  }

  down(press: Press): void {
    this.crosshair = null;
    this.touch = press.touch;
    this.pointer = press.at;
    // Nobody can change a box that is hidden.
    if (this.tool !== "pan") this.bare = false;
    this.#take(down(this.gesture, this.#scene(), { ...press, pans: press.pans || this.spaceHeld }));
  }

  /** Shows the boxes, and returns whether they were hidden. */
  reveal(): boolean {
    const { bare } = this;
    this.bare = false;
    return bare;
  }

  move(id: number, at: Point<ScreenPx>): void {
    this.pointer = at;
    this.#take(move(this.gesture, this.#scene(), id, at));
  }

  up(id: number, at: Point<ScreenPx>): void {
    const scene = this.#scene();
    const outcome = up(this.gesture, scene, id, at);
    this.#take(outcome, this.gesture.kind === "draw");
    // Who draws too small a box may mean something that is too small to be drawn from here.
    if (outcome.refused) {
      const { x, y } = toImage(this.view, at);
      this.closeUp(atLeast([x, y, x, y], scene.minimumSide, this.image));
    }
    // A finger that is lifted does not point anywhere any more.
    if (this.touch) this.pointer = null;
  }

  /** Whether a pointer is changing the box: a key would change it at the same time. */
  get drawing(): boolean {
    return ["draw", "move", "resize", "aim"].includes(this.gesture.kind);
  }

  /** Gives up what is being done, as if nothing had happened. The pointers that are down do nothing more. */
  drop(): void {
    this.gesture = IDLE;
    this.live = null;
  }

  /** Undoes what this pointer is doing, if it is doing anything. */
  cancel(id: number): void {
    const outcome = cancel(this.gesture, id);
    if (outcome.gesture === this.gesture) return;
    this.#take(outcome);
    this.pointer = null;
  }

  #scene(): Scene {
    const drawing = this.#drawing?.();
    return {
      view: this.view,
      image: this.image,
      screen: this.screen,
      tool: drawing?.tool ?? "pan",
      box: drawing?.box ?? null,
      minimumSide: drawing?.minimumSide ?? 1,
    };
  }

  #take({ gesture, view, live, drawn, mark, refused }: Outcome, anew = false): void {
    this.gesture = gesture;
    if (view) this.view = view;
    if (live !== undefined) this.live = live;
    const drawing = this.#drawing?.();
    if (drawn) drawing?.drawn(drawn, anew);
    if (mark) drawing?.marked(mark);
    if (refused) drawing?.refused();
  }
}
