/** For tests: jsdom has no layout, loads no images and decodes none. This makes them up. */

import { vi } from "vitest";

/** Gives every element this size. Without one, nothing is ever measured. */
export function layOut(size?: { width: number; height: number }): void {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly measured: () => void) {}
      observe(): void {
        // It calls back later, as browsers do, so that what it reads is not tracked as a dependency.
        if (size) setTimeout(this.measured);
      }
      disconnect(): void {
        // Sizes are not measured again.
      }
    },
  );
  if (size)
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(
      new DOMRect(0, 0, size.width, size.height),
    );
}

/** The photograph as the browser has it. If `there` is false, it cannot be loaded. */
export function photograph(stored: () => { width: number; height: number; there: boolean }): void {
  vi.spyOn(HTMLImageElement.prototype, "naturalWidth", "get").mockImplementation(() => stored().width);
  vi.spyOn(HTMLImageElement.prototype, "naturalHeight", "get").mockImplementation(() => stored().height);
  vi.spyOn(HTMLImageElement.prototype, "complete", "get").mockImplementation(() => stored().there);
  HTMLImageElement.prototype.decode = () =>
    stored().there ? Promise.resolve() : Promise.reject(new DOMException("gone"));
}
