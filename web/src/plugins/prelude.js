// SPDX-License-Identifier: Apache-2.0
// Runs inside of a plugin's interpreter, before the plugin does: what it finds there beside the language, and
// how the page calls it. What the plugin changes of the language it changes for itself alone; the page takes
// texts from here, and checks what they say. `host.ask(id, path)` asks the page, `host.done(text)` ends a view.
// eslint-disable-next-line @typescript-eslint/no-unused-expressions
(function (host) {
  'use strict';
  const fromHex = (hex) => {
    const bytes = new Uint8Array(hex.length >> 1);
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
    return bytes;
  };
  const toHex = (bytes) => {
    let hex = '';
    for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
    return hex;
  };

  const kReplacement = '\ufffd';
  // As Encoding Standard's UTF-8: what is none is replaced, or refused.
  function decodeUtf8(bytes, fatal) {
    let text = '';
    const wrong = () => {
      if (fatal) throw new TypeError('this is not UTF-8');
      text += kReplacement;
    };
    for (let i = 0; i < bytes.length;) {
      const first = bytes[i++];
      if (first < 0x80) {
        text += String.fromCharCode(first);
        continue;
      }
      const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
      if (first < 0xc2 || first > 0xf4) {
        wrong();
        continue;
      }
      let point = first & (0x3f >> more);
      let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      let left = more;
      while (left > 0 && i < bytes.length && bytes[i] >= low && bytes[i] <= high) {
        point = (point << 6) | (bytes[i++] & 0x3f);
        low = 0x80;
        high = 0xbf;
        left -= 1;
      }
      if (left > 0) wrong();
      else text += String.fromCodePoint(point);
    }
    return text;
  }
  function encodeUtf8(text) {
    const out = [];
    for (const letter of text) {
      let point = letter.codePointAt(0);
      if (point >= 0xd800 && point < 0xe000) point = 0xfffd;
      if (point < 0x80) out.push(point);
      else if (point < 0x800) out.push(0xc0 | (point >> 6), 0x80 | (point & 0x3f));
      else if (point < 0x10000)
        out.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f));
      else
        out.push(
          0xf0 | (point >> 18),
          0x80 | ((point >> 12) & 0x3f),
          0x80 | ((point >> 6) & 0x3f),
          0x80 | (point & 0x3f),
        );
    }
    return Uint8Array.from(out);
  }
  const kBase64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  function fromBase64(text) {
    const out = [];
    let bits = 0;
    let held = 0;
    for (const letter of text) {
      const six = kBase64.indexOf(letter);
      if (six < 0) continue;
      held = (held << 6) | six;
      bits += 6;
      if (bits >= 8) out.push((held >> (bits -= 8)) & 0xff);
    }
    return Uint8Array.from(out);
  }
  globalThis.TextDecoder = class TextDecoder {
    constructor(label = 'utf-8', { fatal = false } = {}) {
      if (!/^utf-?8$/i.test(label)) throw new RangeError('only UTF-8 is known here');
      this.fatal = fatal;
    }
    decode(bytes = new Uint8Array()) {
      const view = ArrayBuffer.isView(bytes)
        ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : new Uint8Array(bytes);
      return decodeUtf8(view, this.fatal);
    }
  };
  globalThis.TextEncoder = class TextEncoder {
    encode(text = '') {
      return encodeUtf8(String(text));
    }
  };
  globalThis.varve = Object.freeze({
    bytes: (from) =>
      from.hex !== undefined
        ? fromHex(from.hex)
        : from.b64 !== undefined
          ? fromBase64(from.b64)
          : encodeUtf8(from.text ?? ''),
    hex: toHex,
  });

  // What JSON cannot say by itself.
  const plain = (_, value) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (value instanceof Uint8Array) return `hex:${toHex(value)}`;
    if (value instanceof ArrayBuffer) return `hex:${toHex(new Uint8Array(value))}`;
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Set) return [...value];
    return value;
  };
  const said = (value) => `=${JSON.stringify(value, plain) ?? ''}`;
  const failed = (error) => {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return `!${text.slice(0, 300)}`;
  };
  const bytesOf = (buffer) => (buffer === undefined ? undefined : new Uint8Array(buffer));

  const waiting = new Map();
  let asked = 0;
  function ask(path, query = {}) {
    const words = Object.entries(query).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
    );
    const whole = words.length > 0 ? `${path}?${words.join('&')}` : String(path);
    return new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      host.ask(asked, whole);
    });
  }
  async function* pages(path, query = {}) {
    let page_token;
    do {
      const page = await ask(path, page_token === undefined ? query : { ...query, page_token });
      yield page;
      page_token = page.next_page_token;
    } while (page_token !== undefined);
  }

  let plugin = {};
  return {
    // The plugin's word on itself, as a text.
    adopt(of) {
      try {
        if (typeof of !== 'object' || of === null)
          throw new TypeError('its default export is no object');
        plugin = of;
        const decoder = (one) =>
          one === undefined
            ? undefined
            : { columns: one.columns, isSound: typeof one.decode === 'function' };
        const { name, title, about, version, key, value, view } = of;
        return said({
          name,
          title,
          about,
          version,
          key: decoder(key),
          value: decoder(value),
          view: view && { controls: view.controls, isSound: typeof view.draw === 'function' },
        });
      } catch (error) {
        return failed(error);
      }
    },
    decode(what, bytes, other) {
      try {
        return said(plugin[what].decode(bytesOf(bytes), bytesOf(other)));
      } catch (error) {
        return failed(error);
      }
    },
    draw(text) {
      const about = JSON.parse(text);
      (async () => plugin.view.draw({ ...about, ask, pages }))().then(
        (blocks) => {
          try {
            host.done(said(blocks));
          } catch (error) {
            host.done(failed(error));
          }
        },
        (error) => host.done(failed(error)),
      );
    },
    answer(id, isDocument, text) {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (isDocument) resolve(JSON.parse(text));
      else reject(new Error(text));
    },
  };
});
