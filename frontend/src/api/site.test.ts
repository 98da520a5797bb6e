import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  document.head.innerHTML = '<base href="/" />';
  vi.resetModules();
});

/** Loads the modules anew, as in a document of a site below this path. */
async function below(path: string) {
  document.head.innerHTML = `<base href="${path}" />`;
  vi.resetModules();
  return { ...(await import("../pages/route")), ...(await import("./site")) };
}

test("below a prefix, addresses begin with it, and others are nobody's", async () => {
  const { pathOf, routeOf } = await below("/lab/groundcrew/");
  expect(pathOf({ page: "preview", stage: "link" })).toBe("/lab/groundcrew/work/preview/link/");
  expect(pathOf({ page: "home" })).toBe("/lab/groundcrew/work/");
  expect(routeOf("/lab/groundcrew/work/link/")).toEqual({ page: "stage", stage: "link" });
  expect(routeOf("/lab/groundcrew/work/crowd/link/0a1b/")).toEqual({
    page: "crowd",
    stage: "link",
    token: "0a1b",
  });
  for (const path of [
    "/work/link/",
    "/lab/work/link/",
    "/x/lab/groundcrew/work/link/",
    "/lab/groundcrew/admin/",
  ])
    expect(routeOf(path)).toEqual({ page: "unknown" });
});

test("what is kept in the browser has the name of the site, and without a prefix the old one", async () => {
  expect((await below("/lab/groundcrew/")).NAME).toBe("lab/groundcrew/groundcrew");
  expect((await below("/")).NAME).toBe("groundcrew");
});

test("the API is called below the prefix", async () => {
  document.head.innerHTML = '<base href="/groundcrew/" />';
  const { createApi } = await import("./client");
  const seen: string[] = [];
  const fetch = (request: Request) => {
    seen.push(new URL(request.url).pathname);
    return Promise.resolve(Response.json({}));
  };
  await createApi({ current: () => "ada:1:s", rejected: () => null }, { fetch }).me();
  expect(seen).toEqual(["/groundcrew/api/v1/me"]);
});
