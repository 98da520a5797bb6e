/** The small pure parts: backing off, time on an item, messages of tabs, earnings. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wait } from "./backoff";
import { Earnings, plus } from "./earnings";
import { messageIn } from "./tabs";
import { memoryVault } from "./testing/world";
import { active, away, IDLE, read, shown, started } from "./watch";

describe("backing off", () => {
  it.each([
    [1, 0, null, 0.5],
    [1, 0.999, null, 1],
    [4, 0, null, 4],
    [50, 0, null, 30],
    [1, 0, 20, 20],
    [50, 0, 2, 30],
  ])("after %d failures waits", (failures, random, asked, seconds) => {
    expect(wait(failures, random, asked)).toBeCloseTo(seconds, 2);
  });
});

describe("time on an item", () => {
  it("ends a while after the worker's last sign", () => {
    expect(read(started(0, true), IDLE + 30_000).seconds).toBe(60);
  });

  it("does not count what nobody sees", () => {
    const hidden = shown(read(started(0, true), 5000).watch, false);
    expect(read(hidden, 20_000).seconds).toBe(0);
  });

  it("does not count what is done in another window beside this one", () => {
    const elsewhere = away(read(started(0, true), 5000).watch);
    expect(read(elsewhere, 20_000).seconds).toBe(0);
    expect(read(active(read(elsewhere, 20_000).watch, 20_000), 23_000).seconds).toBe(3);
  });

  it("is never more than the time that passed, nor counted twice", () => {
    const event = fc.record({
      after: fc.nat(200_000),
      what: fc.constantFrom("sign", "away", "hide", "show", "read"),
    });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let [now, total, watch] = [0, 0, started(0, true)];
        for (const { after, what } of events) {
          now += after;
          const seen = read(watch, now);
          total += seen.seconds;
          watch =
            what === "sign"
              ? active(seen.watch, now)
              : what === "away"
                ? away(seen.watch)
                : what === "read"
                  ? seen.watch
                  : shown(seen.watch, what === "show");
          expect(seen.seconds).toBeLessThanOrEqual(Math.min(after, IDLE) / 1000);
        }
        // sums of decimals are off in the last digit
        expect(total).toBeLessThanOrEqual(now / 1000 + 1e-6);
      }),
    );
  });
});

describe("a message of another tab", () => {
  const receipt = { id: "p", accepted: 1, acknowledged: 0, reward: null };
  it.each([
    [{ kind: "take", page: "p", tab: "t" }, true],
    [{ kind: "settled", page: "p", tab: "t", receipt }, true],
    [{ kind: "settled", page: "p", tab: "t", receipt: null }, true],
    [{ kind: "settled", page: "p", tab: "t", receipt: null, returned: true }, true],
    [{ kind: "new", page: "p", tab: "t" }, false],
    [{ kind: "take", page: 5, tab: "t" }, false],
    ["take", false],
    [null, false],
  ])("%j is understood: %s", (data, understood) => {
    expect(messageIn(data)).toEqual(understood ? data : null);
  });

  it("with another page's receipt has none", () => {
    expect(messageIn({ kind: "settled", page: "q", tab: "t", receipt })).toMatchObject({ receipt: null });
  });
});

describe("earnings", () => {
  const receipt = (id: string, amount: number) => ({
    ...{ id, accepted: 1, acknowledged: 0 },
    reward: { amount, currency: "EUR" },
  });

  it("count every receipt once, also over a reload, each worker's alone", () => {
    const own = memoryVault();
    new Earnings(own).add("ada", receipt("a", 5));
    const again = new Earnings(own);
    again.add("ada", receipt("a", 5));
    again.add("ada", receipt("b", 7));
    again.add("ada", { ...receipt("c", 0), reward: null });
    expect([again.of("ada"), again.of("bob")]).toEqual([[{ amount: 12, currency: "EUR" }], []]);
  });

  it("keep currencies apart", () => {
    const sums = [{ amount: 1, currency: "EUR" }];
    expect(plus(sums, { amount: 2, currency: "USD" })).toEqual([...sums, { amount: 2, currency: "USD" }]);
  });
});
