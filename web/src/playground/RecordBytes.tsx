// SPDX-License-Identifier: Apache-2.0
// One record of a log, byte by byte with what each byte is.
import type { LayoutRange } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useRows } from '@/engine/context';
import { rawBytes } from '@/lib/bytes';
import { Shown } from '@/ui/states';

// Fields that are numbers lie in the file with their lowest byte first.
function bytesOf(range: LayoutRange): Uint8Array {
  if (range.bytes) return rawBytes(range.bytes);
  const number = BigInt(range.number ?? 0);
  return Uint8Array.from({ length: range.n }, (_, i) => Number((number >> BigInt(8 * i)) & 0xffn));
}

const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

export function RecordBytes({ path, from }: { path: { t: string; n: string }; from: number }) {
  const query = { depth: 'fields', from_offset: from } as const;
  const layout = useRows(
    ask('/targets/{t}/wal/{n}/layout', { path, query }),
    (page) => page.ranges,
    40,
  );
  return (
    <section aria-label="bytes of the newest record">
      <h3>The newest record, byte by byte</h3>
      <Shown of={layout} lines={2}>
        {({ rows }) => (
          <ul className="record-bytes">
            {rows.map((range) => (
              <li
                key={range.o}
                className={range.path?.startsWith('header') ? 'f5' : range.bytes ? 'f1' : 'f3'}
              >
                <span className="mono">
                  {hex(bytesOf(range).slice(0, 16))}
                  {range.n > 16 ? ' …' : ''}
                </span>
                <span className="muted">{range.path?.split('/').at(-1)?.replaceAll('_', ' ')}</span>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  );
}
