/** What only pages with suggestions need. It is loaded where a question has some. */

import "./suggested.css";

export { default as DrawOne } from "./DrawOne.svelte";
export { default as SuggestedBoxes } from "./SuggestedBoxes.svelte";
export { default as SuggestedList } from "./SuggestedList.svelte";
export { suggestionWords } from "../texts/suggestions";
export { accepted, openIn, suggestionsIn } from "./suggested";
