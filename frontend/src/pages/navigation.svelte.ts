/** Going from page to page without loading the document again. */

import { pathOf, routeOf, type Route } from "./route";

let current = $state.raw<Route>(routeOf(location.pathname));

/** The page that is shown. */
export function route(): Route {
  return current;
}

export function visit(wanted: Route): void {
  history.pushState(null, "", pathOf(wanted));
  current = wanted;
  scrollTo(0, 0);
}

/** Handles the browser's back and forward. */
export function follow(): void {
  current = routeOf(location.pathname);
}

/** A click on a link to one of these pages goes there. Links that open elsewhere are left to the browser. */
export function takeLink(event: MouseEvent): void {
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!plain || event.defaultPrevented || !(link instanceof HTMLAnchorElement)) return;
  if (link.target !== "" || link.origin !== location.origin || link.hash !== "") return;
  const wanted = routeOf(link.pathname);
  if (wanted.page === "unknown") return;
  event.preventDefault();
  visit(wanted);
}
