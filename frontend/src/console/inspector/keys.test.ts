import { expect, test } from "vitest";
import { actOf } from "./keys";

function press(
  key: string,
  target: EventTarget = document.body,
  more: KeyboardEventInit = {},
): string | null {
  let act: string | null = null;
  const look = (event: Event): void => {
    act = actOf(event as KeyboardEvent);
  };
  document.addEventListener("keydown", look);
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
  document.removeEventListener("keydown", look);
  return act;
}

function slider(): HTMLInputElement {
  const input = document.createElement("input");
  input.type = "range";
  return document.body.appendChild(input);
}

test.each([
  ["j", "next image"],
  ["ArrowLeft", "previous image"],
  ["n", "next chain"],
  ["Escape", "nothing chosen"],
  ["x", null],
])("%s means %j", (key, act) => {
  expect(press(key)).toBe(act);
});

test("arrows on a slider move it", () => {
  expect(press("ArrowRight", slider())).toBeNull();
  expect(press("j", slider())).toBe("next image");
});

test("with Ctrl a key is the browser's", () => {
  expect(press("n", document.body, { ctrlKey: true })).toBeNull();
});
