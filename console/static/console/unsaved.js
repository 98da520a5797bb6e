// Asks before somebody leaves a form of which something is not saved: a form with data-unsaved.
(() => {
  "use strict";

  const form = document.querySelector("form[data-unsaved]");
  if (!form) return;
  let sent = false;

  const isChanged = (field) => {
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.options) {
      const options = [...field.options];
      const usual = options.some((one) => one.defaultSelected) || field.multiple;
      return options.some((one, at) => one.selected !== (usual ? one.defaultSelected : at === 0));
    }
    return "defaultValue" in field && field.type !== "hidden" && field.value !== field.defaultValue;
  };

  form.addEventListener("submit", () => (sent = true));
  window.addEventListener("pageshow", () => (sent = false));
  window.addEventListener("beforeunload", (event) => {
    // A form that was refused shows what was typed, and nothing of it is saved.
    const unsaved = form.dataset.unsaved === "refused" || [...form.elements].some(isChanged);
    if (unsaved && !sent) event.preventDefault();
  });
})();
