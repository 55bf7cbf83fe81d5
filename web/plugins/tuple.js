// SPDX-License-Identifier: Apache-2.0
// Keys of the tuple layer of FoundationDB (design/tuple.md there): items one after the other, big-endian,
// so that keys lie in the order of their items.
// @ts-check

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Bytes up to a 0 that no 0xff follows; 0 0xff is a 0 among them.
 * @param {Uint8Array} key
 * @param {number} at
 */
function terminated(key, at) {
  const bytes = [];
  for (;;) {
    if (at >= key.length) throw new RangeError('a text or bytes have no end');
    if (key[at] === 0) {
      if (key[at + 1] !== 0xff) return { item: Uint8Array.from(bytes), at: at + 1 };
      at += 1;
    }
    bytes.push(key[at] === 0xff && key[at - 1] === 0 ? 0 : key[at]);
    at += 1;
  }
}

/**
 * @param {Uint8Array} key
 * @param {number} at
 * @param {number} size
 */
function sized(key, at, size) {
  if (at + size > key.length) throw new RangeError('an item ends too early');
  return key.slice(at, at + size);
}

/** @param {Uint8Array} bytes */
const unsigned = (bytes) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** @param {bigint} value */
const exact = (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

/**
 * IEEE numbers whose bits were changed so that bytes are in their order.
 * @param {Uint8Array} bytes
 */
function float(bytes) {
  const isNegative = (bytes[0] & 0x80) === 0;
  const raw = bytes.map((byte, i) => (isNegative ? byte ^ 0xff : i === 0 ? byte ^ 0x80 : byte));
  const view = new DataView(raw.buffer);
  return raw.length === 4 ? view.getFloat32(0) : view.getFloat64(0);
}

/** @param {Uint8Array} bytes */
const uuid = (bytes) => varve.hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/**
 * @param {Uint8Array} key
 * @param {number} at
 * @param {number} depth
 * @returns {{ item: unknown, at: number }}
 */
function one(key, at, depth) {
  const code = key[at];
  at += 1;
  if (code === 0x00) return { item: null, at };
  if (code === 0x01) return terminated(key, at);
  if (code === 0x02) {
    const { item, at: end } = terminated(key, at);
    return { item: utf8.decode(item), at: end };
  }
  if (code === 0x05) return nested(key, at, depth + 1);
  if (code >= 0x0c && code <= 0x1c) {
    const size = Math.abs(code - 0x14);
    const magnitude = unsigned(sized(key, at, size));
    const most = (1n << BigInt(8 * size)) - 1n;
    return { item: exact(code < 0x14 ? magnitude - most : magnitude), at: at + size };
  }
  if (code === 0x0b || code === 0x1d) {
    const isNegative = code === 0x0b;
    const size = sized(key, at, 1)[0] ^ (isNegative ? 0xff : 0);
    const magnitude = unsigned(sized(key, at + 1, size));
    const most = (1n << BigInt(8 * size)) - 1n;
    return { item: isNegative ? magnitude - most : magnitude, at: at + 1 + size };
  }
  if (code === 0x20) return { item: float(sized(key, at, 4)), at: at + 4 };
  if (code === 0x21) return { item: float(sized(key, at, 8)), at: at + 8 };
  if (code === 0x26) return { item: false, at };
  if (code === 0x27) return { item: true, at };
  if (code === 0x30) return { item: uuid(sized(key, at, 16)), at: at + 16 };
  if (code === 0x32) return { item: sized(key, at, 8), at: at + 8 };
  if (code === 0x33) return { item: sized(key, at, 12), at: at + 12 };
  throw new RangeError(`no item begins with 0x${code.toString(16).padStart(2, '0')}`);
}

/**
 * A tuple in a tuple ends with a 0; null in it is 0 0xff.
 * @param {Uint8Array} key
 * @param {number} at
 * @param {number} depth
 */
function nested(key, at, depth) {
  if (depth > 50) throw new RangeError('it is nested too deeply');
  const items = [];
  for (;;) {
    if (at >= key.length) throw new RangeError('a tuple in it has no end');
    if (key[at] === 0 && key[at + 1] !== 0xff) return { item: items, at: at + 1 };
    if (key[at] === 0) {
      items.push(null);
      at += 2;
      continue;
    }
    const { item, at: end } = one(key, at, depth);
    items.push(item);
    at = end;
  }
}

/** @type {import('./varve-plugin').Plugin} */
export default {
  name: 'tuple',
  title: 'Tuples',
  about: 'Keys that are tuples as the tuple layer of FoundationDB packs them, big-endian.',
  version: '1.0',
  key: {
    columns: ['1st', '2nd', '3rd'],
    decode(key) {
      const items = [];
      for (let at = 0; at < key.length;) {
        const { item, at: end } = one(key, at, 0);
        items.push(item);
        at = end;
      }
      return items;
    },
  },
};
