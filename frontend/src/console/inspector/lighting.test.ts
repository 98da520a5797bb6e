import { beforeEach, expect, test } from "vitest";
import { letterOf, light, Lighting, listen, step } from "./lighting.svelte";

const LETTERS = ["A", "B", "C"];
const told = document.createElement("div");

beforeEach(() => {
  told.innerHTML = `<p><a class="mention" href="#chain-A" data-chain="A">a man</a> and
    <a class="mention" href="#chain-B" data-chain="B">a dog</a></p>
    <ol><li data-chain="A"><a class="mention" href="#chain-A" data-chain="A">a man</a><small>people</small></li></ol>`;
  document.body.replaceChildren(told);
});

const classes = (): string[] =>
  [...told.querySelectorAll("[data-chain]")].map((node) => node.className.replace("mention", "").trim());
const send = (name: string, target: Element | null): boolean =>
  target?.dispatchEvent(new Event(name, { bubbles: true, cancelable: true })) ?? false;

test.each([
  ["#chain-B", "B"],
  ["#chain-D", null],
  ["#B", null],
  ["", null],
])("the fragment %j chooses %j", (fragment, letter) => {
  expect(letterOf(fragment, LETTERS)).toBe(letter);
  expect(new Lighting(LETTERS, fragment).lit).toEqual(letter === null ? [] : [letter]);
});

test.each<[string | null, 1 | -1, string | null]>([
  [null, 1, "A"],
  [null, -1, "C"],
  ["A", 1, "B"],
  ["C", 1, "A"],
  ["A", -1, "C"],
])("from %j the way %j leads to %j", (from, way, to) => {
  expect(step(LETTERS, from, way)).toBe(to);
});

test("without chains there is none to go to", () => {
  expect(step([], null, 1)).toBeNull();
});

test("what is pointed at outshines what was chosen, and gives way to it again", () => {
  const lighting = new Lighting(LETTERS, "#chain-A");
  lighting.hover(["B", "C"]);
  expect(lighting.lit).toEqual(["B", "C"]);
  lighting.hover([]);
  expect(lighting.lit).toEqual(["A"]);
  lighting.toggle("A");
  expect(lighting.lit).toEqual([]);
});

test("a lit chain's mentions and its line are marked, those of others faded", () => {
  light(told, ["A"]);
  expect(classes()).toEqual(["lit", "faded", "lit", "lit"]);
  light(told, []);
  expect(classes()).toEqual(["", "", "", ""]);
});

test("pointer and focus light up, a click chooses without a jump", () => {
  const lighting = new Lighting(LETTERS, "");
  const stop = listen(told, lighting);
  const [first, second] = told.querySelectorAll("a");
  send("pointerover", second ?? null);
  expect(lighting.lit).toEqual(["B"]);
  send("pointerover", told.querySelector("p"));
  expect(lighting.lit).toEqual([]);
  send("focusin", first ?? null);
  expect(lighting.lit).toEqual(["A"]);
  expect(send("click", first ?? null)).toBe(false);
  expect(lighting.chosen).toBe("A");
  expect(send("click", told.querySelector("small"))).toBe(true);
  expect(lighting.chosen).toBe("A");
  stop();
  send("click", second ?? null);
  expect(lighting.chosen).toBe("A");
});
