// SPDX-License-Identifier: Apache-2.0
// The engine behind `varve serve`: the page's own origin and nothing else.
import type { Engine } from './engine';

const kTokenItem = 'varve.token';

export const savedToken = () => sessionStorage.getItem(kTokenItem);

// The token comes behind '#', stays with this tab (and those that ask it, token_tabs.ts), and leaves
// the address bar and the history.
export function takeToken(): string | null {
  const given = /^#token=([\w.~+/=-]+)$/.exec(location.hash);
  if (given?.[1]) {
    sessionStorage.setItem(kTokenItem, given[1]);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return savedToken();
}

export function saveToken(token: string): void {
  sessionStorage.setItem(kTokenItem, token);
}

export function dropToken(): void {
  sessionStorage.removeItem(kTokenItem);
}

export class HttpEngine implements Engine {
  readonly letter = 'h';
  readonly name = 'http';

  private since: number | null = null;
  private readonly watchers = new Set<() => void>();

  constructor(private readonly token: string) {}

  async fetch(request: Request): Promise<Response> {
    request.headers.set('Authorization', `Bearer ${this.token}`);
    try {
      const response = await fetch(request);
      this.note(null);
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
