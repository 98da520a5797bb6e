/** What a picture needs only for small boxes, or once somebody draws. It is fetched ahead after the first item. */
export const ENLARGED = {
  inset: () => import("./Inset.svelte"),
  aim: () => import("../surface/Aim.svelte"),
  edges: () => import("../surface/EdgeFields.svelte"),
};
