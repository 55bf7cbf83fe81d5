// SPDX-License-Identifier: Apache-2.0
// Results of `varve bench`: one run, or A against B with intervals. The files stay in this tab.
import { Button, FileButton, NativeSelect } from '@mantine/core';
import { useMemo, useState } from 'react';
import { count, nanoseconds, ratio } from '@/lib/format';
import { Chart, type ChartData, type Series } from '@/ui/Chart';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { Facts, Sideways } from '@/ui/small';
import { Empty } from '@/ui/states';
import {
  compare,
  differences,
  parseBench,
  verdictOf,
  type BenchComparison,
  type BenchFile,
  type BenchRun,
  type Workload,
} from './results';

interface Loaded {
  name: string;
  file: BenchFile;
}

export default function Bench() {
  const [loaded, setLoaded] = useState<Loaded[]>([]);
  const [trouble, setTrouble] = useState<string | null>(null);

  async function take(files: File[]) {
    setTrouble(null);
    for (const file of files) {
      try {
        const parsed = parseBench(await file.text());
        setLoaded((before) =>
          [
            ...before.filter((one) => one.name !== file.name),
            { name: file.name, file: parsed },
          ].slice(-2),
        );
      } catch (error) {
        setTrouble(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  const runs = loaded.filter(
    (one): one is { name: string; file: BenchRun } => one.file.schema === 'varve.bench/1',
  );
  const comparisons = loaded.filter(
    (one): one is { name: string; file: BenchComparison } =>
      one.file.schema === 'varve.bench-comparison/1',
  );
  return (
    <div
      className="page"
      data-drop
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take([...event.dataTransfer.files]);
      }}
    >
      <div className="page-head">
        <h1>Bench</h1>
        <span className="muted">
          results of varve bench; drop one file, or two to hold B against A
        </span>
        <FileButton multiple accept="application/json,.json" onChange={(files) => void take(files)}>
          {(button) => (
            <Button size="compact-sm" {...button}>
              Choose results
            </Button>
          )}
        </FileButton>
      </div>
      {trouble && (
        <p className="bad" role="alert">
          {trouble}
        </p>
      )}
      {loaded.length === 0 && (
        <Empty>
          <code>varve bench run readrandom --repeat 5 --json -o a.json</code> writes one,{' '}
          <code>varve bench compare --b block_size=8192 --json -o ab.json</code> measures two in
          interleaved pairs.
        </Empty>
      )}
      {comparisons.map((one) => (
        <Measured key={one.name} name={one.name} of={one.file} />
      ))}
      {runs.length === 2 && <AgainstEachOther a={runs[0]!} b={runs[1]!} />}
      {runs.length > 0 && <Ladders runs={runs} />}
      {runs.map((one) => (
        <Run key={one.name} name={one.name} run={one.file} />
      ))}
    </div>
  );
}

// An estimate and its interval, on one scale for all rows.
function Interval({
  percent,
  low,
  high,
  reach,
}: {
  percent: number;
  low: number | null;
  high: number | null;
  reach: number;
}) {
  if (low === null || high === null) return <span className="muted">too few pairs</span>;
  const at = (x: number) => `${50 + (50 * Math.max(-reach, Math.min(reach, x))) / reach}%`;
  const tone = low > 0 ? 'good' : high < 0 ? 'bad' : 'none';
  return (
    <span
      className={`interval ${tone}`}
      role="img"
      aria-label={`${percent.toFixed(1)} %, between ${low.toFixed(1)} and ${high.toFixed(1)}`}
    >
      <i className="zero" />
      <i className="range" style={{ left: at(low), right: `calc(100% - ${at(high)})` }} />
      <i className="point" style={{ left: at(percent) }} />
    </span>
  );
}

const signed = (x: number) => `${x >= 0 ? '+' : '−'}${Math.abs(x).toFixed(1)}`;

function Measured({ name, of }: { name: string; of: BenchComparison }) {
  const ends = of.comparisons
    .flatMap((c) => [c.effect, c.check])
    .flatMap((estimate) => [estimate?.low ?? 0, estimate?.high ?? 0]);
  const reach = Math.max(1, ...ends.map(Math.abs));
  return (
    <Panel title={`${name}: B against A, in interleaved pairs`}>
      <Sideways of="pairs">
        <PlainTable name="pairs">
          <thead>
            <tr>
              <th>workload</th>
              <th>A</th>
              <th>B</th>
              <th className="num">change</th>
              <th>
                {of.confidence_percent} % interval, −{reach.toFixed(0)} … +{reach.toFixed(0)} %
              </th>
              <th>A against A</th>
              <th>verdict</th>
            </tr>
          </thead>
          <tbody>
            {of.comparisons.map((c) => (
              <tr key={`${c.workload}${c.b}`}>
                <td>{c.workload}</td>
                <td className="mono">{c.a}</td>
                <td className="mono">{c.b}</td>
                <td className="num nowrap">
                  {signed(c.effect.percent)} %
                  {c.effect.low !== null && c.effect.high !== null && (
                    <>
                      <br />
                      <span className="muted">
                        [{signed(c.effect.low)}, {signed(c.effect.high)}]
                      </span>
                    </>
                  )}
                </td>
                <td>
                  <Interval {...c.effect} reach={reach} />
                </td>
                <td>
                  {c.check ? (
                    <Interval {...c.check} reach={reach} />
                  ) : (
                    <span className="muted">not told</span>
                  )}
                </td>
                <td>{c.verdict}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </Sideways>
    </Panel>
  );
}

function AgainstEachOther({
  a,
  b,
}: {
  a: { name: string; file: BenchRun };
  b: { name: string; file: BenchRun };
}) {
  const changes = compare(a.file, b.file);
  const reach = Math.max(
    5,
    ...changes.flatMap((c) => [c.percent, ...(c.interval ?? [])].map(Math.abs)),
  );
  const differing = differences(
    {
      machine: a.file.machine,
      settings: a.file.settings,
      options: a.file.options_changed,
      store: a.file.store,
    },
    {
      machine: b.file.machine,
      settings: b.file.settings,
      options: b.file.options_changed,
      store: b.file.store,
    },
  );
  return (
    <>
      <Panel
        title={`${b.name} (B) against ${a.name} (A)`}
        cli={`varve bench compare ${a.name} ${b.name}`}
      >
        <Sideways of="comparison">
          <PlainTable name="comparison">
            <thead>
              <tr>
                <th>workload</th>
                <th className="num">A, ops/s</th>
                <th className="num">B, ops/s</th>
                <th className="num">change</th>
                <th>
                  95 % interval, −{reach.toFixed(0)} … +{reach.toFixed(0)} %
                </th>
                <th className="num">runs</th>
                <th>verdict</th>
              </tr>
            </thead>
            <tbody>
              {changes.map((c) => (
                <tr key={c.workload}>
                  <td>{c.workload}</td>
                  <td className="num">{count(Math.round(c.a))}</td>
                  <td className="num">{count(Math.round(c.b))}</td>
                  <td className="num nowrap">
                    {signed(c.percent)} %
                    {c.interval && (
                      <>
                        <br />
                        <span className="muted">
                          [{signed(c.interval[0])}, {signed(c.interval[1])}]
                        </span>
                      </>
                    )}
                  </td>
                  <td>
                    {c.interval ? (
                      <Interval
                        percent={c.percent}
                        low={c.interval[0]}
                        high={c.interval[1]}
                        reach={reach}
                      />
                    ) : (
                      <span className="muted">–</span>
                    )}
                  </td>
                  <td className="num">{c.runs.join(' · ')}</td>
                  <td>{verdictOf(c.interval)}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        </Sideways>
        {changes.length === 0 && <Empty>They have no workload in common.</Empty>}
        <p className="muted">
          Runs one after the other also differ by what the machine did meanwhile; interleaved pairs
          (varve bench compare --a … --b …) do not.
        </p>
      </Panel>
      <Panel title="What else differs">
        {differing.length === 0 ? (
          <Empty>Machine, settings and options are the same.</Empty>
        ) : (
          <PlainTable name="what differs">
            <thead>
              <tr>
                <th>name</th>
                <th>A</th>
                <th>B</th>
              </tr>
            </thead>
            <tbody>
              {differing.map(([what, left, right]) => (
                <tr key={what}>
                  <td className="mono">{what}</td>
                  <td className="mono wrap">{left}</td>
                  <td className="mono wrap">{right}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        )}
      </Panel>
    </>
  );
}

const kLadderTones = ['--level-4', '--level-0'];

// Latency by percentile, drawn by how rare a call is: p90, p99, p99.9 are equally far apart.
function Ladders({ runs }: { runs: { name: string; file: BenchRun }[] }) {
  const names = [...new Set(runs.flatMap((run) => run.file.workloads.map((w) => w.name)))];
  const [chosen, setChosen] = useState<string | null>(null);
  const name = chosen && names.includes(chosen) ? chosen : names[0]!;
  const { data, series } = useMemo(() => {
    const ladders = runs.map(
      (run) => run.file.workloads.find((w) => w.name === name)?.latency?.percentiles ?? [],
    );
    const percents = [...new Set(ladders.flat().map((p) => p.percent))].sort((p, q) => p - q);
    const xs = percents.map((p) => 100 / (100 - p));
    const lines = ladders.map((ladder) =>
      percents.map((p) => ladder.find((q) => q.percent === p)?.ns ?? null),
    );
    const named: Series[] = runs.map((run, i) => ({ label: run.name, color: kLadderTones[i]! }));
    const columns: ChartData = [xs, ...lines];
    return { data: columns, series: named };
  }, [runs, name]);
  return (
    <Panel
      title="Latency: one call in n takes at least so long"
      actions={
        <NativeSelect
          size="xs"
          aria-label="workload"
          value={name}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={names}
        />
      }
    >
      <Chart
        label={`latency ladder of ${name}; the tables of the runs hold the figures`}
        data={data}
        series={series}
        height={220}
        xLabel="one call in"
        logX
        xValue={(n) => count(Math.round(n))}
        yValue={nanoseconds}
      />
    </Panel>
  );
}

function Run({ name, run }: { name: string; run: BenchRun }) {
  const at = (w: Workload, percent: number) =>
    w.latency?.percentiles.find((p) => p.percent === percent)?.ns;
  const cell = (ns: number | undefined) => (ns === undefined ? '–' : nanoseconds(ns));
  return (
    <Panel
      title={`${name}: ${run.store}`}
      cli={`varve bench run ${[...new Set(run.workloads.map((w) => w.name))].join(' ')} --json -o ${name}`}
    >
      <Facts
        of={[
          ['machine', String(run.machine.cpu ?? '–')],
          ['records', count(Number(run.settings.num ?? 0))],
          [
            'options',
            Object.entries(run.options_changed)
              .map(([k, v]) => `${k}=${String(v)}`)
              .join(' ') || 'default',
          ],
          [
            'build checks',
            run.machine.assertions ? (
              <span className="warn" key="w">
                on: not for figures
              </span>
            ) : (
              'off'
            ),
          ],
        ]}
      />
      <Sideways of="workloads">
        <PlainTable name="workloads">
          <thead>
            <tr>
              <th>workload</th>
              <th className="num">threads</th>
              <th className="num">ops/s</th>
              <th className="num">mean</th>
              <th className="num">p50</th>
              <th className="num">p99</th>
              <th className="num">p99.9</th>
              <th className="num">max</th>
              <th className="num">write amp.</th>
            </tr>
          </thead>
          <tbody>
            {run.workloads.map((w, i) => (
              <tr key={i}>
                <td>{w.name}</td>
                <td className="num">{w.threads}</td>
                <td className="num">{count(Math.round(w.operations_per_second))}</td>
                <td className="num">{cell(w.latency?.mean)}</td>
                <td className="num">{cell(at(w, 50))}</td>
                <td className="num">{cell(at(w, 99))}</td>
                <td className="num">{cell(at(w, 99.9))}</td>
                <td className="num">{cell(w.latency?.max)}</td>
                <td className="num">{ratio(w.end.write_amplification)}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </Sideways>
      {run.workloads
        .filter((w) => (w.intervals?.length ?? 0) > 2)
        .slice(0, 4)
        .map((w, i) => (
          <OverTime key={i} workload={w} />
        ))}
    </Panel>
  );
}

const kOverTime: Series[] = [
  { label: 'ops/s', color: '--level-4' },
  { label: 'stalled, % of the time', color: '--bad', bars: true },
];

function OverTime({ workload }: { workload: Workload }) {
  const data = useMemo((): ChartData => {
    const all = workload.intervals ?? [];
    return [
      all.map((p) => p.seconds),
      all.map((p) => p.operations / p.length),
      all.map((p) => p.stall_micros / 1e4 / p.length),
    ];
  }, [workload]);
  return (
    <>
      <h3>{workload.name} over time</h3>
      <Chart
        label={`operations per second of ${workload.name} over time`}
        data={data}
        series={kOverTime}
        height={170}
        xLabel="seconds"
        yValue={(n) => count(Math.round(n))}
      />
    </>
  );
}
