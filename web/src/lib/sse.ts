// SPDX-License-Identifier: Apache-2.0
// Server-sent events out of a stream of bytes. (EventSource cannot send the token's header.)
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export const kEventsType = 'text/event-stream';

export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
): AsyncIterable<EventSourceMessage> {
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
