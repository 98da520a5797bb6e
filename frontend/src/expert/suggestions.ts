/** What shows suggestions. It is loaded where an image has some. */

import "../joint/suggested.css";

export { default as SuggestedBoxes } from "../joint/SuggestedBoxes.svelte";
export { default as Suggestions } from "./Suggestions.svelte";
