/** Gives the focus to what has appeared on the screen, so that it is read aloud and Tab goes on from there. */
export function takeFocus(element: HTMLElement): void {
  element.focus({ preventScroll: true });
}

/**
 * Gives the focus back to the item. A button that a pointer has pressed must not keep it, or Enter would press
 * that button again instead of going on.
 */
export function giveBackFocus(inside: Element | null | undefined): void {
  inside?.closest<HTMLElement>("[tabindex='-1']")?.focus({ preventScroll: true });
}
