import { withRest } from "../texts/index.svelte";

/** A box that is as long as this on the screen, in pixels, is never shown enlarged: `inset.ts` decides of others. */
export const LARGE = 50;

/** What a picture needs only for small boxes. It is fetched ahead after the first item. */
export const ENLARGED = {
  inset: () => import("./Inset.svelte"),
  closeUp: () => withRest(import("../geometry/close-up")),
};
