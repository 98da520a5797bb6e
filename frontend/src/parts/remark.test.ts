import { fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, test, vi } from "vitest";
import Remark from "./Remark.svelte";

const flag = (): HTMLElement => screen.getByRole("button", { name: /Words cut wrongly/ });
const field = (): HTMLElement => screen.getByLabelText("Comment on this item");

test("x and the button set the flag, and take it back", async () => {
  const onchange = vi.fn();
  const { rerender } = render(Remark, { props: { comment: "", chunkFlag: false, marked: true, onchange } });
  await fireEvent.keyDown(document.body, { key: "x" });
  expect(onchange).toHaveBeenLastCalledWith({ chunkFlag: true });
  await rerender({ chunkFlag: true });
  expect(flag().getAttribute("aria-pressed")).toBe("true");
  await fireEvent.click(flag());
  expect(onchange).toHaveBeenLastCalledWith({ chunkFlag: false });
});

test("c opens the comment and puts the cursor there, without typing a c", async () => {
  render(Remark, { props: { comment: "", chunkFlag: false, marked: true, onchange: vi.fn() } });
  expect(screen.queryByLabelText("Comment on this item")).toBeNull();
  const event = new KeyboardEvent("keydown", { key: "c", bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  await tick();
  await tick();
  expect(event.defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(field());
});

test("what is typed is the comment; Escape leaves the field and keeps it", async () => {
  const onchange = vi.fn();
  const { rerender } = render(Remark, {
    props: { comment: "cut", chunkFlag: false, marked: true, onchange },
  });
  expect((field() as HTMLTextAreaElement).value).toBe("cut");
  await fireEvent.input(field(), { target: { value: "<b>cut</b> wrongly" } });
  expect(onchange).toHaveBeenLastCalledWith({ comment: "<b>cut</b> wrongly" });
  await rerender({ comment: "<b>cut</b> wrongly" });
  await fireEvent.keyDown(field(), { key: "Escape" });
  await tick();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /^Comment/ }));
  expect((field() as HTMLTextAreaElement).value).toBe("<b>cut</b> wrongly");
});

test("an empty field closes when it is left: the next item starts without it", async () => {
  render(Remark, { props: { comment: "", chunkFlag: false, marked: true, onchange: vi.fn() } });
  await fireEvent.click(screen.getByRole("button", { name: /^Comment/ }));
  await tick();
  await fireEvent.blur(field());
  expect(screen.queryByLabelText("Comment on this item")).toBeNull();
});

test("another item's comment is another", async () => {
  const { rerender } = render(Remark, {
    props: { comment: "one", chunkFlag: false, marked: true, onchange: vi.fn() },
  });
  await rerender({ comment: "" });
  expect(screen.queryByLabelText("Comment on this item")).toBeNull();
});
