// SPDX-License-Identifier: Apache-2.0
// Server-sent events out of a stream of bytes. (EventSource cannot send the token's header.)
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export async function* eventsOf(
  pieces: AsyncIterable<Uint8Array>,
): AsyncIterable<EventSourceMessage> {
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  for await (const piece of pieces) {
    parser.feed(decoder.decode(piece, { stream: true }));
    yield* events.splice(0);
  }
}
