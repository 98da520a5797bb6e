import { afterEach, describe, expect, test, vi } from "vitest";
import { isPressable, keyOf, ownKey, singleKeys, useSingleKeys } from "./shortcuts.svelte";

afterEach(() => {
  useSingleKeys(true);
  localStorage.clear();
  document.body.replaceChildren();
});

/** Presses a key on an element. Returns what the page makes of it. */
function heard(target: Element, init: KeyboardEventInit): string | null {
  let key: string | null = "never";
  const listen = (event: KeyboardEvent): void => {
    key = ownKey(event);
  };
  window.addEventListener("keydown", listen, { once: true });
  target.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
  return key;
}

function put(tag: string, attributes: Record<string, string> = {}): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.body.append(element);
  return element;
}

describe("a key is the page's own", () => {
  test.each(["body", "button", "a", "div", "summary"])("on %s", (tag) => {
    expect(heard(tag === "body" ? document.body : put(tag), { key: "y" })).toBe("y");
  });
  test("on a checkbox, which takes no text", () => {
    expect(heard(put("input", { type: "checkbox" }), { key: "y" })).toBe("y");
  });
  test("with Shift, for Caps Lock and ?", () => {
    expect(heard(document.body, { key: "?", shiftKey: true })).toBe("?");
  });
});

describe("a key is not the page's own", () => {
  test.each<[string, KeyboardEventInit]>([
    ["Ctrl", { ctrlKey: true }],
    ["Meta", { metaKey: true }],
    ["Alt", { altKey: true }],
    ["held down", { repeat: true }],
    ["in an input method", { isComposing: true }],
    ["that ends a word of an input method in Safari", { keyCode: 229 }],
  ])("%s", (_why, init) => {
    expect(heard(document.body, { key: "y", ...init })).toBeNull();
  });
  test.each<[string, Record<string, string>]>([
    ["textarea", {}],
    ["select", {}],
    ["input", {}],
    ["input", { type: "email" }],
    ["div", { contenteditable: "true" }],
  ])("typed into %s %o", (tag, attributes) => {
    expect(heard(put(tag, attributes), { key: "y" })).toBeNull();
  });
  test("while a dialog is open", () => {
    put("dialog", { open: "" });
    expect(heard(document.body, { key: "y" })).toBeNull();
  });
  test("when something nearer has used it", () => {
    const button = put("button");
    button.addEventListener("keydown", (event) => event.preventDefault());
    expect(heard(button, { key: "y" })).toBeNull();
  });
  test("when single keys are off", () => {
    useSingleKeys(false);
    expect(singleKeys()).toBe(false);
    expect(["y", "0", "?", " "].map((key) => heard(document.body, { key }))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("a key is named by its place where the layout has another character", () => {
  test.each<[string, string, string, boolean, string]>([
    ["Russian", "в", "KeyD", false, "d"],
    ["Russian with Shift", "В", "KeyD", true, "d"],
    ["Greek", "ν", "KeyN", false, "n"],
    ["Arabic, two letters on a key", "لا", "KeyB", false, "b"],
    ["French digits", "&", "Digit1", false, "1"],
    ["French digits", "à", "Digit0", false, "0"],
    ["Czech digits", "š", "Digit3", false, "3"],
  ])("%s: %s is not", (_layout, key, code, shiftKey, named) => {
    expect(keyOf({ key, code, shiftKey })).toBe(named);
    expect(heard(document.body, { key, code, shiftKey })).toBe(named);
  });
  test.each<[string, string, string, boolean]>([
    ["French letters", "a", "KeyQ", false],
    ["French digits with Shift", "1", "Digit1", true],
    ["the minus that zooms on a French keyboard", "-", "Digit6", false],
    ["the plus that zooms on a Czech keyboard", "+", "Digit1", false],
    ["a mark on an American keyboard", "!", "Digit1", true],
    ["Dvorak", "e", "KeyD", false],
    ["German", "ö", "Semicolon", false],
    ["a named key", "Enter", "Enter", false],
    ["a dead key", "Dead", "Digit2", false],
    ["Bépo, whose é is on the place of w", "é", "KeyW", false],
  ])("%s: %s stays", (_layout, key, code, shiftKey) => {
    expect(keyOf({ key, code, shiftKey })).toBe(key);
  });
  test("what has no key, such as the keydown of a browser that fills in a form, is no error", () => {
    expect(() => ownKey(new Event("keydown") as KeyboardEvent)).not.toThrow();
  });
  test("single keys can be turned off there, too", () => {
    useSingleKeys(false);
    expect(heard(document.body, { key: "в", code: "KeyD" })).toBeNull();
  });
});

test.each(["Enter", "Backspace", "Delete", "ArrowLeft"])("%s answers where single keys are off", (key) => {
  useSingleKeys(false);
  expect(heard(document.body, { key })).toBe(key);
});

test("the switch is remembered by the next page", async () => {
  useSingleKeys(false);
  vi.resetModules();
  const next = await import("./shortcuts.svelte");
  expect(next.singleKeys()).toBe(false);
});

test("a frame without storage still has a switch", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  useSingleKeys(false);
  expect(singleKeys()).toBe(false);
});

test.each<[string, Record<string, string>, boolean]>([
  ["button", {}, true],
  ["a", { href: "#" }, true],
  ["summary", {}, true],
  ["a", {}, false],
  ["div", {}, false],
])("Enter on %s %o has a meaning of its own: %s", (tag, attributes, own) => {
  expect(isPressable(put(tag, attributes))).toBe(own);
});
