// SPDX-License-Identifier: Apache-2.0

// Not for a page that `varve serve` serves: without the server it has nothing to show, and the next
// server on this port may be another version.
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register('./offline.js').catch(() => undefined); // Works without, online.
}
