/** What a picture needs only for small boxes. It is fetched ahead after the first item. */
export const ENLARGED = {
  inset: () => import("./Inset.svelte"),
  closeUp: () => import("../geometry/close-up"),
};
