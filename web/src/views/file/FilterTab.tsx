// SPDX-License-Identifier: Apache-2.0
// The filter: how full it is, how often it is wrong, and what it says of one key, bit by bit.
import { ask } from '@/engine/client';
import { useResource } from '@/engine/context';
import { varve } from '@/lib/cli';
import { bytes, count, plural, ratio } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { QueryForm } from '@/ui/QueryForm';
import { BytesText, Facts } from '@/ui/small';
import { Empty, Shown } from '@/ui/states';
import type { FilePath } from './path';

const rate = (x: number) => `${(100 * x).toFixed(x < 0.01 ? 3 : 2)} %`;

export function FilterTab({ path, name }: { path: FilePath; name: string }) {
  const source = ask('/targets/{t}/files/{n}/filter', { path });
  const filter = useResource(source);
  return (
    <Panel title="Filter" source={source} cli={varve('sst filter', [name])}>
      <Shown of={filter} what="asking the filter for absent keys">
        {({ filter: f }) =>
          f.kind === 'none' ? (
            <Empty>The table has none: every lookup in its range reads a block.</Empty>
          ) : (
            <>
              <Facts
                of={[
                  ['kind', `${f.kind}${f.partitioned ? ', partitioned' : ''}`],
                  [
                    'policy',
                    <span key="p" className="mono">
                      {f.policy}
                    </span>,
                  ],
                  ['size', bytes(f.bytes)],
                  ['bits per key', f.bits_per_key === undefined ? '–' : ratio(f.bits_per_key)],
                  ['probes of a key', f.probes === undefined ? '–' : String(f.probes)],
                  [
                    'bits set',
                    f.fill === undefined ? '–' : `${rate(f.fill)} of ${count(f.bits ?? 0)}`,
                  ],
                  [
                    'partitions',
                    f.partitions
                      ? `${f.partitions.count}, ${bytes(f.partitions.smallest)} to ${bytes(f.partitions.largest)}`
                      : '–',
                  ],
                  [
                    'false positives',
                    f.false_positives
                      ? `${rate(f.false_positives.rate)} [${f.false_positives.ci95.map(rate).join(', ')}] of ${count(f.false_positives.asked)} absent keys`
                      : '–',
                  ],
                  [
                    'expected',
                    f.false_positives?.expected === undefined
                      ? '–'
                      : rate(f.false_positives.expected),
                  ],
                  ['holds', f.whole_keys ? 'whole keys' : `prefixes (${f.prefix_extractor})`],
                ]}
              />
              {f.problem && <p className="bad">✗ {f.problem}</p>}
              <Probe path={path} name={name} />
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

function Probe({ path, name }: { path: FilePath; name: string }) {
  const { route } = useRoute();
  const key = route.query.probe;
  const answer = useResource(
    key ? ask('/targets/{t}/files/{n}/filter:probe', { path, query: { key } }) : null,
  );
  return (
    <section className="record" aria-label="probe a key">
      <QueryForm
        of={[{ name: 'probe', label: 'ask for a key', placeholder: 'user:42 or hex:0102' }]}
        send="Ask"
      >
        {key && <code>{varve('sst probe', [name, key])}</code>}
      </QueryForm>
      {key && (
        <Shown of={answer} lines={2}>
          {(document) => {
            const { bits, first_zero: zero, may_match: maybe } = document.filter;
            const missed = zero === undefined ? undefined : bits?.indexOf(zero);
            return (
              <p aria-live="polite">
                <BytesText bytes={document.key} />:{' '}
                <b className={maybe ? 'warn' : 'good'}>
                  {maybe ? 'maybe in it' : 'surely not in it'}
                </b>
                {bits && bits.length > 0 && (
                  <>
                    {' '}
                    · bits{' '}
                    {bits.map((bit, i) => (
                      <span key={i} className="mono nowrap">
                        {bit}{' '}
                        {missed === undefined || missed < 0 || i < missed
                          ? '✓'
                          : i === missed
                            ? '✗'
                            : '·'}{' '}
                      </span>
                    ))}
                  </>
                )}
                <span className="muted">
                  {' '}
                  · read {plural(document.reads.length, 'block')}, no data block
                </span>
              </p>
            );
          }}
        </Shown>
      )}
    </section>
  );
}
