/**
 * Gives the focus back to the item. A button that a pointer has pressed must not keep it, or Enter would press
 * that button again instead of going on.
 */
export function leave(inside: Element | null | undefined): void {
  inside?.closest<HTMLElement>("[tabindex='-1']")?.focus({ preventScroll: true });
}
