// Sends the code of a link to a project. It is in the fragment of the address, so that no log has it.
const form = document.querySelector("[data-join]");
const code = location.hash.slice(1);
if (code) {
  // Pages that follow keep the fragment of the address, and whoever copies theirs would give the code away.
  history.replaceState(null, "", location.pathname);
  form.elements.code.value = code;
  form.requestSubmit();
} else {
  form.querySelector("[data-open]").hidden = true;
  form.querySelector("[data-none]").hidden = false;
}
