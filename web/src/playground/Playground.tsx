// SPDX-License-Identifier: Apache-2.0
// The real engine in this tab: every step shows what it did to the log, the memtable, the files and
// the MANIFEST. Lessons ask for a prediction first.
import { Button, Checkbox, NativeSelect, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { WalOperation, WalRecord } from '@/api/openapi';
import { ask, Client } from '@/engine/client';
import { useEngines, useResource, useRows } from '@/engine/context';
import type { Engine } from '@/engine/engine';
import { literal } from '@/lib/bytes';
import { bytes, count, plural } from '@/lib/format';
import { saveAs } from '@/lib/csv';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { BytesText } from '@/ui/small';
import { Empty, ProblemNote, Shown } from '@/ui/states';
import { KeyAxis } from '@/views/lsm/axis';
import { LsmCanvas, clampSpan } from '@/views/lsm/LsmCanvas';
import { LessonPanel } from './LessonPanel';
import { kLessons } from './lessons';
import { RecordBytes } from './RecordBytes';
import { ScriptError, linesOf, parseLine } from './script';
import { useGame, type Game } from './useGame';

const kFirst =
  'put apple red\nput pear green\nflush\nput apple yellow\ndelete pear\nflush\nwork\nput plum blue\nflush\ncompact';
// Small enough for a few lines to make something due.
const kOptions = { level0_file_num_compaction_trigger: '2' };

export default function PlaygroundPage() {
  const { route, setQuery } = useRoute();
  const { wasm } = useEngines();
  const game = useGame();
  const lesson = kLessons.find((one) => one.id === route.query.lesson);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Playground</h1>
        <span className="muted">
          the engine itself, in this tab; nothing of it leaves this machine
        </span>
        <NativeSelect
          size="xs"
          aria-label="lesson"
          value={lesson?.id ?? ''}
          onChange={(event) => setQuery({ lesson: event.currentTarget.value || undefined }, true)}
          data={[
            { value: '', label: 'no lesson: a free script' },
            ...kLessons.map((one, i) => ({ value: one.id, label: `${i + 1}. ${one.title}` })),
          ]}
        />
      </div>
      {game.problem && <ProblemNote problem={game.problem} />}
      <div className="with-play">
        {lesson ? (
          <LessonPanel
            key={lesson.id}
            lesson={lesson}
            game={game}
            client={wasm ? new Client(wasm) : null}
          />
        ) : (
          <ScriptPanel game={game} />
        )}
        {game.playground && wasm ? (
          <Inside target={game.playground.target} game={game} engine={wasm} />
        ) : (
          <Empty>
            Nothing runs yet. Start it, and see the log, the memtable, the files and the MANIFEST
            change with every step.
          </Empty>
        )}
      </div>
    </div>
  );
}

function ScriptPanel({ game }: { game: Game }) {
  const { route, setQuery } = useRoute();
  const [script, setScript] = useState(route.query.script ?? kFirst);
  const [at, setAt] = useState(0);
  const [one, setOne] = useState('');
  const [trouble, setTrouble] = useState<string | null>(null);
  const lines = linesOf(script);
  const keep = route.query.keep === '1';

  async function start(anew: boolean) {
    setAt(0);
    await game.restart(kOptions, keep ? { name: 'playground', anew } : undefined);
  }
  async function run(next: string[]) {
    setTrouble(null);
    try {
      next.forEach(parseLine); // All of it makes sense, or nothing is done.
    } catch (error) {
      if (error instanceof ScriptError) setTrouble(error.message);
      return false;
    }
    return game.run(next);
  }
  async function step(most: number) {
    if (await run(lines.slice(at, at + most))) setAt(Math.min(lines.length, at + most));
  }
  return (
    <Panel title="Script">
      <Textarea
        aria-label="script"
        autosize
        minRows={7}
        maxRows={18}
        value={script}
        onChange={(event) => setScript(event.currentTarget.value)}
        classNames={{ input: 'mono' }}
      />
      <p className="muted">
        next: {at < lines.length ? <code>{lines[at]}</code> : 'the end'} ({at} of {lines.length})
      </p>
      <div className="toolbar">
        <Button size="compact-sm" onClick={() => void start(game.kept)} loading={game.busy}>
          {game.playground ? 'Start anew' : 'Start'}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={!game.playground || at >= lines.length || game.busy}
          onClick={() => void step(1)}
        >
          Step
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={!game.playground || at >= lines.length || game.busy}
          onClick={() => void step(lines.length)}
        >
          Run
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => setQuery({ script })}
        >
          Put into the link
        </Button>
      </div>
      <div className="toolbar">
        <Checkbox
          size="xs"
          label="keep the database in this browser"
          checked={keep}
          disabled={game.busy}
          onChange={(event) => setQuery({ keep: event.currentTarget.checked ? '1' : undefined })}
        />
      </div>
      {keep && !game.kept && (
        <p className="muted">Start opens the one that is kept, if there is one.</p>
      )}
      <form
        className="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          void run([one]).then((done) => {
            if (done) setOne('');
          });
        }}
      >
        <TextInput
          size="xs"
          aria-label="one step"
          placeholder="one step: put key value"
          value={one}
          onChange={(event) => setOne(event.currentTarget.value)}
        />
        <Button
          size="xs"
          type="submit"
          variant="default"
          disabled={!game.playground || !one || game.busy}
        >
          Do it
        </Button>
      </form>
      {trouble && (
        <p className="bad" role="alert">
          {trouble}
        </p>
      )}
    </Panel>
  );
}

function Inside({ target, game, engine }: { target: string; game: Game; engine: Engine }) {
  const path = { t: target };
  async function download() {
    const { zipOf } = await import('./download');
    if (game.playground)
      saveAs('playground-db.zip', await zipOf(game.playground, 'playground-db'), 'application/zip');
  }
  return (
    <div className="play">
      <LogPanels path={path} />
      <FilesPanel path={path} />
      <ManifestPanel path={path} />
      <ExplainBox path={path} />
      <Panel
        title="What has run"
        actions={
          <Button size="compact-xs" variant="default" onClick={() => void download()}>
            Download database
          </Button>
        }
      >
        <ol className="steps" aria-live="polite">
          {game.log.slice(-12).map((line, i) => (
            <li key={i} className="mono">
              {line}
            </li>
          ))}
        </ol>
        <p className="muted">
          {engine.name === 'wasm' ? 'The files are those that ldb and RocksDB open.' : ''}
        </p>
      </Panel>
    </div>
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
          <table className="plain">
            <tbody>
              {memtable.slice(0, 10).map((op) => (
                <tr key={`${op.key.hex}${op.seq}`}>
                  <td>
                    <BytesText bytes={op.key} most={24} />@{op.seq}
                  </td>
                  <td>{op.type}</td>
                  <td>
                    <BytesText bytes={op.value} most={24} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
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
          <table className="plain">
            <tbody>
              {rows.slice(-6).map((batch) => (
                <tr key={batch.offset}>
                  <td className="num mono">{batch.offset}</td>
                  <td className="num mono">+{batch.size}</td>
                  <td className="mono">{batch.crc}</td>
                  <td>
                    {batch.ops?.[0]?.type} <BytesText bytes={batch.ops?.[0]?.key} most={18} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {live && rows.length > 0 && <RecordBytes path={logPath} from={rows.at(-1)!.offset} />}
      </Panel>
    </>
  );
}

function FilesPanel({ path }: { path: { t: string } }) {
  const { link, go } = useRoute();
  const source = ask('/targets/{t}/files', { path });
  const files = useRows(source, (page) => page.files);
  const [shown, setShown] = useState(clampSpan(0, 1));
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <Panel
      title="Files"
      className="wide"
      source={source}
      actions={
        <Button component="a" size="compact-xs" variant="light" href={link('lsm')}>
          LSM map
        </Button>
      }
    >
      <Shown of={files} lines={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>No file yet: flush makes one.</Empty>
          ) : (
            <>
              <LsmCanvas
                files={rows}
                axis={new KeyAxis(rows, 'key')}
                shown={shown}
                onShown={setShown}
                colouring="level"
                marked={null}
                selected={selected}
                onSelect={(file) => setSelected(file.id)}
                onOpen={(file) => go('file', [file.id])}
              />
              <table className="plain">
                <tbody>
                  {rows.slice(0, 8).map((file) => (
                    <tr key={file.id}>
                      <td>L{file.level}</td>
                      <td>
                        <a href={link('file', [file.id])}>{file.name}</a>
                      </td>
                      <td className="num">{bytes(file.size)}</td>
                      <td>
                        <BytesText bytes={file.smallest.key} most={20} /> …{' '}
                        <BytesText bytes={file.largest.key} most={20} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          )
        }
      </Shown>
    </Panel>
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
