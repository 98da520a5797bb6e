import { afterEach, describe, expect, test } from "vitest";
import { keyAction, type Action, type KeyContext } from "./keys";

const ITEM: KeyContext = { phase: "working", overview: false, first: false };
const FIRST: KeyContext = { ...ITEM, first: true };
const OVERVIEW: KeyContext = { ...ITEM, overview: true };
const DONE: KeyContext = { ...ITEM, phase: "done" };

/** Returns the action of a key that is pressed on the innermost element of some markup. */
function pressed(key: string, context: KeyContext, more: KeyboardEventInit = {}, html = ""): Action | null {
  document.body.innerHTML = html;
  const target = [...document.body.querySelectorAll("*")].at(-1) ?? document.body;
  let action: Action | null = null;
  const listen = (event: KeyboardEvent) => (action = keyAction(event, context));
  window.addEventListener("keydown", listen, { once: true });
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
  return action;
}

afterEach(() => document.body.replaceChildren());

test.each<[string, string, KeyContext, Action | null]>([
  ["an item", "?", ITEM, "help"],
  ["an item", "k", ITEM, "back"],
  ["an item", "K", ITEM, "back"],
  ["an item", "Backspace", ITEM, "back"],
  ["an item", "Enter", ITEM, null],
  ["an item", "y", ITEM, null],
  ["an item", "1", ITEM, null],
  ["the first item", "k", FIRST, null],
  ["the first item", "?", FIRST, "help"],
  ["the overview", "Enter", OVERVIEW, "submit"],
  ["the overview", "Backspace", OVERVIEW, "back"],
  ["the overview", "?", OVERVIEW, "help"],
  ["the overview", "y", OVERVIEW, null],
  ["the receipt", "Enter", DONE, "next"],
  ["the receipt", "k", DONE, null],
  ["sending", "Enter", { ...OVERVIEW, phase: "sending" }, null],
  ["signing in", "?", { ...ITEM, phase: "signin" }, null],
])("at %s, %s", (_where, key, context, action) => {
  expect(pressed(key, context)).toBe(action);
});

describe("leaves alone", () => {
  test.each<KeyboardEventInit>([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])(
    "presses with %o",
    (more) => {
      expect(pressed("Enter", OVERVIEW, more)).toBeNull();
    },
  );

  test.each(["<textarea></textarea>", "<input>", "<dialog open><p>words</p></dialog>"])(
    "keys in %s",
    (html) => {
      expect(pressed("?", ITEM, {}, html)).toBeNull();
    },
  );

  test.each(["<button><b>go</b></button>", '<a href="/">go</a>'])("Enter on %s, and no other key", (html) => {
    expect(pressed("Enter", OVERVIEW, {}, html)).toBeNull();
    expect(pressed("?", OVERVIEW, {}, html)).toBe("help");
  });
});
