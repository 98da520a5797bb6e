/** What has come on the screen takes the focus, so that it is read aloud and Tab goes on from there. */
export function shown(element: HTMLElement): void {
  element.focus({ preventScroll: true });
}
