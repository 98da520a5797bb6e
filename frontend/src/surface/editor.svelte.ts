/**
 * The box that is being drawn, its extreme points, and what can be undone. The parent keeps the box and the
 * points, since they belong to the draft.
 */

import type { Answer, Edges } from "../api/types";
import { atLeast, fromExtremes, grown, inTheMiddle, moved, tooSmall, whole } from "../geometry/box";
import { begin, record, redo, undo, type History } from "../geometry/history";
import type { ImagePx, Size } from "../geometry/units";
import type { Command } from "./keys";

/** What the parent keeps. */
export interface Work {
  readonly box: Edges | null;
  readonly marks: readonly (readonly [x: number, y: number])[];
  /** The answer where there is no box, such as that none is needed. */
  readonly instead?: Answer | undefined;
}

export interface Wiring {
  image: Size<ImagePx>;
  minimumSide: () => number;
  /** Returns what the parent keeps now. The parent may have changed it (another answer, another way of drawing). */
  now: () => Work;
  /** The visible part of the image, in which a box made by key appears. */
  visible: () => Edges;
  change: (work: Work) => void;
  /** No box could be made. `near` is where it would have been. */
  refused: (near?: Edges) => void;
  /** A point was set although there is a box. The box stays. */
  kept: () => void;
  /** Lets the box be, if another one may be drawn beside it. */
  another?: () => void;
  /** What undoes and redoes instead of this editor. */
  past?: () => Past | undefined;
}

/** A history of the parent's, of which the box is only a part. */
export interface Past {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Returns whether there was anything to undo. */
  undo(): boolean;
  redo(): boolean;
}

/** Topmost, bottommost, leftmost, rightmost (Papadopoulos et al. 2017). */
export const EXTREMES = 4;
/** Two opposite corners, as keys set them where others drag. */
export const CORNERS = 2;

export class Editor {
  #history = $state.raw<History<Work>>(begin({ box: null, marks: [] }));
  readonly #wiring: Wiring;
  /** The boxes that were put into the middle, and may still be there. */
  readonly #laid: string[] = [];

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
    this.#history = begin(wiring.now());
  }

  get canUndo(): boolean {
    return this.#wiring.past?.()?.canUndo ?? this.#history.past.length > 0;
  }

  get canRedo(): boolean {
    return this.#wiring.past?.()?.canRedo ?? this.#history.future.length > 0;
  }

  draw(box: Edges | null): void {
    this.#set({ box, marks: [] });
  }

  /**
   * Adds a point. The last of `needed` ones makes the box round them. A finished box stays as it is, since nobody
   * takes one away by a click beside it.
   */
  mark(point: readonly [number, number], needed = EXTREMES): void {
    const { image, minimumSide, now, refused, kept } = this.#wiring;
    const before = now();
    if (before.box) {
      kept();
      return;
    }
    const marks = [...before.marks, point];
    if (marks.length < needed) {
      this.#set({ box: null, marks });
      return;
    }
    const around = fromExtremes(marks);
    const box = around && whole(around, image);
    if (box === null || tooSmall(box, minimumSide())) {
      this.#set({ box: null, marks: [] });
      refused(around ? atLeast(around, minimumSide(), image) : undefined);
    } else this.#set({ box, marks: [] });
  }

  /** Whether a box was put into the middle, and is as it was then. It is said once of each. */
  untouched(box: Edges | null): boolean {
    const at = this.#laid.indexOf(String(box));
    return at >= 0 && this.#laid.splice(at, 1).length > 0;
  }

  /** Carries out a command. Returns whether there was anything to do. */
  run(command: Command): boolean {
    const { image, minimumSide, now, visible } = this.#wiring;
    const { box, marks } = now();
    switch (command.kind) {
      case "nudge":
        if (box) this.#set({ box: moved(box, command.dx, command.dy, image), marks });
        return box !== null;
      case "grow":
        if (box) this.#set({ box: grown(box, command.dx, command.dy, image, minimumSide()), marks });
        return box !== null;
      case "new": {
        this.#wiring.another?.();
        const made = whole(atLeast(inTheMiddle(visible()), minimumSide(), image), image);
        if (made === null || tooSmall(made, minimumSide())) this.#wiring.refused();
        else {
          this.#laid.push(String(made));
          this.draw(made);
        }
        return true;
      }
      case "remove":
        if (box || marks.length > 0) this.draw(null);
        return box !== null || marks.length > 0;
      case "undo":
        return this.#wiring.past?.()?.undo() ?? this.#step(undo(this.#followed()));
      case "redo":
        return this.#wiring.past?.()?.redo() ?? this.#step(redo(this.#followed()));
    }
  }

  #set(work: Work): void {
    this.#history = record(this.#followed(), work);
    this.#wiring.change(work);
  }

  #step(history: History<Work>): boolean {
    const changed = !same(history.present, this.#wiring.now());
    this.#history = history;
    if (changed) this.#wiring.change(history.present);
    return changed;
  }

  /** Returns the history. If the parent has changed something meanwhile, that is a step of it. */
  #followed(): History<Work> {
    const now = this.#wiring.now();
    return same(now, this.#history.present) ? this.#history : record(this.#history, now);
  }
}

function same(a: Work, b: Work): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
