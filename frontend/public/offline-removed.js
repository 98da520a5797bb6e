/** Takes the place of offline.js where pages are not to be kept: it deletes what was kept, and then itself. */

const KEPT = `${new URL("..", self.registration.scope).pathname.slice(1)}groundcrew-pages`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil(caches.delete(KEPT).then(() => self.registration.unregister()));
});
