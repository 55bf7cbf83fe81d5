// SPDX-License-Identifier: Apache-2.0
// Compressed parts of a trace, by the browser; no more than a bound for all of them together.
export class Inflate {
  constructor(private left: number) {}

  // Throws if the bytes are damaged, or become more than is left.
  async bytes(of: Uint8Array<ArrayBuffer>, format: CompressionFormat): Promise<Uint8Array> {
    const stream = new Blob([of]).stream().pipeThrough(new DecompressionStream(format));
    const reader = stream.getReader();
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      this.left -= value.byteLength;
      if (this.left < 0) {
        void reader.cancel();
        throw new Error('decompressed, it is larger than a tab can hold');
      }
      chunks.push(value);
    }
    const whole = new Uint8Array(size);
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.byteLength;
    }
    return whole;
  }
}
