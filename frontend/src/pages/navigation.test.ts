import { afterEach, expect, test } from "vitest";
import { follow, route, takeLink, visit } from "./navigation.svelte";

afterEach(() => document.body.replaceChildren());

/** Clicks on the innermost element. Returns whether the pages took the click from the browser. */
function click(html: string, more: MouseEventInit = {}): boolean {
  document.body.innerHTML = html;
  const target = [...document.body.querySelectorAll("*")].at(-1);
  document.body.addEventListener("click", takeLink, { once: true });
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...more });
  // jsdom cannot leave the page, so clicks that the pages did not take are stopped here.
  let taken = false;
  window.addEventListener(
    "click",
    () => {
      taken = event.defaultPrevented;
      event.preventDefault();
    },
    { once: true },
  );
  target?.dispatchEvent(event);
  return taken;
}

test("a link to a page goes there", () => {
  expect(click('<a href="/work/me/"><b>me</b></a>')).toBe(true);
  expect(route()).toEqual({ page: "me" });
  expect(location.pathname).toBe("/work/me/");
});

test.each([
  ['<a href="/work/me/">me</a>', { ctrlKey: true }],
  ['<a href="/work/me/">me</a>', { button: 1 }],
  ['<a href="/work/me/" target="_blank">me</a>', {}],
  ['<a href="https://example.org/work/me/">elsewhere</a>', {}],
  ['<a href="/admin/">admin</a>', {}],
  ['<a href="mailto:ada@example.org">mail</a>', {}],
  ["<p>words</p>", {}],
])("%s with %o is the browser's", (html, more) => {
  visit({ page: "home" });
  expect(click(html, more)).toBe(false);
  expect(route()).toEqual({ page: "home" });
});

test("going back shows the page of the address", () => {
  visit({ page: "stage", stage: "link" });
  history.replaceState(null, "", "/work/preview/drawing/");
  follow();
  expect(route()).toEqual({ page: "preview", stage: "drawing" });
});
