// SPDX-License-Identifier: Apache-2.0
import { Button } from '@mantine/core';
import type { FileSummary, HistoryJob } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useResource, useRows, useTargetPath } from '@/engine/context';
import { varve } from '@/lib/cli';
import { bytes, count, percent, plural, ratio, time } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { Sideways } from '@/ui/small';
import { Shown } from '@/ui/states';
import { contentsOf, growthOf, propertyOf, shortFilter, type LevelContents } from './contents';
import type { Tables } from './tables';

export function Contents({ tables, name }: { tables: Tables; name: string }) {
  const { route } = useRoute();
  return (
    <Panel
      title={`Contents of ${route.cf}`}
      className="two"
      source={tables.source}
      cli={varve('lsm files', [name], { cf: route.cf, properties: true })}
    >
      {tables.isOpen ? (
        <Shown of={tables.files} what="opening the tables">
          {({ rows }) => <ByLevel of={contentsOf(rows)} />}
        </Shown>
      ) : (
        <>
          <p className="muted">How many keys and deletions, how compressed, how old?</p>
          <Button size="compact-sm" variant="light" mt={8} onClick={tables.open}>
            Open {plural(tables.count, 'table')}
          </Button>
        </>
      )}
    </Panel>
  );
}

function ByLevel({ of: levels }: { of: LevelContents[] }) {
  if (levels.length === 0) return <p className="empty">No tables.</p>;
  return (
    <Sideways of="contents by level">
      <PlainTable name="contents by level">
        <thead>
          <tr>
            <th>level</th>
            <th className="num">entries</th>
            <th className="num">deletions</th>
            <th className="num">stored</th>
            <th className="num">keys and values uncompressed</th>
            <th className="num">ratio</th>
            <th>codec</th>
            <th>filter</th>
            <th>oldest from</th>
          </tr>
        </thead>
        <tbody>
          {levels.map((level) => (
            <tr key={level.level}>
              <td>L{level.level}</td>
              <td className="num">{count(level.entries)}</td>
              <td className="num">{percent(level.deletions, level.entries)}</td>
              <td className="num nowrap" data-value={level.stored}>
                {bytes(level.stored)}
              </td>
              <td className="num nowrap" data-value={level.raw}>
                {bytes(level.raw)}
              </td>
              <td className="num">{level.stored > 0 ? ratio(level.raw / level.stored) : '–'}</td>
              <Makeup of={level.sample} />
              <td className="nowrap">{level.oldest > 0 ? time(level.oldest) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <p className="muted">Codec and filter are those of the newest table of each level.</p>
    </Sideways>
  );
}

function Makeup({ of: { id } }: { of: FileSummary }) {
  const path = { ...useTargetPath(), n: id };
  const { data } = useResource(ask('/targets/{t}/files/{n}/properties', { path }));
  return (
    <>
      <td>{data ? propertyOf(data.properties, 'rocksdb.compression') || '–' : '…'}</td>
      <td>{data ? shortFilter(propertyOf(data.properties, 'rocksdb.filter.policy')) : '…'}</td>
    </>
  );
}

// The size after each job, as the MANIFEST tells it: from left to right the oldest to the newest.
export function Growth({ name }: { name: string }) {
  const { route } = useRoute();
  const path = useTargetPath();
  const source = ask('/targets/{t}/history', { path, query: { cf: route.cf } });
  // Of all families, as "What it did last" asks for them, so that they are fetched once.
  const jobs = useRows(ask('/targets/{t}/history', { path }), (page) => page.jobs);
  return (
    <Panel title="Growth" source={source} cli={varve('lsm history', [name], { cf: route.cf })}>
      <Shown of={jobs}>
        {({ rows }) => <GrowthLine jobs={rows.filter((job) => job.cf === route.cf)} />}
      </Shown>
    </Panel>
  );
}

const kWidth = 300;
const kHeight = 72;

function GrowthLine({ jobs }: { jobs: HistoryJob[] }) {
  const sizes = growthOf(jobs);
  const now = sizes.at(-1);
  if (now === undefined || sizes.length < 2)
    return <p className="empty">The MANIFEST tells of too few flushes and compactions.</p>;
  const most = Math.max(1, ...sizes);
  const points = sizes
    .map((size, i) => `${(kWidth * i) / (sizes.length - 1)},${kHeight * (1 - size / most)}`)
    .join(' ');
  const times = jobs.flatMap((job) => job.creation_time_unix_s || []);
  const [begin, end] = [times[0], times.at(-1)];
  const flushed = jobs
    .filter((job) => job.kind === 'flush' || job.kind === 'ingestion')
    .reduce((sum, job) => sum + job.bytes_written, 0);
  const days = begin && end ? (end - begin) / 86_400 : 0;
  return (
    <>
      <svg
        className="growth"
        viewBox={`0 -2 ${kWidth} ${kHeight + 4}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`from ${bytes(sizes[0]!)} to ${bytes(now)}, at most ${bytes(most)}`}
      >
        <polyline points={points} />
      </svg>
      <p className="muted">
        {bytes(sizes[0]!)} → <b>{bytes(now)}</b> over {plural(sizes.length, 'job')}, at most{' '}
        {bytes(most)}
        {days >= 1
          ? `; ${bytes(flushed / days)} a day were flushed since ${time(begin!)}`
          : begin
            ? `; since ${time(begin)}`
            : ''}
      </p>
    </>
  );
}
