/** What a picture needs only for small boxes, or once somebody draws or aims by key. It is fetched ahead after the first item. */
export const ENLARGED = {
  inset: () => import("./Inset.svelte"),
  aim: () => import("../surface/Aim.svelte"),
  closeUp: () => import("../geometry/close-up"),
  steering: () => import("../surface/steering"),
  edges: () => import("../surface/EdgeFields.svelte"),
};
