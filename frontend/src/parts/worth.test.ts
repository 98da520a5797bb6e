import { describe, expect, test } from "vitest";
import { duration, hourly, worth } from "./worth";

const USD = (amount: number) => ({ amount, currency: "USD" });
const anHour = (amount: string) => `${amount}/h`;

describe("what work is worth", () => {
  test.each([
    [0.2, "1 sec"],
    [40, "40 sec"],
    [75, "1.3 min"],
    [720, "12 min"],
  ])("%d seconds are %s", (seconds, said) => {
    expect(duration(seconds, "en")).toBe(said);
  });

  test("an hour pays as many pages as fit into it", () => {
    expect(hourly(USD(5), 75)).toEqual(USD(240));
    expect(hourly(USD(5), 0)).toBeNull();
    expect(hourly(null, 75)).toBeNull();
    expect(hourly(USD(5), undefined)).toBeNull();
  });

  test("what is not known is left out", () => {
    expect(worth(USD(5), 75, "en", anHour)).toBe("$0.05 · 1.3 min · $2.40/h");
    expect(worth(null, 75, "en", anHour)).toBe("1.3 min");
    expect(worth(USD(5), null, "en", anHour)).toBe("$0.05");
    expect(worth(null, undefined, "en", anHour)).toBe("");
  });
});
