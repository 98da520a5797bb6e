/** What a surface needs once somebody draws, or aims by key. It is fetched ahead after the first item. */
export const AIMED = {
  aim: () => import("./Aim.svelte"),
  steering: () => import("./steering"),
  edges: () => import("./EdgeFields.svelte"),
};
