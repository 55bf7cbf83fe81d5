// SPDX-License-Identifier: Apache-2.0
// Keeps the app's own files, so that it works without a network. Names have hashes in them: a kept
// file is never stale, and a new version keeps its own set. Nothing else is ever kept.
const version = 'VERSION';
const files = ['FILES'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(version)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const old = (names) =>
    Promise.all(
      names
        .filter((name) => name.startsWith('varve-') && name !== version)
        .map((name) => caches.delete(name)),
    );
  event.waitUntil(
    caches
      .keys()
      .then(old)
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  // The page itself may have a newer version; without a network the kept one will do.
  const kept = () =>
    caches.open(version).then((cache) => cache.match(request, { ignoreSearch: true }));
  if (request.mode === 'navigate')
    event.respondWith(
      fetch(request).catch(() => caches.open(version).then((cache) => cache.match('./'))),
    );
  else event.respondWith(kept().then((response) => response ?? fetch(request)));
});
