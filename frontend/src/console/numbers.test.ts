import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import { speak } from "../texts/index.svelte";
import BoxesEditor from "./BoxesEditor.svelte";
import { layOut, photograph } from "../picture/testing/layout";

test("the other boxes on the photograph have the numbers of their buttons", async () => {
  layOut({ width: 800, height: 600 });
  photograph(() => ({ width: 400, height: 300, there: true }));
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new DOMException("no pixels")));
  await speak("en");
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = "10 10 50 50\n100 100 150 150\n200 200 250 250";
  render(BoxesEditor, {
    image: { id: "1", url: "photo.jpg", width: 400, height: 300 },
    minimumSide: 3,
    fixed: [[300, 200, 350, 250]],
    most: 20,
    field,
    label: "the photograph",
  });
  const tags = (): (string | null)[] =>
    [...document.querySelectorAll("svg text")].map((tag) => tag.textContent);
  await vi.waitFor(() => {
    expect(tags()).toEqual(["2", "3"]);
  });
  await fireEvent.click(screen.getByRole("button", { name: /Box 2/ }));
  await vi.waitFor(() => {
    expect(tags()).toEqual(["1", "3"]);
  });
});
