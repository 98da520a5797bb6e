/** What people point with here, as the texts name it: a mouse is clicked, and a finger taps. */
export type Pointing = "click" | "tap" | "both";

/** Asks the browser each time, because a mouse may be plugged in. */
export function pointing(): Pointing {
  const there = (kind: "coarse" | "fine"): boolean =>
    typeof matchMedia === "function" && matchMedia(`(any-pointer: ${kind})`).matches;
  if (!there("coarse")) return "click";
  return there("fine") ? "both" : "tap";
}
