import { afterEach, beforeEach, expect, test } from "vitest";
import { keepTexts } from "./translated";

let end: () => void;
let line: HTMLParagraphElement;
let text: Text;

beforeEach(() => {
  line = document.body.appendChild(document.createElement("p"));
  text = line.appendChild(document.createTextNode("0 of 4"));
  line.append(document.createElement("b"));
  end = keepTexts(document.body);
});

afterEach(() => {
  end();
  document.body.replaceChildren();
});

const soon = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Does what Chromium does: two elements take the place of a text. */
function translate(by: "at once" | "in two steps", words = "0 de 4"): void {
  const font = document.createElement("font");
  font.append(Object.assign(document.createElement("font"), { textContent: words }));
  if (by === "at once") text.replaceWith(font);
  else {
    text.before(font);
    text.remove();
  }
}

test.each(["at once", "in two steps"] as const)(
  "a text that was translated %s is replaced when it changes, each time",
  async (by) => {
    for (const count of [1, 2]) {
      translate(by);
      await soon();
      expect(line.textContent).toBe("0 de 4");
      text.data = `${count} of 4`;
      await soon();
      expect([line.textContent, line.childNodes.length]).toEqual([`${count} of 4`, 2]);
    }
  },
);

test("a text that was taken away for another reason does not come back", async () => {
  text.remove();
  await soon();
  text.data = "1 of 4";
  await soon();
  expect(line.textContent).toBe("");
});

test("a translation that is gone with its line stays gone", async () => {
  translate("at once");
  await soon();
  line.remove();
  text.data = "1 of 4";
  await soon();
  expect(document.body.textContent).toBe("");
});
