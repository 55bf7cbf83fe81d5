// @vitest-environment node
// SPDX-License-Identifier: Apache-2.0
// In node: the Blobs of jsdom are no streams.
import { describe, expect, it } from 'vitest';
import { filesOf, zipOf } from './archive';

const kFiles = ['CURRENT', 'LOCK', '000003.log', '000007.sst'];
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const kPlayground = {
  sizes: () => Promise.resolve(kFiles.map((name) => ({ name, size: name.length }))),
  read: (name: string, offset: number, size: number) =>
    Promise.resolve(new TextEncoder().encode(name).slice(offset, offset + size)),
};

describe('the download', () => {
  async function folderOf(zip: Blob): Promise<Record<string, string>> {
    const files = await filesOf(zip);
    const read = files.map(async ({ name, bytes }) => [name, text(await whole(bytes))] as const);
    return Object.fromEntries(await Promise.all(read));
  }
  const whole = async (bytes: Uint8Array | Blob) =>
    bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes;

  it('is a zip file that opens again, without the lock', async () => {
    const files = await folderOf(await zipOf(kPlayground, 'db'));
    expect(Object.keys(files)).toEqual(kFiles.filter((name) => name !== 'LOCK'));
    for (const [name, content] of Object.entries(files)) expect(content).toBe(name);
  });
  it('is read piece by piece, to the size of when it began', async () => {
    const big = new Uint8Array(9 << 20).map((_, i) => i % 251);
    const asked: number[] = [];
    const zip = await zipOf(
      {
        sizes: () => Promise.resolve([{ name: 'CURRENT', size: big.length - 5 }]),
        read: (_, offset, size) => {
          asked.push(size);
          return Promise.resolve(big.slice(offset, offset + size));
        },
      },
      'db',
    );
    expect(asked).toEqual([4 << 20, 4 << 20, (1 << 20) - 5]);
    const [file] = await filesOf(zip);
    expect(Buffer.compare(await whole(file!.bytes), big.subarray(0, -5))).toBe(0);
  });
  it('does not end early without a word', async () => {
    const short = {
      sizes: () => Promise.resolve([{ name: 'CURRENT', size: 9 }]),
      read: () => Promise.resolve(new Uint8Array()),
    };
    await expect(zipOf(short, 'db')).rejects.toThrow('CURRENT ends at 0, not at 9');
  });
  it('is refused where it is something else', async () => {
    await expect(filesOf(new Blob(['PK, but no zip file']))).rejects.toMatchObject({
      problem: { code: 'no_database' },
    });
    const other = { ...kPlayground, sizes: () => Promise.resolve([]) };
    await expect(filesOf(await zipOf(other, 'db'))).rejects.toMatchObject({
      problem: { detail: 'a zip file of a database has a file CURRENT' },
    });
  });
});
