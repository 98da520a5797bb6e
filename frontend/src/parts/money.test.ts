import { describe, expect, test } from "vitest";
import { money, sums } from "./money";

/** Replaces the spaces that Intl uses, which do not break. */
const plain = (words: string) => words.replace(/\s/g, " ");

describe("money", () => {
  test.each([
    [1250, "EUR", "en", "€12.50"],
    [1250, "EUR", "de", "12,50 €"],
    [5, "USD", "en", "$0.05"],
    [1250, "JPY", "en", "¥1,250"],
    [1250, "BHD", "en", "BHD 1.250"],
    [0, "GBP", "en", "£0.00"],
  ])("%d %s in %s", (amount, currency, language, words) => {
    expect(plain(money({ amount, currency }, language))).toBe(words);
  });
});

describe("sums", () => {
  const eur = { amount: 1250, currency: "EUR" };
  const usd = { amount: 300, currency: "USD" };
  test.each([
    [[], "en", ""],
    [[{ amount: 0, currency: "EUR" }], "en", ""],
    [[eur], "en", "€12.50"],
    [[eur, usd], "en", "€12.50 and $3.00"],
    [[eur, usd], "de", "12,50 € und 3,00 $"],
  ])("%o in %s", (amounts, language, words) => {
    expect(plain(sums(amounts, language))).toBe(words);
  });
});
