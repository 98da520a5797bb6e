import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";
import { speak } from "../texts/index.svelte";
import BoxesEditor from "./BoxesEditor.svelte";
import Layers from "./Layers.svelte";
import { readSetup } from "./setup";
import { layOut } from "../picture/testing/layout";

/** jsdom has no layout, so these tests use keys and numbers instead of a pointer. */
beforeEach(async () => {
  layOut();
  document.body.replaceChildren();
  await speak("en");
});

function show(value: string, most = 20): HTMLTextAreaElement {
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = value;
  render(BoxesEditor, {
    image: { id: "1", url: "photo.jpg", width: 400, height: 300 },
    minimumSide: 3,
    fixed: [],
    most,
    field,
    label: "the photograph",
  });
  return field;
}

const press = (key: string): Promise<boolean> => fireEvent.keyDown(document.body, { key });
const button = (name: RegExp): HTMLElement => screen.getByRole("button", { name });

test("the chosen box moves, and the others stay", async () => {
  const field = show("10 10 50 50\n100 100 150 150");
  await fireEvent.click(button(/Box 2/));
  await press("ArrowRight");
  expect(field.value).toBe("10 10 50 50\n101 100 151 150");
});

test("a box that was removed comes back by undoing", async () => {
  const field = show("10 10 50 50\n100 100 150 150");
  await press("Delete");
  expect(field.value).toBe("100 100 150 150");
  await press("z");
  expect(field.value).toBe("10 10 50 50\n100 100 150 150");
});

test("another box is added beside those that are there", async () => {
  const field = show("10 10 50 50");
  await fireEvent.click(button(/Another box/));
  await press("n");
  expect(field.value.split("\n")).toHaveLength(2);
  expect(field.value.split("\n")[0]).toBe("10 10 50 50");
});

test("undoing never puts one box in the place of another", async () => {
  const field = show("10 10 50 50\n100 100 150 150");
  await press("ArrowRight");
  await fireEvent.click(button(/Box 2/));
  await press("z");
  expect(field.value).toBe("11 10 51 50\n100 100 150 150");
});

test("where there may be one box, no other is offered", () => {
  show("10 10 50 50", 1);
  expect(screen.queryByRole("button", { name: /Another/ })).toBeNull();
});

test("numbers typed into the field are drawn", async () => {
  const field = show("10 10 50 50");
  field.value = "1 2 30 40\n5 6 70 80\n7 8 90 100";
  await fireEvent.change(field);
  expect(screen.getAllByRole("button", { name: /^Box/ })).toHaveLength(3);
});

test("numbers that say no box are kept and said", async () => {
  const field = show("10 10 50 50");
  field.value = "1 2 3";
  await fireEvent.change(field);
  expect(screen.getByText(/cannot be read/)).toBeTruthy();
  expect(field.value).toBe("1 2 3");
});

test("boxes of another kind lie fixed beside those that are drawn", async () => {
  const [right, shown] = ["10 10 50 50", "100 100 150 150"].map((value) => {
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = value;
    return field;
  });
  if (!right || !shown) throw new Error("no fields");
  render(Layers, {
    image: { id: "1", url: "photo.jpg", width: 400, height: 300 },
    minimumSide: 3,
    label: "the photograph",
    layers: [
      { name: "Right to draw", most: 5, field: right },
      { name: "Shown", most: 5, field: shown },
    ],
  });
  await press("ArrowRight");
  await fireEvent.click(button(/^Shown$/));
  await press("ArrowDown");
  expect([right.value, shown.value]).toEqual(["11 10 51 50", "100 101 150 151"]);
});

test.each(["", "{}", '{"image": {"url": null}}', '{"image": {"url": "a"}, "layers": []}', "no json"])(
  "%j sets up no editor",
  (json) => {
    expect(readSetup(json)).toBeNull();
  },
);
