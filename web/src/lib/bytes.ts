// SPDX-License-Identifier: Apache-2.0
// Keys and values: the API's byte objects, what they mean to people, and the literals in which
// people write them (the command line's syntax: hex: b64: esc: u64be: utf8:).
import type { Bytes } from '@/api/openapi';

export type Decoder = 'auto' | 'utf8' | 'hex' | 'esc' | 'u64be' | 'json';
export const kDecoders: Decoder[] = ['auto', 'utf8', 'esc', 'hex', 'u64be', 'json'];

// The decoder that a link names.
export function decoderOf(name: string | undefined, otherwise: Decoder): Decoder {
  return kDecoders.find((one) => one === name) ?? otherwise;
}

export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

export function rawBytes(bytes: Bytes): Uint8Array {
  if (bytes.hex !== undefined) return fromHex(bytes.hex);
  if (bytes.b64 !== undefined) return Uint8Array.from(atob(bytes.b64), (c) => c.charCodeAt(0));
  return new TextEncoder().encode(bytes.text ?? '');
}

export function hexOf(bytes: Bytes): string {
  return bytes.hex ?? toHex(rawBytes(bytes));
}

// "user\x00" as `varve` writes it: printable ASCII as it is, the rest as \xHH, backslash doubled.
export function escape(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    if (byte === 0x5c) text += '\\\\';
    else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else text += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return text;
}

function asU64(bytes: Uint8Array): string {
  const parts: string[] = [];
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8) {
    parts.push(String(new DataView(bytes.buffer, bytes.byteOffset + at, 8).getBigUint64(0)));
  }
  if (at < bytes.length) parts.push(escape(bytes.subarray(at)));
  return parts.join(' · ');
}

// Null if it is not text: nothing is replaced.
export function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const asUtf8 = (bytes: Uint8Array) => utf8(bytes) ?? escape(bytes);

export function decode(bytes: Bytes, decoder: Decoder = 'auto'): string {
  if (decoder === 'auto') return bytes.text ?? escape(rawBytes(bytes));
  const raw = rawBytes(bytes);
  switch (decoder) {
    case 'utf8':
      return asUtf8(raw);
    case 'hex':
      return toHex(raw);
    case 'esc':
      return escape(raw);
    case 'u64be':
      return asU64(raw);
    case 'json':
      try {
        return JSON.stringify(JSON.parse(asUtf8(raw)), null, 1);
      } catch {
        return asUtf8(raw);
      }
  }
}

const kPrefix = /^(hex|b64|esc|u64be|utf8):/;

// A literal that means exactly these bytes: as short as it can be, safe in a URL parameter and,
// quoted, in a shell.
export function literal(bytes: Bytes): string {
  const { text } = bytes;
  if (text !== undefined && !bytes.truncated && /^[\x20-\x7e]+$/.test(text) && !kPrefix.test(text))
    return text;
  return `hex:${hexOf(bytes)}`;
}

export interface CopyForm {
  form: 'text' | 'hex' | 'base64' | 'literal';
  text: string;
}

// As other programs take bytes. Text only of what is text.
export function copyForms(bytes: Bytes): CopyForm[] {
  const raw = rawBytes(bytes);
  const forms: CopyForm[] = [
    { form: 'hex', text: hexOf(bytes) },
    { form: 'base64', text: toBase64(raw) },
    { form: 'literal', text: literal(bytes) },
  ];
  const text = utf8(raw);
  return text === null ? forms : [{ form: 'text', text }, ...forms];
}

export function toBase64(raw: Uint8Array): string {
  let text = '';
  for (const byte of raw) text += String.fromCharCode(byte);
  return btoa(text);
}

// What a literal means, in hex, for finding its place on a map; null if it is none. The API parses
// literals itself: this is for drawing only.
export function literalHex(text: string): string | null {
  const colon = kPrefix.exec(text);
  const rest = colon ? text.slice(colon[0].length) : text;
  switch (colon?.[1]) {
    case 'hex':
      return /^([0-9a-fA-F]{2})*$/.test(rest) ? rest.toLowerCase() : null;
    case 'b64':
      try {
        return toHex(Uint8Array.from(atob(rest), (c) => c.charCodeAt(0)));
      } catch {
        return null;
      }
    case 'u64be':
      return /^\d+$/.test(rest) && BigInt(rest) < 1n << 64n
        ? BigInt(rest).toString(16).padStart(16, '0')
        : null;
    case 'esc':
      return toHex(unescapeBytes(rest));
    default:
      return toHex(new TextEncoder().encode(rest));
  }
}

function unescapeBytes(text: string): Uint8Array {
  const out: number[] = [];
  const pattern = /\\x([0-9a-fA-F]{2})|\\\\|([\s\S])/gu;
  for (const [whole, hex, plain] of text.matchAll(pattern)) {
    if (hex) out.push(parseInt(hex, 16));
    else if (whole === '\\\\') out.push(0x5c);
    else out.push(...new TextEncoder().encode(plain));
  }
  return Uint8Array.from(out);
}

// How much of `text` its neighbours begin with as well: where that ends, it differs from all of them.
export function sharedLength(text: string, neighbours: string[]): number {
  let shared = 0;
  for (const other of neighbours) {
    if (other === text) continue;
    let end = 0;
    while (end < text.length && end < other.length && text[end] === other[end]) end += 1;
    shared = Math.max(shared, end);
  }
  // Not in the middle of \xff, and never all of it.
  const escape = text.lastIndexOf('\\', shared);
  if (escape >= 0 && escape > shared - 4) shared = escape;
  return Math.max(0, Math.min(shared, text.length - 1));
}

export function shorten(text: string, most = 40): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
