// SPDX-License-Identifier: Apache-2.0
// What a running engine counts: panels over time, and everything in figures. Recorded by the frame
// (shell/stats_log.ts), so that a run that has ended is still here.
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ask } from '@/engine/client';
import { useTarget, useTargetPath } from '@/engine/context';
import { count, time } from '@/lib/format';
import { columnsOf, isCounter, level, perSecond, type Figure, type Sample } from '@/lib/samples';
import { useRoute } from '@/lib/route';
import { saveAs } from '@/lib/csv';
import { useLive } from '@/shell/live';
import { useStatsLog } from '@/shell/stats_log';
import { Chart } from '@/ui/Chart';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { Loading, ProblemNote } from '@/ui/states';
import { kMetricsPanels, type MetricsPanel } from './panels';

export default function Metrics() {
  const { paused, setPaused } = useLive();
  const name = useTarget().data?.target.name ?? '';
  const { samples: newest, problem } = useStatsLog(useTargetPath().t);
  const [held, setHeld] = useState(newest);
  if (!paused && held !== newest) setHeld(newest);
  const samples = held;
  if (samples.length === 0)
    return problem ? <ProblemNote problem={problem} /> : <Loading what="counting" />;
  return (
    <div className="page">
      <div className="page-head">
        <h1>Metrics</h1>
        <span className="muted">
          of {name}, {problem ? `until ${time(Math.round(samples.at(-1)!.at))}` : 'live'};{' '}
          {count(samples.length)} samples
        </span>
        <span className="toolbar">
          <Button size="compact-xs" variant="default" onClick={() => setPaused(!paused)}>
            {paused ? 'Go on' : 'Pause'}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() =>
              saveAs(`${name}-metrics.json`, JSON.stringify({ samples }), 'application/json')
            }
          >
            Save the samples
          </Button>
        </span>
      </div>
      <div className="columns metrics">
        {kMetricsPanels.map((panel) => (
          <Drawn key={panel.title} of={panel} samples={samples} />
        ))}
      </div>
      <Everything samples={samples} />
    </div>
  );
}

// The newest figure of each line, and the lines of which there is something.
function Drawn({ of, samples }: { of: MetricsPanel; samples: Sample[] }) {
  const source = ask('/targets/{t}/stats', { path: useTargetPath() });
  const figures = of.lines.map((line) => ({
    ...line,
    ...newest(samples, line.figure),
  }));
  const some = figures.filter((line) => line.isSome);
  const kept = some.length > 0 ? some : figures.slice(0, 1);
  return (
    <Panel title={of.title} source={source}>
      <dl className="now">
        {kept.map(({ label, color, value }) => (
          <div key={label}>
            <dt>
              <span className="swatch" aria-hidden="true" style={{ background: `var(${color})` }} />
              {label}
            </dt>
            <dd>{value === null ? '–' : of.show(value)}</dd>
          </div>
        ))}
      </dl>
      {samples.length > 1 && (
        <Lines of={of} labels={kept.map(({ label }) => label).join()} samples={samples} />
      )}
      <p className="muted says">{of.says}</p>
    </Panel>
  );
}

function newest(samples: Sample[], figure: Figure): { value: number | null; isSome: boolean } {
  const [, values] = columnsOf(samples, [figure]);
  const isSome = values!.some((value) => value !== null && value !== 0);
  return { value: values!.findLast((value) => value !== null) ?? null, isSome };
}

interface LinesProps {
  of: MetricsPanel;
  labels: string; // Of what is drawn, separated by commas: as long as they stay, the chart does.
  samples: Sample[];
}

function Lines({ of, labels, samples }: LinesProps) {
  const lines = useMemo(
    () => of.lines.filter((line) => labels.split(',').includes(line.label)),
    [of, labels],
  );
  const data = useMemo(
    () =>
      columnsOf(
        samples,
        lines.map((line) => line.figure),
      ),
    [samples, lines],
  );
  return (
    <Chart
      label={`${of.title}: ${of.says}. Above, the newest figures.`}
      data={data}
      series={lines}
      height={130}
      yValue={of.show}
      time
      legend={false}
      logY={of.log ?? false}
    />
  );
}

interface Metric {
  name: string;
  value: number;
  rate: number | null;
}

const kColumns: Column<Metric>[] = [
  {
    id: 'name',
    header: 'metric',
    value: (row) => row.name,
    width: 'minmax(220px, 2fr)',
    mono: true,
  },
  {
    id: 'value',
    header: 'now',
    value: (row) => row.value,
    cell: (row) => count(Math.round(row.value * 100) / 100),
    numeric: true,
  },
  {
    id: 'rate',
    header: 'per second',
    value: (row) => row.rate ?? 0,
    cell: (row) => (row.rate === null ? '–' : count(Math.round(row.rate))),
    numeric: true,
  },
];

function Everything({ samples }: { samples: Sample[] }) {
  const { route, setQuery } = useRoute();
  const source = ask('/targets/{t}/stats', { path: useTargetPath() });
  const rows: Metric[] = useMemo(() => {
    const [before, last] = samples.length > 1 ? samples.slice(-2) : [undefined, samples[0]];
    return Object.entries(last!.values).map(([name, value]) => ({
      name,
      value,
      rate: isCounter(name) ? perSecond(name)(last!, before) : null,
    }));
  }, [samples]);
  const shown = route.query.metric;
  const data = useMemo(
    () => shown && columnsOf(samples, [isCounter(shown) ? perSecond(shown) : level(shown)]),
    [samples, shown],
  );
  const series = useMemo(() => [{ label: shown ?? '', color: '--level-4' }], [shown]);
  return (
    <Panel title="Everything that is counted" source={source}>
      {shown && data && (
        <>
          <h3>
            {shown}
            {isCounter(shown) ? ', per second' : ''}
          </h3>
          <Chart
            label={`${shown} over time; the table below has the newest figures`}
            data={data}
            series={series}
            height={180}
            time
          />
        </>
      )}
      <DataGrid
        label="metrics"
        saveName="metrics"
        note="choose one to draw it"
        rows={rows}
        columns={kColumns}
        rowId={(row) => row.name}
        selected={shown ?? null}
        onSelect={(row) => setQuery({ metric: row.name })}
      />
    </Panel>
  );
}
