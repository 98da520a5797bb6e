/** Whether all captions were in sight. Those who answer about all of them must have been shown all of them. */

/** The least that a press scrolls, as a share of the window: on every screen, less than what shows at once. */
const STEP = 0.2;

function answersTop(captions: Element): number {
  return captions.closest("section")?.querySelector(".answers")?.getBoundingClientRect().top ?? Infinity;
}

/** Calls `done` once the end of the last caption has been above the answers. Attach it to the list of captions. */
export function readToEnd(done: () => void): (captions: HTMLElement) => () => void {
  return (captions) => {
    const ends = new AbortController();
    const on = { signal: ends.signal, capture: true, passive: true };
    const look = (): void => {
      const end = captions.getBoundingClientRect().bottom;
      if (end > answersTop(captions) + 1) return;
      ends.abort();
      done();
    };
    // A scroll does not bubble, but it can be captured.
    document.addEventListener("scroll", look, on);
    addEventListener("resize", look, on);
    look();
    return () => ends.abort();
  };
}

/** Scrolls to the end of the first caption that is not in sight, or by a step towards it if it is long. */
export function showNext(captions: HTMLElement): void {
  const top = answersTop(captions);
  const ends = [...captions.children].map((one) => one.getBoundingClientRect().bottom - top);
  const next = ends.find((end) => end > 1);
  if (next === undefined) return;
  const by = Math.ceil(Math.min(next, innerHeight * STEP));
  // Only one of them scrolls: the captions beside the photograph, or everything below it.
  for (const part of [captions.closest(".matter"), captions.closest(".stage")]) part?.scrollBy(0, by);
}
