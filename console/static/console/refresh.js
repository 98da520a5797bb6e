// Brings the figures of a page up to date: what is in [data-refresh] is fetched again now and then, and each
// [data-part] of it that changed is replaced. What is open stays open, what has the focus keeps it, and what
// somebody types into or has chosen waits. A tab that nobody sees fetches nothing.

const EVERY_MS = 30_000;
const place = document.querySelector("[data-refresh]");
const status = document.querySelector("[data-refreshing]");
let timer = 0;
let last = Date.now();

function say(words) {
  if (status && status.textContent !== words) status.textContent = words;
}

/** Where an element is among those of its kind within `part`: how it is found again in what replaces it. */
function trace(part, element) {
  const steps = [];
  for (let at = element; at && at !== part; at = at.parentElement) {
    steps.unshift([...at.parentElement.children].indexOf(at));
  }
  return steps;
}

function follow(part, steps) {
  return steps.reduce((at, step) => at?.children[step], part);
}

function replace(old, fresh) {
  const open = [...old.querySelectorAll("details[data-keep][open]")].map((one) => one.dataset.keep);
  const scrolled = [...old.querySelectorAll(".scroll")].map((one) => [one.scrollLeft, one.scrollTop]);
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const steps = focused && trace(old, focused);
  for (const one of fresh.querySelectorAll("details[data-keep]")) one.open = open.includes(one.dataset.keep);
  old.replaceWith(fresh);
  [...fresh.querySelectorAll(".scroll")].forEach((one, at) => {
    if (scrolled[at]) [one.scrollLeft, one.scrollTop] = scrolled[at];
  });
  if (steps) {
    const found = follow(fresh, steps);
    if (found?.tagName === focused.tagName) found.focus({ preventScroll: true });
  }
}

/** Without what differs though nothing changed: a token of a form, and what somebody opened. */
function bare(part) {
  const copy = part.cloneNode(true);
  for (const one of copy.querySelectorAll("details[open]")) one.removeAttribute("open");
  for (const one of copy.querySelectorAll("[name=csrfmiddlewaretoken]")) one.remove();
  return copy.outerHTML;
}

async function refresh() {
  last = Date.now();
  let answer;
  try {
    answer = await fetch(location.href, { headers: { "X-Requested-With": "refresh" }, redirect: "manual" });
  } catch {
    say("The figures could not be refreshed: there is no connection.");
    return true;
  }
  if (answer.type === "opaqueredirect" || answer.status === 403) {
    say("You are logged out: load the page again to go on.");
    return false;
  }
  if (!answer.ok) {
    say("The figures could not be refreshed.");
    return true;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const chosen = getSelection();
  for (const fresh of page.querySelectorAll("[data-refresh] [data-part]")) {
    const old = place.querySelector(`[data-part="${CSS.escape(fresh.dataset.part)}"]`);
    const busy = chosen && !chosen.isCollapsed && old?.contains(chosen.anchorNode);
    if (old && !busy && bare(old) !== bare(fresh)) replace(old, document.adoptNode(fresh));
  }
  say("");
  return true;
}

async function tick() {
  if (document.hidden || (await refresh())) wait();
}

function wait() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(tick, Math.max(0, last + EVERY_MS - Date.now()));
}

if (place) {
  document.addEventListener("visibilitychange", wait);
  wait();
}
