/** Amounts as people read them. */

import type { Money } from "../api/types";

/** Writes an amount as a language does: 1250 in EUR is €12.50, 1250 in JPY is ¥1,250. */
export function money({ amount, currency }: Money, language: string): string {
  const format = new Intl.NumberFormat(language, { style: "currency", currency });
  // The number of smallest units in one of the currency: 100 for most, 1 for the yen, 1000 for the dinar.
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/** Writes amounts in several currencies side by side. If nothing was earned, it is the empty string. */
export function sums(amounts: readonly Money[], language: string): string {
  const each = amounts.filter(({ amount }) => amount !== 0).map((one) => money(one, language));
  return new Intl.ListFormat(language, { type: "conjunction" }).format(each);
}
