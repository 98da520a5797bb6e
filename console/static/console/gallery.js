// Decides about proposed questions by key. Without it, each question has its radio buttons and the page one button.

const form = document.querySelector("#gallery");
const cards = form ? [...form.querySelectorAll("[data-proposal]")] : [];
const told = form?.querySelector("[data-told]");
let here = 0;

function answerOf(card) {
  return card.querySelector("input:checked")?.value ?? "";
}

function tell() {
  for (const card of cards) card.dataset.answer = answerOf(card);
  if (!told) return;
  const count = (answer) => cards.filter((card) => answerOf(card) === answer).length;
  told.textContent = `${count("approve")} to approve, ${count("refuse")} to refuse`;
}

function mark(place) {
  cards[here].classList.remove("here");
  here = Math.max(0, Math.min(cards.length - 1, place));
  cards[here].classList.add("here");
}

function go(place) {
  mark(place);
  cards[here].focus({ preventScroll: true });
  cards[here].scrollIntoView({ block: "nearest" });
}

function choose(card, answer) {
  const radio = card.querySelector(`input[value="${answer}"]`);
  if (radio) radio.checked = true;
  tell();
}

function approveBelow() {
  for (const card of cards.slice(here)) if (answerOf(card) === "") choose(card, "approve");
}

const acts = {
  a: () => (choose(cards[here], "approve"), go(here + 1)),
  r: () => (choose(cards[here], "refuse"), go(here + 1)),
  u: () => choose(cards[here], ""),
  j: () => go(here + 1),
  k: () => go(here - 1),
  A: approveBelow,
  s: () => form.requestSubmit(),
};

if (cards.length && told) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=radio]), select, textarea");
    const act = acts[event.key];
    if (!act || typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    event.preventDefault();
    act();
  });
  form.addEventListener("change", tell);
  const all = form.querySelector("[data-approve]");
  all.hidden = false;
  all.addEventListener("click", approveBelow);
  for (const [place, card] of cards.entries()) card.addEventListener("focusin", () => mark(place));
  tell();
  mark(0);
}
