import { expect, test } from "vitest";
import { isOurs } from "./ours";

const HERE = "https://crowd.example.org";

function thrownIn(file: string): Error {
  const error = new TypeError("x is undefined");
  error.stack = `TypeError: x is undefined\n    at run (${file}:1:20)`;
  return error;
}

test.each<[string, unknown, boolean]>([
  ["an error of ours", thrownIn(`${HERE}/static/pages/index.js`), true],
  ["an error of an extension", thrownIn("chrome-extension://abcdef/content.js"), false],
  ["an error of a site whose name begins like ours", thrownIn(`${HERE}.evil.test/x.js`), false],
  ["an error without a stack", Object.assign(new Error("odd"), { stack: undefined }), false],
  ["a link scanner's words", "Object Not Found Matching Id:1, MethodName:update, ParamCount:4", false],
  ["nothing", undefined, false],
])("%s is ours: %#", (_, reason, ours) => {
  expect(isOurs(reason, HERE)).toBe(ours);
});
