// SPDX-License-Identifier: Apache-2.0
// A trace of another program, of whichever format it is; compressed or not.
import type { Events } from './events';
import { Inflate } from './inflate';
import { Message } from './protobuf';
import { eventsOfJson } from './trace_json';
import { eventsOfPerfetto } from './trace_perfetto';
import { eventsOfText } from './trace_text';

const kMost = 2 ** 30; // Bytes, of all that is decompressed, too.
const kTextMost = 2 ** 29 - 32; // Letters: no string is longer.

const kSpace = 0x20;

// Packets are fields of bytes with the number 1, one after the other. A text may begin with that byte,
// a new line, but has no other where the first one would end.
function isPerfetto(bytes: Uint8Array): boolean {
  const kPacket = 0x0a;
  if (bytes[0] !== kPacket) return false;
  const first = new Message({ bytes, begin: 0, end: bytes.length });
  try {
    first.next();
  } catch {
    return false;
  }
  return first.place === bytes.length || bytes[first.place] === kPacket;
}

// Throws what is wrong with it.
export async function eventsOfTrace(file: Blob): Promise<Events> {
  if (file.size > kMost) throw new Error('a trace of more than 1 GiB is too large for a tab');
  const inflate = new Inflate(kMost);
  let bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    bytes = new Uint8Array(await inflate.bytes(bytes, 'gzip'));
  if (isPerfetto(bytes)) return eventsOfPerfetto(bytes, inflate);
  const first = bytes[bytes.findIndex((byte) => byte > kSpace)];
  const isJson = first === 0x7b || first === 0x5b; // { or [
  if (bytes.length > kTextMost)
    throw new Error('a text of more than 512 MiB is too large for a tab');
  const text = new TextDecoder().decode(bytes);
  return isJson ? eventsOfJson(text) : eventsOfText(text);
}
