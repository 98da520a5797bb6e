import { mount, unmount } from "svelte";
import App from "./App.svelte";
import { route } from "./pages/navigation.svelte";
import Broken from "./pages/Broken.svelte";
import { load } from "./load";
import { isOurs } from "./pages/ours";
import { recallSettings } from "./pages/settings.svelte";
import "./styles/index.css";

async function open(target: HTMLElement): Promise<void> {
  // The page's code and the language are loaded at the same time. If one fails, App says so.
  const code = load(route().page).catch(() => undefined);
  await Promise.all([recallSettings(), code]);
  const app = mount(App, { target });
  document.getElementById("unloaded")?.toggleAttribute("hidden", true);

  let broken = false;
  /** An unexpected error: nothing on the page can be trusted any more. The draft is kept. */
  function giveUp(): void {
    if (broken) return;
    broken = true;
    void unmount(app);
    mount(Broken, { target });
  }
  // Errors of extensions do not name a file of ours. Events that are not errors are warnings of the browser.
  window.addEventListener("error", (event) => {
    if (event.error instanceof Error && event.filename.startsWith(location.origin)) giveUp();
  });
  window.addEventListener("unhandledrejection", (event) => {
    if (isOurs(event.reason, location.origin)) giveUp();
  });
}

const target = document.getElementById("app");
if (target) {
  open(target).catch(() => {
    // Not even a language could be loaded, so the only words left are those in index.html.
    document.getElementById("unloaded")?.removeAttribute("hidden");
  });
}
