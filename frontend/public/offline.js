/**
 * Keeps the workers' pages for a reload without a network: the document, and the files that it names. Pages and
 * answers are kept elsewhere (src/work/store.ts), and photographs in the browser's own cache.
 *
 * The document always comes from the network if there is one, so that a new build is seen at once. Files have a
 * hash of their content in their name. Nothing else is kept: no reply of the API, no photograph, no address.
 */

const DOCUMENT = new URL(self.registration.scope).pathname;
/** "/", or the prefix below which the site is. */
const SITE = DOCUMENT.slice(0, -"work/".length);
const KEPT = `${SITE.slice(1)}groundcrew-pages`;
const FILE = /^static\/pages\/[^/]+-[A-Za-z0-9_-]{7}\.[a-z0-9]+$/;

const isFile = (pathname) => pathname.startsWith(SITE) && FILE.test(pathname.slice(SITE.length));

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // Browsers that can pass these by need not start this worker for them, which would take some time.
  for (const pathname of event.addRoutes ? [`${SITE}api/*`, `${SITE}media/*`] : [])
    event.waitUntil(event.addRoutes({ condition: { urlPattern: { pathname } }, source: "network" }));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(opened(event));
  else if (isFile(url.pathname)) event.respondWith(file(event));
});

/** A page says which files it has loaded before it was under this worker's control. */
self.addEventListener("message", (event) => {
  if (Array.isArray(event.data?.files)) event.waitUntil(keepAll(event.data.files));
});

async function opened(event) {
  let reply;
  try {
    reply = await fetch(event.request);
  } catch (error) {
    const kept = await (await caches.open(KEPT)).match(DOCUMENT);
    if (kept === undefined) throw error;
    return kept;
  }
  event.waitUntil(keepDocument(reply.clone()));
  return reply;
}

/** The document is the same for every address. What a hotel or a proxy sends in its place is not kept. */
async function keepDocument(reply) {
  const html = reply.headers.get("Content-Type")?.startsWith("text/html");
  if (!reply.ok || reply.redirected || !html) return false;
  const text = await reply.clone().text();
  if (!text.includes('<div id="app">') || !text.includes("static/pages/")) return false;
  const cache = await caches.open(KEPT);
  const before = await (await cache.match(DOCUMENT))?.text();
  if (before === text) return true;
  // The files of an earlier build are of no use any more.
  for (const old of await cache.keys()) await cache.delete(old);
  await cache.put(DOCUMENT, reply);
  return true;
}

async function file(event) {
  const { url } = event.request;
  const cache = await caches.open(KEPT);
  const kept = await cache.match(url);
  if (kept) return kept;
  const reply = await fetch(event.request);
  if (reply.ok) event.waitUntil(cache.put(url, reply.clone()));
  return reply;
}

async function keepAll(files) {
  if (!(await keepDocument(await fetch(DOCUMENT, { cache: "no-cache" })))) return;
  const cache = await caches.open(KEPT);
  for (const address of files) {
    const url = new URL(address, location.origin);
    if (url.origin !== location.origin || !isFile(url.pathname)) continue;
    if (!(await cache.match(url.href))) await cache.add(url.href);
  }
}
