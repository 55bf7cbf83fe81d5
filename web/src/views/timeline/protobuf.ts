// SPDX-License-Identifier: Apache-2.0
// Fields of a message in protobuf's wire format, one after the other, without a schema:
// https://protobuf.dev/programming-guides/encoding/. Nothing is copied; no length is believed that
// leaves the message.

const kVarint = 0;
const kFixed64 = 1;
const kBytes = 2;
const kFixed32 = 5;
const kTwo32 = 2 ** 32;
const kIdDigits = 2 ** 21; // Of the high half: ids below 2^53 are numbers.

export interface Part {
  bytes: Uint8Array;
  begin: number;
  end: number;
}

const utf8 = new TextDecoder();
const kTextMost = 4096; // Of a name that is shown.

export class Message {
  field = 0;
  private wire = 0;
  private low = 0; // Of the value, or where its bytes begin
  private high = 0; // and end.
  private at: number;
  private readonly view: DataView;

  constructor(private readonly part: Part) {
    this.at = part.begin;
    this.view = new DataView(part.bytes.buffer, part.bytes.byteOffset, part.bytes.byteLength);
  }

  // Where what has been read ends.
  get place(): number {
    return this.at;
  }

  // Whether there is another field; it is then this one. Throws where the bytes are no message.
  next(): boolean {
    if (this.at >= this.part.end) return false;
    const begin = this.at;
    this.varint();
    this.wire = this.low & 7;
    this.field = Math.floor(this.number() / 8);
    const wire = this.wire;
    if (wire === kVarint) this.varint();
    else if (wire === kFixed64) {
      this.need(8);
      this.low = this.view.getUint32(this.at, true);
      this.high = this.view.getUint32(this.at + 4, true);
      this.at += 8;
    } else if (wire === kBytes) {
      this.varint();
      const length = this.number();
      this.need(length);
      this.low = this.at;
      this.at += length;
      this.high = this.at;
    } else if (wire === kFixed32) {
      this.need(4);
      this.low = this.view.getUint32(this.at, true);
      this.high = 0;
      this.at += 4;
    } else throw new Error(`wire type ${wire} at offset ${begin}`);
    return true;
  }

  private need(bytes: number) {
    if (!(bytes <= this.part.end - this.at))
      throw new Error(`a field at offset ${this.at} ends beyond its message`);
  }

  private varint() {
    this.low = this.high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      this.need(1);
      const byte = this.part.bytes[this.at]!;
      this.at += 1;
      const bits = byte & 0x7f;
      if (shift < 28) this.low |= bits << shift;
      else if (shift === 28) {
        this.low |= bits << 28;
        this.high |= bits >>> 4;
      } else if (shift < 63) this.high |= bits << (shift - 32);
      else this.high |= (bits & 1) << 31;
      if (byte < 0x80) {
        this.low >>>= 0;
        this.high >>>= 0;
        return;
      }
    }
    throw new Error(`a number at offset ${this.at} has no end`);
  }

  get isBytes(): boolean {
    return this.wire === kBytes;
  }

  // As a double; beyond 2^53 not exact.
  number(): number {
    return this.high * kTwo32 + this.low;
  }

  signed(): number {
    if (this.high < 0x8000_0000) return this.number();
    return -((~this.high >>> 0) * kTwo32 + (~this.low >>> 0) + 1);
  }

  double(): number {
    const view = new DataView(new ArrayBuffer(8));
    view.setUint32(0, this.low, true);
    view.setUint32(4, this.high, true);
    return view.getFloat64(0, true);
  }

  // Exact: a number below 2^53, else its halves.
  id(): number | string {
    return this.high < kIdDigits ? this.number() : `${this.high}:${this.low}`;
  }

  bytes(): Part {
    return this.isBytes
      ? { bytes: this.part.bytes, begin: this.low, end: this.high }
      : { bytes: this.part.bytes, begin: 0, end: 0 };
  }

  text(): string {
    const { bytes, begin, end } = this.bytes();
    return utf8.decode(bytes.subarray(begin, Math.min(end, begin + kTextMost)));
  }

  // A number, or many of them in a row.
  *ids(): Generator<number | string> {
    yield* this.packed((of) => of.id());
  }

  *signeds(): Generator<number> {
    yield* this.packed((of) => of.signed());
  }

  private *packed<T>(take: (of: Message) => T): Generator<T> {
    if (!this.isBytes) {
      yield take(this);
      return;
    }
    const within = new Message(this.bytes());
    while (within.at < within.part.end) {
      within.varint();
      yield take(within);
    }
  }

  // 64 bits each: ids, and what reads them as doubles.
  *fixed<T>(take: (of: Message) => T): Generator<T> {
    if (!this.isBytes) {
      yield take(this);
      return;
    }
    const within = new Message(this.bytes());
    for (; within.at + 8 <= within.part.end; within.at += 8) {
      within.low = within.view.getUint32(within.at, true);
      within.high = within.view.getUint32(within.at + 4, true);
      yield take(within);
    }
  }
}
