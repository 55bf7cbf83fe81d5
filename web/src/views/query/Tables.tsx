// SPDX-License-Identifier: Apache-2.0
// What there is to ask: the tables, the columns of the chosen one, statements to begin with.
import { Button } from '@mantine/core';
import { useTarget } from '@/engine/context';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import type { Kind, Range } from './table';
import { tablesOf } from './tables';

export function Tables({ kind, range }: { kind: Kind; range: Range }) {
  const { route, setQuery } = useRoute();
  const tables = tablesOf(kind);
  const shown = tables.find(({ name }) => name === route.query.table) ?? tables[0];
  const target = useTarget().data?.target.name ?? '';
  if (!shown) return null;
  const { target: t, cf } = route;
  const source = shown.source({ t, cf, kind, range });
  return (
    <div className="stack">
      <section className="panel" aria-label="tables">
        <header className="panel-head">
          <h2>Tables</h2>
        </header>
        <div className="toolbar">
          {tables.map(({ name }) => (
            <Button
              key={name}
              size="compact-xs"
              variant={name === shown.name ? 'filled' : 'default'}
              aria-pressed={name === shown.name}
              onClick={() => setQuery({ table: name })}
            >
              {name}
            </Button>
          ))}
        </div>
      </section>
      <Panel
        title={shown.name}
        cli={shown.cli(kind === 'db' ? `./${target}` : target, kind, cf, range)}
        {...(source ? { source } : {})}
      >
        <p>{shown.says}</p>
        <h3>Ask</h3>
        <ul className="sql-examples">
          {shown.examples.map(({ says, sql }) => (
            <li key={says}>
              <button
                type="button"
                className="link"
                onClick={() => setQuery({ sql, facet: undefined, sel: undefined }, true)}
              >
                {says}
              </button>
            </li>
          ))}
        </ul>
        <h3>Columns</h3>
        <dl className="sql-columns">
          {shown.columns.map(({ name, type, says }) => (
            <div key={name}>
              <dt className="mono">
                {name} <span className="muted">{type}</span>
              </dt>
              <dd className="muted">{says}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </div>
  );
}
