// Asks before somebody leaves a page on which something typed is not saved: also by a button of another form of it.
// In a form with data-unsaved, what was ticked and chosen counts, too; with data-unsaved="typed", all of it from the start.
(() => {
  "use strict";

  const typed = "textarea, input:not([type]), input[type=text], input[type=number], input[type=email], input[type=url]";
  let sent = null;

  const isChanged = (field) => {
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.options) {
      const options = [...field.options];
      const usual = options.some((one) => one.defaultSelected) || field.multiple;
      return options.some((one, at) => one.selected !== (usual ? one.defaultSelected : at === 0));
    }
    return "defaultValue" in field && field.type !== "hidden" && field.value !== field.defaultValue;
  };

  const isUnsaved = (form) => {
    if (form === sent || form.method !== "post") return false;
    const fields = [...form.elements];
    const written = fields.filter((field) => field.matches(typed));
    // A form that was refused shows what was typed, and nothing of it is saved.
    const refused = form.querySelector(".errorlist") && written.some((field) => field.value.trim());
    if (refused || form.dataset.unsaved === "typed") return true;
    return (form.dataset.unsaved === undefined ? written : fields).some(isChanged);
  };

  document.addEventListener("submit", (event) => (sent = event.target));
  document.addEventListener("input", (event) => {
    if (event.target.form === sent) sent = null;
  });
  window.addEventListener("pageshow", () => (sent = null));
  window.addEventListener("beforeunload", (event) => {
    if ([...document.forms].some(isUnsaved)) event.preventDefault();
  });
})();
