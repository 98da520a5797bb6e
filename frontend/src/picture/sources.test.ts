import { expect, test } from "vitest";
import type { ImageInfo } from "../api/types";
import { largestCopy, quickest, sharpest, sourcesOf } from "./sources";

const PHOTO: ImageInfo = {
  id: "1",
  url: "whole",
  width: 4000,
  height: 3000,
  renditions: [640, 1280, 2560].map((width) => ({ width, url: String(width) })),
};
const SOURCES = sourcesOf(PHOTO);

test("the copies come first, the smallest of them before all, and then the photograph", () => {
  expect(SOURCES.map(({ url }) => url)).toEqual(["640", "1280", "2560", "whole"]);
  expect(sourcesOf({ ...PHOTO, url: null })).toEqual([]);
  // Drafts that a browser kept from before name no copies.
  expect(sourcesOf({ id: "1", url: "whole", width: null, height: null }).map(({ url }) => url)).toEqual([
    "whole",
  ]);
});

test.each<[string, number, number, boolean, string, string]>([
  // across, ratio, fitted -> what is shown first, what is shown then
  ["a phone", 366, 3, true, "640", "1280"],
  ["an old laptop", 750, 1, true, "640", "640"],
  ["a large screen", 1250, 1, true, "640", "1280"],
  ["a large screen with fine pixels", 1330, 2, true, "1280", "2560"],
  ["the largest screen, all of it", 2100, 2, true, "1280", "2560"],
  ["a wall, all of it", 6000, 1, true, "whole", "whole"],
  ["looked at closely", 4000, 1, false, "2560", "whole"],
  ["looked at a little closer", 2000, 1, false, "1280", "2560"],
  ["a thumbnail", 56, 2, true, "640", "640"],
])("%s shows a copy that is sharp enough", (_name, across, ratio, fitted, first, then) => {
  expect(quickest(SOURCES, { across, ratio, fitted })?.url).toBe(first);
  expect(sharpest(SOURCES, { across, ratio, fitted })?.url).toBe(then);
});

test("a photograph with few copies is not left blurred", () => {
  const sources = sourcesOf({ ...PHOTO, renditions: [{ width: 640, url: "640" }] });
  expect(sharpest(sources, { across: 1400, ratio: 1, fitted: true })?.url).toBe("whole");
  expect(sharpest(sources, { across: 1000, ratio: 1, fitted: true })?.url).toBe("640");
});

test("one that has no copies is shown itself", () => {
  const sources = sourcesOf({ ...PHOTO, renditions: [] });
  const shown = { across: 300, ratio: 1, fitted: true };
  expect([quickest(sources, shown), sharpest(sources, shown), largestCopy(sources)]).toEqual(
    Array.from({ length: 3 }, () => sources[0]),
  );
});

test("the magnifier looks at the largest copy", () => {
  expect(largestCopy(SOURCES)?.url).toBe("2560");
});
