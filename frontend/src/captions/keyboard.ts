/**
 * Keeps the page above the keyboard of a phone. Where `interactive-widget` of index.html is known, the browser
 * does so itself. Safari lays its keyboard over the page instead, and says only how much it still shows.
 */

/** In CSS pixels. Bars of a browser are lower, and a keyboard is not. */
const BARS = 120;

/** Gives the page the height that is shown, `viewport.height` by its zoom, while a keyboard covers the rest. */
export function stayAbove(viewport: VisualViewport | null, root: HTMLElement): () => void {
  const ends = new AbortController();
  const fit = (): void => {
    const shown = (viewport?.height ?? 0) * (viewport?.scale ?? 1);
    const covered = innerHeight - shown;
    if (covered < BARS) root.style.removeProperty("--screen");
    else {
      root.style.setProperty("--screen", `${Math.round(shown)}px`);
      // Safari has moved the page up to show the field, which is in sight now without that.
      scrollTo(0, 0);
    }
  };
  viewport?.addEventListener("resize", fit, { signal: ends.signal });
  return () => {
    ends.abort();
    root.style.removeProperty("--screen");
  };
}
