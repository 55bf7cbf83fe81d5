// SPDX-License-Identifier: Apache-2.0
// The engine behind `varve serve`: the page's own origin and nothing else.
import type { Engine, EngineRequest, EngineResponse } from './engine';

const kTokenItem = 'varve.token';

// The token comes behind '#', stays with this tab, and leaves the address bar and the history.
export function takeToken(): string | null {
  const given = /^#token=([^&/]+)$/.exec(location.hash);
  if (given?.[1]) {
    sessionStorage.setItem(kTokenItem, given[1]);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(kTokenItem);
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
  sentBytes = 0;

  constructor(private readonly token: string) {}

  async request(request: EngineRequest): Promise<EngineResponse> {
    const response = await this.fetch(request);
    const body = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body };
  }

  async *stream(request: EngineRequest): AsyncIterable<Uint8Array> {
    const response = await this.fetch(request);
    if (!response.body) return;
    const reader = response.body.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  private async fetch(request: EngineRequest): Promise<Response> {
    const headers: Record<string, string> = {
      ...request.headers,
      Authorization: `Bearer ${this.token}`,
    };
    const init: RequestInit = { method: request.method, headers, signal: request.signal ?? null };
    if (request.body) {
      headers['Content-Type'] = 'application/json';
      init.body = request.body as Uint8Array<ArrayBuffer>;
      this.sentBytes += request.body.length;
    }
    return fetch(new URL(request.path, location.origin), init);
  }
}
