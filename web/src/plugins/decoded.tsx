// SPDX-License-Identifier: Apache-2.0
// Keys and values of a table as plugins read them: which plugins, as the link says (`keys=`, `values=`), the
// columns that they add, and what they say of one row.
import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Bytes } from '@/api/openapi';
import { rawBytes } from '@/lib/bytes';
import { useRoute } from '@/lib/route';
import type { Column } from '@/ui/DataGrid';
import { Sideways } from '@/ui/small';
import type { What } from './protocol';
import type { Decoded, Item } from './sandbox';
import { memberOf, textOf } from './shown';
import { usePlugins, type Plugin } from './use_plugins';

const kQuery = { key: 'keys', value: 'values' } as const;
const kAtOnce = 200; // Rows that a plugin gets together.

export interface Of<Row> {
  key: (row: Row) => Bytes | undefined;
  value: (row: Row) => Bytes | undefined;
}

// The plugin that the link names, if it is there and reads that.
function useChosen(what: What): Plugin | null {
  const { query } = useRoute().route;
  const name = query[kQuery[what]];
  const plugins = usePlugins();
  return plugins.data?.good.find((one) => one.name === name && one.manifest[what]) ?? null;
}

// Whether any is chosen, so that keys and values must be whole.
export function useIsDecoding(): boolean {
  const { keys, values } = useRoute().route.query;
  return Boolean(keys) || Boolean(values);
}

// Chooses them; nothing where there is none that reads keys or values.
export function DecoderSelects() {
  const { route, setQuery } = useRoute();
  const plugins = usePlugins().data?.good ?? [];
  return (['key', 'value'] as const).map((what) => {
    const able = plugins.filter(({ manifest }) => manifest[what]);
    const name = kQuery[what];
    const chosen = route.query[name] ?? '';
    if (able.length === 0 && !chosen) return null;
    const isThere = able.some((one) => one.name === chosen);
    return (
      <NativeSelect
        key={what}
        size="xs"
        aria-label={`read ${name} by`}
        value={chosen}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: `${name}: as bytes` },
          ...able.map((one) => ({ value: one.name, label: `${name}: ${one.manifest.title}` })),
          ...(chosen && !isThere ? [{ value: chosen, label: `${chosen}: not here` }] : []),
        ]}
      />
    );
  });
}

interface Outcome {
  of: (index: number) => Decoded | undefined;
  problem: string | null;
}

// What the plugin makes of each row; rows that are there already are not decoded again.
function useOutcome<Row>(
  what: What,
  plugin: Plugin | null,
  rows: Row[],
  of: Of<Row>,
  turn: number,
): Outcome {
  const [made, setMade] = useState<{
    plugin: Plugin | null;
    turn: number;
    by: Map<Row, Decoded>;
    problem: string | null;
  }>({ plugin, turn, by: new Map(), problem: null });
  const current = made.plugin === plugin && made.turn === turn ? made : null;
  const next = current?.problem
    ? []
    : rows.filter((row) => !current?.by.has(row)).slice(0, kAtOnce);
  const first = next[0];
  useEffect(() => {
    if (!plugin || first === undefined) return;
    let isOver = false;
    const whole = next.filter((row) => of[what](row) && !of[what](row)!.truncated);
    const items = whole.map((row): Item => {
      const other = of[what === 'key' ? 'value' : 'key'](row);
      return {
        bytes: rawBytes(of[what](row)!),
        other: other && !other.truncated ? rawBytes(other) : undefined,
      };
    });
    const by = new Map(current?.by);
    for (const row of next)
      by.set(row, of[what](row)?.truncated ? { failed: 'too long to be read whole' } : null);
    plugin.running.decode(what, items).then(
      (decoded) => {
        whole.forEach((row, i) => by.set(row, decoded[i] ?? null));
        if (!isOver) setMade({ plugin, turn, by, problem: null });
      },
      (error: unknown) => {
        const problem = error instanceof Error ? error.message : String(error);
        if (!isOver) setMade({ plugin, turn, by: new Map(current?.by), problem });
      },
    );
    return () => {
      isOver = true;
    };
    // What is decoded next follows from these.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [plugin, first, rows.length, turn, current]);
  return {
    of: (index) => {
      const row = rows[index];
      return row === undefined ? undefined : current?.by.get(row);
    },
    problem: current?.problem ?? null,
  };
}

export interface DecodedRows<Row> {
  columns: Column<Row>[];
  note: React.ReactNode; // What is wrong with a plugin.
  // All that they say of one row.
  about: (row: Row) => React.ReactNode;
}

export function useDecoded<Row>(rows: Row[], of: Of<Row>): DecodedRows<Row> {
  const [turn, setTurn] = useState(0);
  const plugins = { key: useChosen('key'), value: useChosen('value') };
  const outcomes = {
    key: useOutcome('key', plugins.key, rows, of, turn),
    value: useOutcome('value', plugins.value, rows, of, turn),
  };
  const places = new Map(rows.map((row, i) => [row, i]));
  const columns: Column<Row>[] = [];
  const notes: React.ReactNode[] = [];
  const shown: [What, Plugin, (row: Row) => Decoded | undefined][] = [];
  for (const what of ['key', 'value'] as const) {
    const plugin = plugins[what];
    if (!plugin) continue;
    const { problem, of: at } = outcomes[what];
    const decoded = (row: Row) => at(places.get(row) ?? -1);
    shown.push([what, plugin, decoded]);
    columns.push({
      id: `plugin-${what}`,
      header: `${what}: ${plugin.manifest.title}`,
      value: (row) => textOf(decoded(row)),
      cell: (row) => <DecodedText of={decoded(row)} />,
      width: what === 'key' ? 'minmax(150px, 1fr)' : 'minmax(180px, 2fr)',
    });
    plugin.manifest[what]!.columns.forEach((name, i) =>
      columns.push({
        id: `plugin-${what}-${i}`,
        header: name,
        value: (row) => memberOf(decoded(row), name, i),
        width: 'minmax(80px, 1fr)',
      }),
    );
    if (problem !== null)
      notes.push(
        <p className="bad" role="alert" key={what}>
          The plugin {plugin.manifest.title} was ended: {problem}.{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              plugin.running.restart();
              setTurn(turn + 1);
            }}
          >
            Begin it again
          </Button>
        </p>,
      );
  }
  return {
    columns,
    note: notes.length > 0 ? notes : null,
    about: (row) =>
      shown.map(([what, plugin, decoded]) => (
        <div key={what}>
          <h4>
            {what}, by {plugin.manifest.title}
          </h4>
          <Sideways of={`${what} by ${plugin.manifest.title}`}>
            <pre className="json">{textOf(decoded(row), 1) || '–'}</pre>
          </Sideways>
        </div>
      )),
  };
}

const kCellText = 160;

function DecodedText({ of }: { of: Decoded | undefined }) {
  const text = textOf(of);
  if (!text) return <span className="muted">–</span>;
  return (
    <span
      className={`mono bytes${of && 'failed' in of ? ' bad' : ''}`}
      title={text.slice(0, 400)}
      data-value={text}
    >
      {text.length > kCellText ? `${text.slice(0, kCellText)}…` : text}
    </span>
  );
}
