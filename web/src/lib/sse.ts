// SPDX-License-Identifier: Apache-2.0
// Server-sent events out of a stream of bytes. (EventSource cannot send the token's header.)

export interface ServerEvent {
  type: string;
  data: string;
}

export async function* eventsOf(pieces: AsyncIterable<Uint8Array>): AsyncIterable<ServerEvent> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const piece of pieces) {
    // On the whole of it: a line's end may have come in two pieces.
    pending = (pending + decoder.decode(piece, { stream: true })).replaceAll('\r\n', '\n');
    for (let end = pending.indexOf('\n\n'); end >= 0; end = pending.indexOf('\n\n')) {
      const event = parse(pending.slice(0, end));
      pending = pending.slice(end + 2);
      if (event) yield event;
    }
  }
}

function parse(block: string): ServerEvent | null {
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue; // A comment, or a field that is not used here.
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (line.startsWith('event:')) type = value;
    else if (line.startsWith('data:')) data.push(value);
  }
  return data.length > 0 ? { type, data: data.join('\n') } : null;
}
