// SPDX-License-Identifier: Apache-2.0
// Everything that a verification found, while it runs and after.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Finding, Job } from '@/api/openapi';
import { ask, isOf } from '@/engine/client';
import { useClient, useResource, useRows, useTarget, useTargetPath } from '@/engine/context';
import { cancelJob, hasEnded, useRun } from '@/shell/jobs';
import { varve } from '@/lib/cli';
import { bytes, count, percent, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { Bar, BytesText, Facts } from '@/ui/small';
import { Empty, ProblemNote } from '@/ui/states';

const kMostShown = 10_000;

export default function Findings() {
  const client = useClient();
  const path = useTargetPath();
  const target = useTarget().data?.target;
  const run = useRun('varve.verify/1');
  // A verification of before is shown until a new one is asked for.
  const before = useQuery({
    queryKey: [client?.engine.letter, path.t, 'last verify', run.job?.state],
    queryFn: async ({ signal }) => {
      const { jobs } = await client!.get(ask('/targets/{t}/jobs', { path }), signal);
      return jobs.filter((job) => job.kind === 'verify').at(-1) ?? null;
    },
    enabled: client !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? 500 : false),
  });
  const job = run.job ?? before.data ?? null;
  const verb = target?.kind === 'sst' ? 'sst verify' : 'db verify';
  const name = target?.kind === 'sst' ? target.name : `./${target?.name ?? ''}`;
  const running = job !== null && !hasEnded(job);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Findings</h1>
        <span className="muted">every checksum, order, count, level and directory invariant</span>
        <Button size="compact-sm" onClick={() => run.start({ kind: 'verify' })} disabled={running}>
          {job ? 'Verify again' : 'Verify'}
        </Button>
        {running && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              if (client) void cancelJob(client, path.t, job);
            }}
          >
            Cancel
          </Button>
        )}
      </div>
      {run.problem && <ProblemNote problem={run.problem} />}
      {job ? (
        <Result job={job} cli={varve(verb, [name])} />
      ) : (
        !run.problem && <Empty>Not verified yet. Nothing is changed by it.</Empty>
      )}
    </div>
  );
}

const isTable = (finding: Finding) => /\.(sst|ldb)$/.test(finding.file);
// A table that is a target of its own is number 0 of it.
const numberOf = (finding: Finding) =>
  /^(\d+)\./.exec(finding.file)?.[1]?.replace(/^0+(?=\d)/, '') ?? '0';

function Result({ job, cli }: { job: Job; cli: string }) {
  const { route, setQuery, link } = useRoute();
  const path = { ...useTargetPath(), j: job.id };
  const done = job.state === 'done';
  const resultSource = ask('/targets/{t}/jobs/{j}/result', { path });
  const result = useResource(done ? resultSource : null);
  const found = result.data && isOf(result.data, 'varve.verify/1') ? result.data : null;
  const findingsSource = ask('/targets/{t}/jobs/{j}/findings', { path });
  const findings = useRows(done ? findingsSource : null, (page) => page.findings, kMostShown);
  if (!done) {
    return (
      <Panel
        title={job.state === 'running' || job.state === 'queued' ? 'Verifying' : job.state}
        cli={cli}
      >
        <Bar
          value={job.progress.done}
          most={Math.max(1, job.progress.total)}
          label={`${percent(job.progress.done, job.progress.total)} verified`}
        />
        <p className="muted" role="status">
          {bytes(job.progress.done)} of {bytes(job.progress.total)}
        </p>
      </Panel>
    );
  }
  const rows = findings.data?.rows ?? [];
  const id = (finding: Finding) => `${finding.file}@${finding.offset ?? ''}:${finding.what}`;
  const selected = rows.find((finding) => id(finding) === route.query.sel);
  const columns: Column<Finding>[] = [
    {
      id: 'severity',
      header: 'severity',
      value: (f) => f.severity,
      cell: (f) => (
        <span
          className={f.severity === 'error' ? 'bad' : f.severity === 'warning' ? 'warn' : 'muted'}
        >
          {f.severity === 'error'
            ? '✗ error'
            : f.severity === 'warning'
              ? '▲ warning'
              : '· not checked'}
        </span>
      ),
      width: '120px',
    },
    { id: 'layer', header: 'layer', value: (f) => f.layer, width: '100px' },
    { id: 'file', header: 'file', value: (f) => f.file, width: 'minmax(120px, .6fr)', mono: true },
    {
      id: 'offset',
      header: 'offset',
      value: (f) => f.offset ?? -1,
      cell: (f) => (f.offset === undefined ? '–' : count(f.offset)),
      numeric: true,
      width: '100px',
    },
    { id: 'what', header: 'what', value: (f) => f.what, width: 'minmax(240px, 3fr)' },
  ];
  return (
    <>
      <Panel title="Verdict" source={resultSource} cli={cli}>
        {found && (
          <>
            <p className="verdict">
              {found.clean ? (
                <b className="good">✓ clean</b>
              ) : (
                <b className="bad">✗ {plural(found.findings_total, 'finding')}</b>
              )}
            </p>
            <Facts
              of={[
                ['files', count(found.files)],
                ['blocks', count(found.blocks)],
                ['bytes', bytes(found.bytes)],
                ['entries', count(found.entries)],
                ['log records', count(found.wal_records)],
              ]}
            />
          </>
        )}
      </Panel>
      {rows.length > 0 && (
        <Panel title="Findings" source={findingsSource} cli={cli}>
          <DataGrid
            label="findings"
            saveName="findings"
            rows={rows}
            columns={columns}
            rowId={id}
            height={420}
            selected={route.query.sel ?? null}
            onSelect={(finding) => setQuery({ sel: id(finding) })}
            note={findings.data?.complete === false ? 'the first' : ''}
          />
          {selected && (
            <section className="record" aria-live="polite" aria-label="selected finding">
              <h3>
                {selected.file}
                {selected.offset === undefined ? '' : ` at ${count(selected.offset)}`}
              </h3>
              <p>{selected.what}</p>
              {selected.lost_range && (
                <p>
                  keys at stake: <BytesText bytes={selected.lost_range.from} /> …{' '}
                  <BytesText bytes={selected.lost_range.to} />
                </p>
              )}
              <p className="toolbar">
                {isTable(selected) && (
                  <a href={link('block', [numberOf(selected), String(selected.offset ?? 0)])}>
                    Show the bytes
                  </a>
                )}
                {isTable(selected) && (
                  <code>{`${varve('sst salvage', [selected.file])} -o saved.sst`}</code>
                )}
              </p>
            </section>
          )}
        </Panel>
      )}
    </>
  );
}
