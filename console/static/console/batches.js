// Small help on the pages of batches: only the fields that a choice needs, links onto the clipboard.
(() => {
  "use strict";

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

  // Another card shows the form again, with what was typed into it.
  const draft = document.querySelector("form.batch");
  for (const card of document.querySelectorAll('.presets a[href^="?"]')) {
    card.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in another tab
      event.preventDefault();
      const choose = Object.assign(document.createElement("input"), {
        type: "hidden",
        name: "choose",
        value: "1",
      });
      draft.action = card.getAttribute("href");
      draft.append(choose);
      draft.requestSubmit();
      // Whoever goes back to this page finds it as it was.
      choose.remove();
      draft.removeAttribute("action");
    });
  }

  // A platform that is chosen in the form is the card that says the same.
  const provider = document.querySelector('select[name="crowd.provider"]');
  provider?.addEventListener("change", () => {
    document.querySelector(`.presets a[href$="provider=${provider.value}"]`)?.click();
  });

  // A link to a setting opens the fold that has it.
  const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (wanted) {
    for (let fold = wanted.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    wanted.scrollIntoView({ block: "center" });
    wanted.focus();
  }

  // Pairs are judged; captions that are collected have none yet.
  const judged = document.querySelector("[data-judged]");
  const protocol = document.querySelector('select[name="protocol"]');
  const showPairs = () => {
    judged.hidden = protocol.value === "captions" && !judged.querySelector(".wrong");
  };
  if (judged) {
    protocol.addEventListener("change", showPairs);
    showPairs();
  }
})();
