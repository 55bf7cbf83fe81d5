// SPDX-License-Identifier: Apache-2.0
// What is inside the playground's database now: log, memtable, files, MANIFEST, and what it cost.
import { Button, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { WalOperation, WalRecord } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useResource, useRows } from '@/engine/context';
import { literal } from '@/lib/bytes';
import { saveAs } from '@/lib/csv';
import { bytes, count, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { BytesText } from '@/ui/small';
import { Empty, Shown } from '@/ui/states';
import { AtWork } from './AtWork';
import { RecordBytes } from './RecordBytes';
import type { Game } from './useGame';

const kRan = 12;

export function Inside({ target, game }: { target: string; game: Game }) {
  const path = { t: target };
  async function download() {
    const { playground } = game;
    if (!playground) return;
    const zip = await game.guarded(async () =>
      (await import('./archive')).zipOf(playground, 'playground-db'),
    );
    if (zip) saveAs('playground-db.zip', zip, 'application/zip');
  }
  return (
    <div className="play">
      <AtWork game={game} />
      <LogPanels path={path} />
      <ManifestPanel path={path} />
      <ExplainBox path={path} />
      <WhatHasRun
        game={game}
        actions={
          <Button
            size="compact-xs"
            variant="default"
            disabled={game.busy}
            onClick={() => void download()}
          >
            Download database
          </Button>
        }
      />
    </div>
  );
}

// Lines that have run, and what the engine said to each.
export function WhatHasRun({ game, actions }: { game: Game; actions?: ReactNode }) {
  const earlier = Math.max(0, game.log.length - kRan);
  return (
    <Panel title="What has run" {...(actions ? { actions } : {})}>
      <ol className="steps" start={earlier + 1} aria-live="polite">
        {game.log.slice(-kRan).map(({ line, said, refused }, i) => (
          <li key={earlier + i} className="mono">
            {line}
            {said && (
              <span className={refused ? 'bad' : 'muted'}>
                {refused ? ' ✗ ' : ' → '}
                {said}
              </span>
            )}
          </li>
        ))}
      </ol>
      <p className="muted">The files are those that ldb and RocksDB open.</p>
    </Panel>
  );
}

// The memtable is what the logs that are still needed hold, newest version of a key first.
export function memtableOf(batches: WalRecord[]): WalOperation[] {
  const operations = batches.flatMap((batch) => batch.ops ?? []).filter((op) => op.live !== false);
  return operations.sort((a, b) =>
    (a.key.hex ?? '') < (b.key.hex ?? '')
      ? -1
      : (a.key.hex ?? '') > (b.key.hex ?? '')
        ? 1
        : Number(b.seq) - Number(a.seq),
  );
}

function LogPanels({ path }: { path: { t: string } }) {
  const wals = useResource(ask('/targets/{t}/wal', { path }));
  const live = wals.data?.segments.filter((segment) => segment.live).at(-1);
  const logPath = { ...path, n: live?.id ?? '' };
  const source = live ? ask('/targets/{t}/wal/{n}/records', { path: logPath }) : null;
  const records = useRows(source, (page) => page.records, 2000);
  const rows = records.data?.rows ?? [];
  const memtable = memtableOf(rows);
  return (
    <>
      <Panel title={`Memtable, ${plural(memtable.length, 'entry', 'entries')}`}>
        {memtable.length === 0 ? (
          <Empty>Empty: everything is in files.</Empty>
        ) : (
          <PlainTable name="memtable">
            <thead>
              <tr>
                <th>key</th>
                <th className="num">sequence</th>
                <th>type</th>
                <th>value</th>
              </tr>
            </thead>
            <tbody>
              {memtable.slice(0, 10).map((op) => (
                <tr key={`${op.key.hex}${op.seq}`}>
                  <td>
                    <BytesText bytes={op.key} most={24} />
                  </td>
                  <td className="num">{op.seq}</td>
                  <td>{op.type}</td>
                  <td>
                    <BytesText bytes={op.value} most={24} />
                  </td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        )}
        {memtable.length > 10 && <p className="muted">and {count(memtable.length - 10)} more</p>}
      </Panel>
      <Panel
        title={live ? `Log ${live.name}, ${bytes(live.size)}` : 'Log'}
        {...(source ? { source } : {})}
      >
        {rows.length === 0 ? (
          <Empty>No record since the last flush.</Empty>
        ) : (
          <PlainTable name="log records">
            <thead>
              <tr>
                <th className="num">offset</th>
                <th className="num">bytes</th>
                <th>checksum</th>
                <th>first operation</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(-6).map((batch) => (
                <tr key={batch.offset}>
                  <td className="num mono">{batch.offset}</td>
                  <td className="num mono">{batch.size}</td>
                  <td className="mono">{batch.crc}</td>
                  <td>
                    {batch.ops?.[0]?.type} <BytesText bytes={batch.ops?.[0]?.key} most={18} />
                  </td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        )}
        {live && rows.length > 0 && <RecordBytes path={logPath} from={rows.at(-1)!.offset} />}
      </Panel>
    </>
  );
}

function ManifestPanel({ path }: { path: { t: string } }) {
  const source = ask('/targets/{t}/manifest/edits', { path });
  const edits = useRows(source, (page) => page.edits);
  return (
    <Panel title="MANIFEST" source={source}>
      <Shown of={edits} lines={3}>
        {({ rows }) => (
          <ul className="steps">
            {rows.slice(-8).map((edit) => (
              <li key={edit.edit}>
                {edit.edit}: {edit.kind.replaceAll('_', ' ')}
                {edit.added.map((file) => (
                  <span key={`+${file.file}`} className="good">
                    {' '}
                    +{file.file} L{file.level}
                  </span>
                ))}
                {edit.deleted.map((file) => (
                  <span key={`-${file.file}`} className="bad">
                    {' '}
                    −{file.file}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Panel>
  );
}

function ExplainBox({ path }: { path: { t: string } }) {
  const { link } = useRoute();
  const [typed, setTyped] = useState('apple');
  const [key, setKey] = useState('');
  const asked = { path: { ...path, cf: 'default' }, query: { key } };
  const explained = useResource(key ? ask('/targets/{t}/cfs/{cf}/explain', asked) : null);
  return (
    <Panel title="Explain a get">
      <form
        className="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          setKey(typed);
        }}
      >
        <TextInput
          size="xs"
          aria-label="key to explain"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default">
          Explain
        </Button>
      </form>
      {key && (
        <Shown of={explained} lines={3}>
          {(document) => (
            <>
              <ol className="steps">
                {document.steps.map((step) => (
                  <li key={step.n}>
                    {step.source === 'memtable' ? 'memtable' : `L${step.level} ${step.file}`}:{' '}
                    <b>{step.verdict.replaceAll('_', ' ')}</b>
                    {step.reads.length > 0 ? `, ${plural(step.reads.length, 'block')} read` : ''}
                  </li>
                ))}
              </ol>
              <a href={link('explain', [], { key: literal(document.key) })}>The whole account</a>
            </>
          )}
        </Shown>
      )}
    </Panel>
  );
}
