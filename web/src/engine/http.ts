// SPDX-License-Identifier: Apache-2.0
// The engine behind `varve serve`: the page's own origin and nothing else.
import type { Engine } from './engine';

const kItem = 'varve.credential';

// The value of the Authorization header: "Bearer TOKEN", or "Session KEY" beside a cookie.
export type Credential = string;

export const ofToken = (token: string): Credential => `Bearer ${token}`;
export const isSession = (credential: Credential) => credential.startsWith('Session ');

export const savedCredential = (): Credential | null => sessionStorage.getItem(kItem);

// The token comes behind '#', stays with this tab (and those that ask it, credential_tabs.ts), and leaves
// the address bar and the history.
export function takeCredential(): Credential | null {
  const given = /^#token=([\w.~+/=-]+)$/.exec(location.hash);
  if (given?.[1]) {
    saveCredential(ofToken(given[1]));
    history.replaceState(null, '', location.pathname + location.search);
  }
  return savedCredential();
}

export function saveCredential(credential: Credential): void {
  sessionStorage.setItem(kItem, credential);
}

export function dropCredential(): void {
  sessionStorage.removeItem(kItem);
}

export class HttpEngine implements Engine {
  readonly letter = 'h';
  readonly name = 'http';

  private since: number | null = null;
  private readonly watchers = new Set<() => void>();

  // `onRefused`: the server does not take the credential any more.
  constructor(
    private readonly credential: Credential,
    private readonly onRefused: () => void = () => undefined,
  ) {}

  async fetch(request: Request): Promise<Response> {
    request.headers.set('Authorization', this.credential);
    try {
      const response = await fetch(request);
      this.note(null);
      if (response.status === 401 && isSession(this.credential)) this.onRefused();
      return response;
    } catch (error) {
      if (!request.signal.aborted) this.note(this.since ?? Date.now());
      throw error;
    }
  }

  readonly lostSince = () => this.since;
  readonly onLostSince = (changed: () => void) => {
    this.watchers.add(changed);
    return () => this.watchers.delete(changed);
  };

  private note(since: number | null): void {
    if (this.since === since) return;
    this.since = since;
    for (const changed of this.watchers) changed();
  }
}
