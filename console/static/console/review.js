/* Keys of the review queue, and a decision that follows from a drawn box. The pages work without this file. */

const typing = "input:not([type=checkbox]), textarea, select, [contenteditable], [data-boxes-editor] *";

/** Open what a key belongs to: a link is followed, a button pressed, a field or a folded part entered. */
function use(element) {
  if (element instanceof HTMLInputElement) {
    element.focus();
  } else if (element.tagName === "SUMMARY") {
    element.parentElement.open = true;
    element.parentElement.querySelector("input, textarea")?.focus();
  } else {
    element.click();
  }
}

/** Move to the next or previous case of the list. */
function move(list, step) {
  const links = [...list.querySelectorAll("h2 a")];
  const place = links.findIndex((link) => link.closest("li").contains(document.activeElement));
  links[place === -1 ? 0 : Math.min(Math.max(place + step, 0), links.length - 1)]?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.matches(typing)) return;
  const key = event.key.toLowerCase();
  const list = document.querySelector("[data-cases]");
  if (list && (key === "j" || key === "k")) {
    move(list, key === "j" ? 1 : -1);
  } else if (list && key === "x") {
    document.activeElement?.closest("[data-cases] > li")?.querySelector("input[type=checkbox]")?.click();
  } else {
    const element = /^[a-z]$/.test(key) ? document.querySelector(`[data-key="${key}"]`) : null;
    if (!element) return;
    use(element);
  }
  event.preventDefault();
});

for (const line of document.querySelectorAll("[data-keys]")) line.hidden = false;

document.querySelector("[data-choose-all]")?.addEventListener("change", (event) => {
  for (const box of document.querySelectorAll("input[name=case]")) box.checked = event.target.checked;
});

/* A chain that waits for a researcher is usually done once a box is drawn. Another choice stays. */
const state = document.querySelector(".decide select[name=state]");
if (state?.value === "review") {
  let chosen = false;
  state.addEventListener("change", () => (chosen = true));
  const boxes = document.querySelector(".decide textarea[name=boxes]");
  for (const kind of ["input", "drawn"]) {
    boxes?.addEventListener(kind, () => {
      if (!chosen) state.value = boxes.value.trim() ? "done" : "review";
    });
  }
}
