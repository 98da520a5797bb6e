/** Takes the place of offline.js where pages are not to be kept: it deletes what was kept, and then itself. */

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil(caches.delete("groundcrew-pages").then(() => self.registration.unregister()));
});
