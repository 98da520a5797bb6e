import { describe, expect, test } from "vitest";
import { STAGES } from "../api/types";
import { pathOf, routeOf, type Route } from "./route";

const EVERY: Route[] = [
  { page: "home" },
  { page: "me" },
  { page: "join" },
  ...STAGES.map((stage): Route => ({ page: "stage", stage })),
  ...STAGES.map((stage): Route => ({ page: "preview", stage })),
  ...STAGES.map((stage): Route => ({ page: "crowd", stage, token: "0a1b-2c" })),
  { page: "crowd", stage: "any", token: "3-0a1b" },
];

describe("routes", () => {
  test.each(EVERY)("%o has an address of its own", (route) => {
    expect(routeOf(pathOf(route))).toEqual(route);
    expect(routeOf(pathOf(route).replace(/\/$/, ""))).toEqual(route);
  });

  test("the last part of a batch's address may be the participant", () => {
    expect(routeOf("/work/crowd/any/3-0a1b/p7/")).toEqual({ page: "crowd", stage: "any", token: "3-0a1b" });
  });

  test("no two share an address", () => {
    expect(new Set(EVERY.map(pathOf)).size).toBe(EVERY.length);
  });

  test.each([
    "/",
    "/worker/",
    "/work/Link/",
    "/work/linkx/",
    "/work/link/2/",
    "/work/link//",
    "/work//",
    "/work/preview/",
    "/work/preview/me/",
    "/work/crowd/",
    "/work/crowd/link/",
    "/work/crowd/me/0a1b/",
    "/work/crowd/link/0a1b/more/",
    "/work/crowd/link/0%2F/",
    "/work/preview/join/",
    "/work/join/code/",
    "/work/preview/link/1/",
    "/work/constructor/",
  ])("%s is unknown", (path) => {
    expect(routeOf(path)).toEqual({ page: "unknown" });
  });

  test("what is unknown leads home", () => {
    expect(pathOf({ page: "unknown" })).toBe("/work/");
  });
});
