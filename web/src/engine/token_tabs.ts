// SPDX-License-Identifier: Apache-2.0
// The token, from one tab of the app to another, so that a link of the page opens in a new tab as
// well. A BroadcastChannel reaches pages of the same scheme, host and port only, which the server of
// the token has sent.

interface Message {
  token?: string; // None: asks for it.
}

const isMessage = (data: unknown): data is Message => typeof data === 'object' && data !== null;

// Tells other tabs the token when they ask, and asks for theirs if this one has none. The function
// that it returns ends both.
export function shareToken(mine: () => string | null, take: (token: string) => void): () => void {
  const channel = new BroadcastChannel('varve.token');
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data)) return;
    const token = mine();
    if (typeof data.token === 'string') {
      if (!token) take(data.token);
    } else if (token) {
      channel.postMessage({ token } satisfies Message);
    }
  };
  if (!mine()) channel.postMessage({} satisfies Message);
  return () => channel.close();
}
