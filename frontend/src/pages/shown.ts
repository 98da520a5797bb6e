/** Gives the focus to what has appeared on the screen, so that it is read aloud and Tab goes on from there. */
export function shown(element: HTMLElement): void {
  element.focus({ preventScroll: true });
}
