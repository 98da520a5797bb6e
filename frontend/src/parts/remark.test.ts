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

const CAPTIONS = [
  { index: 0, language: "en", segments: [{ text: "A man rides.", mention: false }] },
  { index: 3, language: "en", segments: [{ text: "A dog sleeps.", mention: true }] },
  { index: 3, language: "en", segments: [{ text: "A dog sleeps.", mention: false }] },
];
const another = (): HTMLElement => screen.getByRole("button", { name: /Caption of another photograph/ });

test("o and the button say that the only caption is about another photograph, and take it back", async () => {
  const onchange = vi.fn();
  const captions = CAPTIONS.slice(1);
  const { rerender } = render(Remark, {
    props: { comment: "", chunkFlag: false, captions, marked: true, onchange },
  });
  await fireEvent.keyDown(document.body, { key: "o" });
  expect(onchange).toHaveBeenLastCalledWith({ unrelated: [3] });
  await rerender({ unrelated: [3] });
  expect(another().getAttribute("aria-pressed")).toBe("true");
  await fireEvent.click(another());
  expect(onchange).toHaveBeenLastCalledWith({ unrelated: undefined });
});

test("of several captions, o asks which; the keyboard chooses, and Escape goes back", async () => {
  const onchange = vi.fn();
  const { rerender } = render(Remark, {
    props: { comment: "", chunkFlag: false, captions: CAPTIONS, marked: true, onchange },
  });
  expect(screen.queryByRole("checkbox")).toBeNull();
  await fireEvent.keyDown(document.body, { key: "o" });
  await tick();
  await tick();
  const [first, second, ...more] = await screen.findAllByRole("checkbox");
  expect(more).toEqual([]);
  expect(document.activeElement).toBe(first);
  expect(onchange).not.toHaveBeenCalled();
  if (!second) throw new Error("there are two captions");
  await fireEvent.click(second);
  expect(onchange).toHaveBeenLastCalledWith({ unrelated: [3] });
  await rerender({ unrelated: [3] });
  await fireEvent.click(screen.getByLabelText("A man rides."));
  expect(onchange).toHaveBeenLastCalledWith({ unrelated: [0, 3] });
  await fireEvent.keyDown(second, { key: "Escape" });
  expect(document.activeElement).toBe(another());
});

test("another item does not ask which of its captions it is", async () => {
  const props = { comment: "", chunkFlag: false, captions: CAPTIONS, marked: true, onchange: vi.fn() };
  const { rerender } = render(Remark, { props });
  await fireEvent.click(another());
  expect(await screen.findAllByRole("checkbox")).toHaveLength(2);
  await rerender({ captions: CAPTIONS.map((one) => ({ ...one, index: one.index + 1 })) });
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("where no caption is given, there is no such button and o does nothing", async () => {
  const onchange = vi.fn();
  render(Remark, { props: { comment: "", chunkFlag: false, marked: false, onchange } });
  await fireEvent.keyDown(document.body, { key: "o" });
  expect(onchange).not.toHaveBeenCalled();
  expect(screen.queryByRole("button", { name: /another photograph/ })).toBeNull();
});
