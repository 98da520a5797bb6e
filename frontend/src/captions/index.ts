/** The views in which captions are written and matched with a photograph. They are loaded on demand. */

export { default as relevance } from "./Match.svelte";
export { default as writing } from "./Write.svelte";
