/** What pages with suggestions need. No other page loads it. */
export const suggesting = () => import("./suggestions");

export type Suggesting = typeof import("./suggestions");
