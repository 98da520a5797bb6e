// Small help on the pages of batches: rewards as amounts while they are typed, only the
// fields that a choice of images needs, links onto the clipboard.
(() => {
  "use strict";

  const digitsOf = (currency) => {
    try {
      return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
    } catch {
      return 2;
    }
  };

  const currency = document.querySelector('input[name="currency"]');
  const showAmounts = () => {
    const code = currency.value.trim().toUpperCase().slice(0, 3);
    const digits = digitsOf(code);
    for (const place of document.querySelectorAll("[data-amount]")) {
      const typed = place.parentElement.querySelector("input").value.trim();
      const units = /^[0-9]{1,13}$/.test(typed) ? Number(typed) : 0;
      place.textContent = typed === "" ? "=" : `= ${(units / 10 ** digits).toFixed(digits)} ${code}`;
    }
  };
  if (currency) document.addEventListener("input", showAmounts);

  const take = document.querySelector('select[name="take"]');
  const showChosen = () => {
    for (const name of ["number", "split", "names"]) {
      document.querySelector(`[name="${name}"]`).closest(".field").hidden = take.value !== name;
    }
    document.querySelector('[name="pictured"]').closest(".field").hidden = take.value === "names";
  };
  if (take) {
    take.addEventListener("change", showChosen);
    showChosen();
  }

  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
      button.textContent = "Copied";
    });
  }
})();
