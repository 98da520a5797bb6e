import type { Way } from "./method.svelte";
import { pointing } from "../texts/pointer";
import { text } from "../texts/index.svelte";

/** Returns what to do next for a box, after so many of its extreme points. */
export function nextPoint(way: Way, set: number): string {
  const words = text().stages.drawing;
  return way === "drag" ? words.drag : words.extreme(pointing(), set);
}
