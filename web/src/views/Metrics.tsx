// SPDX-License-Identifier: Apache-2.0
// What a running engine counts, once a second while the page is shown.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ask } from '@/engine/client';
import { useClient, useTarget, useTargetPath } from '@/engine/context';
import { count } from '@/lib/format';
import { flatten, isCounter, rates, type Sample } from '@/lib/samples';
import { useRoute } from '@/lib/route';
import { Chart } from '@/ui/Chart';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { Empty, ProblemNote } from '@/ui/states';
import { toProblem } from '@/engine/problem';

const kKept = 600;

interface Metric {
  name: string;
  value: number;
  rate: number | null;
}

export default function Metrics() {
  const client = useClient();
  const path = useTargetPath();
  const source = ask('/targets/{t}/stats', { path });
  const { route, setQuery } = useRoute();
  const name = useTarget().data?.target.name ?? '';
  const [samples, setSamples] = useState<Sample[]>([]);
  const stats = useQuery({
    queryKey: [client?.engine.letter, source.url, 'poll'],
    queryFn: async ({ signal }) => {
      const document = await client!.get(source, signal);
      const sample = { at: Date.now() / 1000, values: flatten(document.stats) };
      setSamples((before) => [...before.slice(-kKept + 1), sample]);
      return sample;
    },
    refetchInterval: 1000,
    enabled: client !== null,
  });
  const rows: Metric[] = useMemo(() => {
    const last = samples.at(-1);
    const before = samples.at(-2);
    if (!last) return [];
    return Object.entries(last.values).map(([metric, value]) => {
      const was = before?.values[metric];
      return {
        name: metric,
        value,
        rate: was === undefined || !before ? null : (value - was) / (last.at - before.at),
      };
    });
  }, [samples]);
  const shown =
    route.query.metric ?? rows.find((row) => isCounter(row.name))?.name ?? rows[0]?.name;
  const data = useMemo(() => rates(samples, shown ?? ''), [samples, shown]);
  if (stats.error)
    return <ProblemNote problem={toProblem(stats.error)} retry={() => void stats.refetch()} />;
  const columns: Column<Metric>[] = [
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
  return (
    <div className="page">
      <div className="page-head">
        <h1>Metrics</h1>
        <span className="muted">of {name}, live</span>
      </div>
      {rows.length === 0 ? (
        <Empty>Nothing counted yet.</Empty>
      ) : (
        <>
          <Panel
            title={`${shown ?? ''}${isCounter(shown ?? '') ? ', per second' : ''}`}
            source={ask('/targets/{t}/stats/history', { path })}
          >
            <Chart
              label={`${shown ?? ''} over time; the table below has the newest figures`}
              data={data}
              series={[{ label: shown ?? '', color: '--level-4' }]}
              height={220}
              time
            />
          </Panel>
          <Panel title="Everything that is counted" source={source}>
            <DataGrid
              label="metrics"
              csvName="metrics"
              rows={rows}
              columns={columns}
              rowId={(row) => row.name}
              selected={shown ?? null}
              onSelect={(row) => setQuery({ metric: row.name })}
            />
          </Panel>
        </>
      )}
    </div>
  );
}
