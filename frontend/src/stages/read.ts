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
      // In a very small window the answers are below the captions, and out of sight like them.
      if (end > Math.min(answersTop(captions), innerHeight) + 1) return;
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

/** The pixels that stay in sight when a press scrolls: a line and a half. */
const OVERLAP = 36;

/** Scrolls on by what shows at once, so that the captions that were not in sight yet are, and no line is skipped. */
export function showNext(captions: HTMLElement): void {
  const bar = answersTop(captions);
  const end = captions.getBoundingClientRect().bottom - bar;
  if (end <= 1) return;
  // The button that this is the press of makes the bar of answers higher.
  const bottom = bar - (captions.closest("section")?.querySelector(".more")?.clientHeight ?? 0);
  const matter = captions.closest(".matter");
  const photograph = captions.closest(".frame")?.querySelector(".picture")?.getBoundingClientRect().bottom;
  // Upright, the photograph lies over what scrolls. Beside the captions, it reaches further down than they do.
  const over = photograph !== undefined && photograph < bottom ? photograph : 0;
  const stage = captions.closest(".stage");
  const top = Math.max(...[matter, stage].map((part) => part?.getBoundingClientRect().top ?? 0), over);
  const by = Math.ceil(Math.min(end, Math.max(bottom - top - OVERLAP, innerHeight * STEP)));
  // Only one of them scrolls: the captions beside the photograph, or everything below it.
  for (const part of [matter, stage]) part?.scrollBy(0, by);
}
