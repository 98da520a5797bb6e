/** The views of the joint stages. They are about all boxes of a chain at once, and are loaded on demand. */

import { suggesting } from "./later";

export { default as boxes } from "./DrawAll.svelte";
export { default as check } from "./CheckAll.svelte";

/** Returns the view of the stage drawing if a model suggests boxes. */
export const drawOne = () => suggesting().then(({ DrawOne }) => DrawOne);
