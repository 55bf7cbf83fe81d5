// SPDX-License-Identifier: Apache-2.0
// MessagePack (github.com/msgpack/msgpack/blob/master/spec.md): values that are one object of it.
// @ts-check

const utf8 = new TextDecoder('utf-8', { fatal: true });

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
    this.depth = 0;
  }

  /** @param {number} size */
  take(size) {
    if (this.at + size > this.bytes.length) throw new RangeError('it ends too early');
    this.at += size;
    return this.at - size;
  }

  /** @param {number} size */
  unsigned(size) {
    const at = this.take(size);
    if (size === 8) return exact(this.view.getBigUint64(at));
    return size === 1
      ? this.view.getUint8(at)
      : size === 2
        ? this.view.getUint16(at)
        : this.view.getUint32(at);
  }

  /** @param {number} size */
  signed(size) {
    const at = this.take(size);
    if (size === 8) return exact(this.view.getBigInt64(at));
    return size === 1
      ? this.view.getInt8(at)
      : size === 2
        ? this.view.getInt16(at)
        : this.view.getInt32(at);
  }

  /** @param {number} size */
  raw(size) {
    const at = this.take(size);
    return this.bytes.subarray(at, at + size);
  }

  /** @param {number} size */
  text(size) {
    const raw = this.raw(size);
    try {
      return utf8.decode(raw);
    } catch {
      return raw; // The specification lets a text have bytes that are none.
    }
  }

  /** @param {number} size */
  list(size) {
    return this.inside(size, (items) => items.push(this.object()), /** @type {unknown[]} */ ([]));
  }

  /** @param {number} size */
  map(size) {
    return this.inside(
      size,
      (of) => {
        const key = this.object();
        of.set(typeof key === 'string' ? key : JSON.stringify(key), this.object());
      },
      /** @type {Map<string, unknown>} */ (new Map()),
    );
  }

  /**
   * @template T
   * @param {number} size
   * @param {(of: T) => void} add
   * @param {T} of
   */
  inside(size, add, of) {
    // Each of them takes a byte at least.
    if (size > this.bytes.length - this.at) throw new RangeError('it ends too early');
    if (++this.depth > 100) throw new RangeError('it is nested too deeply');
    for (let i = 0; i < size; i += 1) add(of);
    this.depth -= 1;
    return of;
  }

  /** @param {number} size */
  extension(size) {
    const type = this.signed(1);
    const raw = this.raw(size);
    if (type !== -1) return { extension: type, bytes: raw };
    const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    if (size === 4) return time(BigInt(view.getUint32(0)), 0);
    if (size === 8) {
      const both = view.getBigUint64(0);
      return time(both & 0x3ffffffffn, Number(both >> 34n));
    }
    if (size === 12) return time(view.getBigInt64(4), view.getUint32(0));
    throw new RangeError(`a time of ${size} bytes`);
  }

  /** @returns {unknown} */
  object() {
    const first = this.view.getUint8(this.take(1));
    if (first < 0x80) return first;
    if (first < 0x90) return this.map(first & 0xf);
    if (first < 0xa0) return this.list(first & 0xf);
    if (first < 0xc0) return this.text(first & 0x1f);
    if (first >= 0xe0) return first - 0x100;
    switch (first) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.raw(Number(this.unsigned(1 << (first - 0xc4))));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.extension(Number(this.unsigned(1 << (first - 0xc7))));
      case 0xca:
        return this.view.getFloat32(this.take(4));
      case 0xcb:
        return this.view.getFloat64(this.take(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return this.unsigned(1 << (first - 0xcc));
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3:
        return this.signed(1 << (first - 0xd0));
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.extension(1 << (first - 0xd4));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.text(Number(this.unsigned(1 << (first - 0xd9))));
      case 0xdc:
      case 0xdd:
        return this.list(Number(this.unsigned(first === 0xdc ? 2 : 4)));
      case 0xde:
      case 0xdf:
        return this.map(Number(this.unsigned(first === 0xde ? 2 : 4)));
      default:
        throw new RangeError('no object begins with 0xc1');
    }
  }
}

/** @param {bigint} value */
function exact(value) {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

/**
 * @param {bigint} seconds
 * @param {number} nanoseconds
 */
function time(seconds, nanoseconds) {
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} s since 1970`;
  const part =
    nanoseconds === 0 ? '' : `.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}`;
  return date.toISOString().replace(/\.\d+Z$/, `${part}Z`);
}

/** @type {import('./varve-plugin').Plugin} */
export default {
  name: 'msgpack',
  title: 'MessagePack',
  about: 'Values that are one object of MessagePack: maps, lists, texts, numbers, bytes and times.',
  version: '1.0',
  value: {
    decode(value) {
      const reader = new Reader(value);
      const object = reader.object();
      const left = value.length - reader.at;
      if (left > 0) throw new RangeError(`${left} bytes are left behind the object`);
      return object;
    },
  },
};
