// Loads further boxes when the end of the wall comes near. Without it, a link shows the next ones.

const wall = document.querySelector("#wall");
const told = document.querySelector("#wall-told");
const AHEAD = "1500px";
const NONE = "There are no such boxes.";
let pager = wall && document.querySelector("nav.pager:has(a[rel=next])");

async function load() {
  const link = pager.querySelector("a[rel=next]");
  const reply = await fetch(link.href, { headers: { Accept: "text/html" } });
  if (!reply.ok || reply.redirected) throw new Error(`status ${reply.status}`);
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  for (const crop of page.querySelectorAll("#wall > li")) wall.append(document.adoptNode(crop));
  const next = page.querySelector("nav.pager a[rel=next]");
  const count = wall.children.length;
  const boxes = `${count} ${count === 1 ? "box" : "boxes"}`;
  told.textContent = next ? `${boxes} so far. More images follow.` : count ? `These are all: ${boxes}.` : NONE;
  if (next) link.href = new URL(next.getAttribute("href"), link.href).href;
  else pager.remove();
  return Boolean(next);
}

if (pager) {
  const observer = new IntersectionObserver(
    async (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.unobserve(pager);
      try {
        if (await load()) observer.observe(pager); // again: it may still be near
      } catch {
        told.textContent = "The next boxes could not be loaded. Use the link.";
      }
    },
    { rootMargin: AHEAD },
  );
  observer.observe(pager);
}
