// SPDX-License-Identifier: Apache-2.0
// The view of a plugin: what it gave, drawn by this page. Its controls are in the link.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient, useTarget } from '@/engine/context';
import { bytes, count } from '@/lib/format';
import { useRoute } from '@/lib/route';
import type { Block, Cell } from '@/plugins/blocks';
import { askOf } from '@/plugins/bridge';
import { usePlugins, type Plugin } from '@/plugins/use_plugins';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { QueryForm } from '@/ui/QueryForm';
import { Bar, Facts, Sideways } from '@/ui/small';
import { Empty, Loading, Shown } from '@/ui/states';

export default function PluginView() {
  const { route, link } = useRoute();
  const plugins = usePlugins();
  const name = route.rest[0] ?? '';
  return (
    <Shown of={plugins} what="reading the plugins">
      {({ good }) => {
        const plugin = good.find((one) => one.name === name && one.manifest.view);
        return plugin ? (
          <ViewOf key={plugin.text} plugin={plugin} />
        ) : (
          <Empty>
            There is no plugin {name} with a view here: <a href={link('plugins')}>plugins</a> says
            which there are.
          </Empty>
        );
      }}
    </Shown>
  );
}

function ViewOf({ plugin }: { plugin: Plugin }) {
  const { manifest, running } = plugin;
  const client = useClient();
  const { target } = useTarget().data ?? {};
  const { route } = useRoute();
  const controls = manifest.view?.controls ?? [];
  const set = Object.fromEntries(
    controls.map(({ name, number }) => {
      const said = route.query[name];
      if (!number) return [name, said ?? ''];
      return [name, Math.min(number.max, Math.max(1, Number(said) || number.unset))];
    }),
  );
  const about = { target: target?.name ?? '', family: route.cf, set };
  const drawn = useQuery({
    queryKey: [client?.engine.letter, 'plugin view', plugin.text, route.target, about],
    queryFn: async ({ signal }) => {
      const over = new AbortController();
      const ask = askOf(client!, route.target, AbortSignal.any([signal, over.signal]));
      try {
        return await running.draw(about, ask, signal);
      } catch (error) {
        running.restart(); // What it was at is given up; the next view begins anew.
        throw error;
      } finally {
        over.abort();
      }
    },
    enabled: client !== null && target !== undefined,
    retry: false,
    gcTime: 0,
  });
  return (
    <div className="page">
      <div className="page-head">
        <h1>{manifest.title}</h1>
        <span className="muted">
          a plugin’s view of {target?.name} {route.cf !== 'default' && `, ${route.cf}`}
        </span>
      </div>
      <Panel title="What is drawn">
        {manifest.about && <p>{manifest.about}</p>}
        <QueryForm
          of={controls.map(({ name, label, number }) => ({
            name,
            label,
            ...(number && { number }),
          }))}
          send="Draw"
          onSame={() => void drawn.refetch()}
        />
        {drawn.error && !drawn.isFetching && (
          <p className="bad" role="alert">
            The plugin {manifest.title} gave no view: {drawn.error.message}. Draw tries again.
          </p>
        )}
      </Panel>
      {drawn.isFetching && !drawn.data && <Loading what="the plugin draws" />}
      {drawn.data?.map((block, i) => (
        <BlockView key={i} of={block} />
      ))}
    </div>
  );
}

function BlockView({ of }: { of: Block }): ReactNode {
  switch (of.kind) {
    case 'heading':
      return <h2>{of.text}</h2>;
    case 'text':
      return <p>{of.text}</p>;
    case 'code':
      return (
        <Sideways of="code">
          <pre className="json">{of.text}</pre>
        </Sideways>
      );
    case 'facts':
      return <Facts of={of.facts.map(([name, value]) => [name, textOf(value)])} />;
    case 'bars':
      return <Bars of={of} />;
    case 'table':
      return <Table of={of} />;
  }
}

const textOf = (cell: Cell) =>
  cell === null ? '–' : Number.isSafeInteger(cell) ? count(cell) : String(cell);

function Bars({ of: { title, bars, inBytes } }: { of: Extract<Block, { kind: 'bars' }> }) {
  const most = bars.reduce((largest, [, value]) => Math.max(largest, value), 0);
  return (
    <Panel title={title}>
      {bars.length === 0 ? (
        <Empty>Nothing.</Empty>
      ) : (
        <Sideways of={title}>
          <PlainTable name={title}>
            <thead>
              <tr>
                <th scope="col">of</th>
                <th scope="col">{inBytes ? 'bytes' : 'count'}</th>
                <th scope="col">share of the largest</th>
              </tr>
            </thead>
            <tbody>
              {bars.map(([label, value], i) => (
                <tr key={i}>
                  <th scope="row">{label}</th>
                  <td className="num" data-value={value}>
                    {inBytes ? bytes(value) : count(value)}
                  </td>
                  <td className="plugin-bar">
                    <Bar value={value} most={most} label={`${label}: ${count(value)}`} />
                  </td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        </Sideways>
      )}
    </Panel>
  );
}

interface TableRow {
  at: number;
  cells: Cell[];
}

function Table({ of: { title, columns, rows } }: { of: Extract<Block, { kind: 'table' }> }) {
  const defined = columns.map((header, i): Column<TableRow> => ({
    id: `c${i}`,
    header,
    value: ({ cells }) => cells[i] ?? '',
    numeric: rows.length > 0 && rows.every((row) => typeof row[i] !== 'string'),
    width: 'minmax(90px, 1fr)',
  }));
  return (
    <Panel title={title}>
      <DataGrid
        label={title}
        rows={rows.map((cells, at) => ({ at, cells }))}
        columns={defined}
        rowId={({ at }) => String(at)}
        height={400}
      />
    </Panel>
  );
}
