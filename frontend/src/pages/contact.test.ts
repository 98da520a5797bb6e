import { expect, test } from "vitest";
import { contactLink } from "./contact";

test.each([
  ["ada@example.org", "mailto:ada@example.org"],
  ["  ada.b+c@mail.example.org ", "mailto:ada.b+c@mail.example.org"],
  ["https://example.org/contact", "https://example.org/contact"],
  ["https://example.org", "https://example.org/"],
  ["", null],
  ["ask in room 12", null],
  ["http://example.org/", null],
  ["javascript:alert(1)", null],
  ["javascript:alert(1)//@example.org", null],
  ["data:text/html,a@b.org", null],
  ["mailto:ada@example.org", null],
  ["ada@example.org?bcc=eve@example.org", null],
  ["ada@example.org,eve@example.org", null],
  ["https://ada:secret@example.org/", null],
  ["ada@example", null],
])("%s leads to %s", (contact, link) => {
  expect(contactLink(contact)).toBe(link);
});
