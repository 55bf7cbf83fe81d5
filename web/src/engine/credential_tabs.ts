// SPDX-License-Identifier: Apache-2.0
// The credential, from one tab of the app to another, so that a link of the page opens in a new tab
// as well. A BroadcastChannel reaches pages of the same scheme, host and port only, which the server
// that takes it has sent.

interface Message {
  credential?: string; // None: asks for it.
}

const isMessage = (data: unknown): data is Message => typeof data === 'object' && data !== null;

// Tells other tabs the credential when they ask, and asks for theirs if this one has none. The function
// that it returns ends both.
export function shareCredential(
  mine: () => string | null,
  take: (credential: string) => void,
): () => void {
  const channel = new BroadcastChannel('varve.credential');
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data)) return;
    const credential = mine();
    if (typeof data.credential === 'string') {
      if (!credential) take(data.credential);
    } else if (credential) {
      channel.postMessage({ credential } satisfies Message);
    }
  };
  if (!mine()) channel.postMessage({} satisfies Message);
  return () => channel.close();
}
