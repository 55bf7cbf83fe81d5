// SPDX-License-Identifier: Apache-2.0
// What a dropped file is, by its content. Names are hints for people only: files get renamed.
import { kFooterMagics } from './magics';

export type FileKind =
  'sst' | 'manifest' | 'wal' | 'current' | 'options' | 'identity' | 'capsule' | 'log' | 'unknown';

export interface Recognized {
  kind: FileKind;
  what: string;
}

const kHead = 64;
const kTail = 8;

export async function recognize(file: File): Promise<Recognized> {
  const tail = new Uint8Array(await file.slice(Math.max(0, file.size - kTail)).arrayBuffer());
  const head = new Uint8Array(await file.slice(0, kHead).arrayBuffer());
  return recognizeBytes(head, tail, file.size);
}

export function recognizeBytes(head: Uint8Array, tail: Uint8Array, size: number): Recognized {
  if (tail.length === 8) {
    const magic = new DataView(tail.buffer, tail.byteOffset, 8).getBigUint64(0, true);
    const table = kFooterMagics.get(magic);
    if (table) return { kind: 'sst', what: table };
  }
  const text = new TextDecoder('latin1').decode(head);
  if (/^MANIFEST-\d{6,}\n?$/.test(text) && size < 64)
    return { kind: 'current', what: 'a CURRENT file: it names the MANIFEST' };
  if (/^# This is a RocksDB option file/.test(text))
    return { kind: 'options', what: 'an OPTIONS file' };
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+\n?$/.test(text) && size < 64)
    return { kind: 'identity', what: 'an IDENTITY file' };
  if (/^\d{4}\/\d\d\/\d\d-\d\d:\d\d:\d\d/.test(text))
    return { kind: 'log', what: 'a LOG: text for people' };
  return recognizeLog(head);
}

// MANIFESTs and write-ahead logs have the same framing: checksum 4, length 2, type 1. A MANIFEST's
// first record is an edit, which names the comparator (tag 1) or a log number (tag 2) first; a
// log's is a batch: sequence 8, count 4.
function recognizeLog(head: Uint8Array): Recognized {
  if (head.length < 7)
    return {
      kind: 'unknown',
      what: head.length === 0 ? 'an empty file' : 'too short to be anything',
    };
  const length = head[4]! | (head[5]! << 8);
  const type = head[6]!;
  const framed = (type >= 1 && type <= 4) || (type >= 5 && type <= 13);
  if (!framed || length === 0) return { kind: 'unknown', what: 'no format that Varve reads' };
  const body = head.subarray(type >= 5 && type <= 8 ? 11 : 7);
  const text = new TextDecoder('latin1').decode(body);
  if (body[0] === 1 && /Comparator/.test(text))
    return { kind: 'manifest', what: 'a MANIFEST: the shape of a database, edit by edit' };
  if (
    body[0] === 0x80 ||
    (body[0] === 2 && body.length < 20) ||
    (body[0] === 9 && body.length < 40) ||
    body[0] === 0x81
  )
    return { kind: 'manifest', what: 'a MANIFEST' };
  if (body.length >= 12) return { kind: 'wal', what: 'a write-ahead log: the newest writes' };
  return { kind: 'unknown', what: 'no format that Varve reads' };
}

// Of a set of files that were dropped together: do they make a database?
export function isDatabase(kinds: FileKind[]): boolean {
  return kinds.includes('current') && kinds.includes('manifest');
}
