/** The editor of a project's instructions. */

import { embed } from "../console/embed";
import Editor from "./Editor.svelte";
import { readEditor } from "./setup";

// The surface listens on the window, since it is usually the whole of a worker's page.
function keepKeys(event: KeyboardEvent): void {
  if (event.target instanceof Element && !event.target.closest("dialog")) event.stopPropagation();
}

void embed("instructions", Editor, readEditor).then(() => {
  document.addEventListener("keydown", keepKeys);
});
