// In JavaScript: the pages' own types know no Node.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TRACES = /@testing-library\/svelte|\bmount\(|\bvi\.(mock|doMock|stubGlobal|resetModules)\(/;

/** Test files that put components on the page, or replace modules or globals, leave something behind: each has a
 * page of its own. The others share one, which is several times as quick. */
export const alone = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("src", name))
  .filter((name) => TRACES.test(readFileSync(name, "utf8")));
