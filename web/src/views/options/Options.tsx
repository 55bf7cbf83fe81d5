// SPDX-License-Identifier: Apache-2.0
// The options of a family and of the database; of a running one those that may change, as a form.
import type { Option } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useFamilyPath, useRows, useTarget, useTargetPath } from '@/engine/context';
import { varve } from '@/lib/cli';
import { useRoute } from '@/lib/route';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { Shown } from '@/ui/states';
import { OptionsForm } from './OptionsForm';
import './options.css';

const kColumns: Column<Option>[] = [
  { id: 'scope', header: 'scope', value: (o) => o.scope, width: '80px' },
  { id: 'cf', header: 'family', value: (o) => o.cf ?? '', width: 'minmax(90px, .6fr)' },
  { id: 'name', header: 'option', value: (o) => o.name, mono: true, width: 'minmax(220px, 2fr)' },
  { id: 'value', header: 'value', value: (o) => o.value, mono: true },
  { id: 'default', header: 'default', value: (o) => o.default ?? '', mono: true },
  { id: 'differs', header: 'differs', value: (o) => (o.differs ? 'yes' : ''), width: '80px' },
  { id: 'source', header: 'source', value: (o) => o.source, width: 'minmax(100px, 1fr)' },
];

export default function Options() {
  const { route } = useRoute();
  const name = `./${useTarget().data?.target.name ?? ''}`;
  const query = { all: true };
  const family = ask('/targets/{t}/cfs/{cf}/options', { path: useFamilyPath(), query });
  const all = ask('/targets/{t}/options', { path: useTargetPath(), query });
  const ofFamily = useRows(family, (page) => page.options);
  const ofAll = useRows(all, (page) => page.options);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Options</h1>
        <span className="muted">
          of the database and its families; those of {route.cf} that may change while it runs
        </span>
      </div>
      <Panel
        title={`Options of ${route.cf} that may change`}
        source={family}
        cli={varve('db options', [name], { cf: route.cf, all: true })}
      >
        <Shown of={ofFamily}>
          {({ rows, last }) => <OptionsForm options={rows} defaultsOf={last.defaults_of} />}
        </Shown>
      </Panel>
      <Panel title="All options" source={all} cli={varve('db options', [name], { all: true })}>
        <Shown of={ofAll}>
          {({ rows }) => (
            <DataGrid
              label="options"
              rows={rows}
              columns={kColumns}
              rowId={(o) => `${o.scope} ${o.cf ?? ''} ${o.name}`}
              height={420}
            />
          )}
        </Shown>
      </Panel>
    </div>
  );
}
