// SPDX-License-Identifier: Apache-2.0
// The tree, aligned by key: which files lie over which keys, on every level, now or after any edit
// of the MANIFEST.
import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Bytes, FileSummary } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useFamilyPath, useResource, useTarget, useTargetPath } from '@/engine/context';
import { useNeighbour } from '@/shell/keyboard';
import { literalHex } from '@/lib/bytes';
import { varve } from '@/lib/cli';
import { bytes, count, plural, ratio, time } from '@/lib/format';
import { formatRoute, goTo, useRoute } from '@/lib/route';
import { CopyBytes } from '@/ui/CopyBytes';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { BytesText, Facts, Sideways } from '@/ui/small';
import type { Span } from '@/ui/span_hands';
import { Empty, Shown } from '@/ui/states';
import { FileTable } from '../FileTable';
import { axisOf, kAxisModes, keyOrder, type AxisMode, type KeyAxis } from './axis';
import { CompareWith, summaryOf, useFilesOf, useOther, type Other } from './compare';
import { kColourings, LsmCanvas, partOf } from './LsmCanvas';
import { useAbove, type Above } from './above';
import { RunningList, spansOf } from './running';
import { prefixOf, textOf } from './ticks';

export default function LsmView() {
  const { route } = useRoute();
  const target = useTarget();
  const name = `./${target.data?.target.name ?? ''}`;
  const family = target.data?.db?.cfs.find((f) => f.cf === route.cf);
  const edit = route.query.edit;
  const files = useFilesOf(route.target, edit);
  const other = useOther();
  const others = useFilesOf(other?.target ?? null, other?.edit);
  const above = useAbove(target.data?.db);
  return (
    <div className="page">
      <div className="page-head">
        <h1>LSM map</h1>
        <span className="muted">
          {files.data
            ? `${plural(files.data.rows.length, 'file')}, ${bytes(files.data.rows.reduce((sum, f) => sum + f.size, 0))}`
            : ''}
        </span>
        <CompareWith other={other} />
      </div>
      <TimeMachine edits={Number(target.data?.as_of.edit ?? 0)} />
      <Shown of={files} what="reading the MANIFEST" lines={8}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>
              {edit
                ? `After edit ${edit} there was no file yet.`
                : 'No table files: everything is still in the logs.'}
            </Empty>
          ) : (
            <Map
              files={rows}
              comparator={family?.comparator ?? ''}
              name={name}
              above={above}
              other={other}
              others={others.data?.rows ?? kNone}
            />
          )
        }
      </Shown>
      {other && others.error && <Shown of={others}>{() => null}</Shown>}
      <LevelsPanel name={name} />
    </div>
  );
}

const kNone: FileSummary[] = [];

interface MapProps {
  files: FileSummary[];
  comparator: string;
  name: string;
  above: Above;
  other: Other | null; // Beside it, on the same axis.
  others: FileSummary[];
}

function Map({ files, comparator, name, above, other, others }: MapProps) {
  const { route, setQuery, go, link } = useRoute();
  const { query } = route;
  const mode = kAxisModes.find((one) => one === query.axis);
  const colouring = kColourings.find((one) => one === query.colour) ?? 'level';
  const axis = useMemo(
    () => axisOf(other ? [...files, ...others] : files, keyOrder(comparator), mode),
    [files, other, others, mode, comparator],
  );
  // Places while the map moves; the link is changed when it comes to rest.
  const linked: Span = useMemo(() => {
    const from = query.from ? literalHex(query.from) : null;
    const to = query.to ? literalHex(query.to) : null;
    return partOf(from === null ? 0 : axis.at(from), to === null ? 1 : axis.at(to));
  }, [axis, query.from, query.to]);
  const running = useMemo(() => spansOf(above.running, axis), [above.running, axis]);
  const [moving, setMoving] = useState<Span | null>(null);
  const shown = moving ?? linked;
  useEffect(() => {
    if (!moving) return;
    const timer = setTimeout(() => {
      const whole = moving.from <= 0 && moving.to >= 1;
      const within = (moving.to - moving.from) / 2000;
      const from = axis.keyAt(moving.from, within);
      const to = axis.keyAt(moving.to, within);
      setQuery(
        whole || from === to
          ? { from: undefined, to: undefined }
          : { from: `hex:${from}`, to: `hex:${to}` },
      );
    }, 400);
    return () => clearTimeout(timer);
  }, [moving, axis, setQuery]);

  const markedHex = query.key ? literalHex(query.key) : null;
  const selected = files.find((file) => file.id === query.sel) ?? null;
  const select = useCallback((file: FileSummary) => setQuery({ sel: file.id }), [setQuery]);
  const open = useCallback((file: FileSummary) => go('file', [file.id]), [go]);
  const lookInto = (file: FileSummary) =>
    goTo(
      formatRoute({
        ...route,
        target: other!.target,
        page: 'lsm',
        query: { edit: other!.edit ?? '', sel: file.id },
      }),
    );
  const map = {
    axis,
    shown,
    onShown: setMoving,
    colouring,
    marked: markedHex === null ? null : axis.at(markedHex),
  };
  useNeighbour((step) => {
    const at = selected ? files.indexOf(selected) : step > 0 ? -1 : files.length;
    const next = files[at + step];
    if (next) select(next);
  });

  const filesQuery = { cf: route.cf, edit: query.edit };
  const source = ask('/targets/{t}/files', { path: useTargetPath(), query: filesQuery });
  return (
    <div className="with-detail">
      <Panel
        title="Files by key"
        source={source}
        cli={varve('lsm files', [name], filesQuery)}
        actions={
          <>
            <SegmentedControl
              size="xs"
              aria-label="show as"
              value={query.view ?? 'map'}
              onChange={(view) => setQuery({ view: view === 'map' ? undefined : view })}
              data={[
                { value: 'map', label: 'map' },
                { value: 'table', label: 'table' },
              ]}
            />
            <NativeSelect
              size="xs"
              aria-label="axis"
              value={axis.mode}
              onChange={(event) => {
                setMoving(null);
                setQuery({ axis: event.currentTarget.value });
              }}
              data={kAxisModes.map((value) => ({ value, label: `by ${value}` }))}
            />
            <NativeSelect
              size="xs"
              aria-label="strength of colour"
              value={colouring}
              onChange={(event) => setQuery({ colour: event.currentTarget.value })}
              data={['level', 'size', 'age', 'overlap']}
            />
            <Button
              size="compact-xs"
              variant="default"
              disabled={shown.from <= 0 && shown.to >= 1}
              onClick={() => setMoving({ from: 0, to: 1 })}
            >
              Whole
            </Button>
          </>
        }
      >
        {query.view === 'table' ? (
          <FileTable
            files={files}
            height={520}
            selected={query.sel ?? null}
            onSelect={select}
            onOpen={open}
          />
        ) : (
          <>
            {other && <h3>{summaryOf(name, query.edit, files)}</h3>}
            <LsmCanvas
              {...map}
              files={files}
              memory={above.memory}
              running={running}
              selected={query.sel ?? null}
              onSelect={select}
              onOpen={open}
            />
            {other && (
              <>
                <h3>{summaryOf(`./${other.name}`, other.edit, others)}</h3>
                {others.length > 0 && (
                  <LsmCanvas
                    {...map}
                    files={others}
                    selected={null}
                    onSelect={lookInto}
                    onOpen={lookInto}
                  />
                )}
                <p>
                  <a
                    href={link('timeline', [], {
                      view: 'diff',
                      a: query.edit ?? '',
                      against: other.target === route.target ? '' : other.target,
                      b: other.edit ?? '',
                    })}
                  >
                    What differs, file by file
                  </a>
                </p>
              </>
            )}
            <RunningList of={above.running} files={files} />
            <AxisNote axis={axis} shown={shown} chosen={mode !== undefined} />
            <p className="legend">
              <span>drag pans · drag in the strip or Ctrl-wheel zooms · double click opens</span>
              {query.key && <span className="bad">┆ {query.key}</span>}
            </p>
          </>
        )}
      </Panel>
      <Detail file={selected} markedKey={query.key} />
    </div>
  );
}

const kDistances: Record<AxisMode, string> = {
  key: 'distances are those of the keys, taken as numbers',
  bytes: 'distances are stored bytes; where files overlap, those of the wider are estimated',
  rank: 'every bound of a file is one step',
};

// What the axis means, and what its labels leave out.
function AxisNote({ axis, shown, chosen }: { axis: KeyAxis; shown: Span; chosen: boolean }) {
  const prefix = useMemo(() => prefixOf(axis, shown), [axis, shown]);
  const isUnusual = !chosen && axis.mode !== 'key';
  return (
    <p className="legend axis-note">
      <span>
        Axis <b>by {axis.mode}</b>: {kDistances[axis.mode]}
        {isUnusual && '; by key, most files would be too thin to see'}
      </span>
      {prefix && (
        <span>
          … stands for <span className="mono">{textOf(prefix)}</span>
        </span>
      )}
    </p>
  );
}

function Detail({ file, markedKey }: { file: FileSummary | null; markedKey: string | undefined }) {
  const { link } = useRoute();
  return (
    <aside className="panel detail" aria-label="selected file" aria-live="polite">
      {file ? (
        <>
          <header className="panel-head">
            <h2>{file.name}</h2>
          </header>
          <Facts
            of={[
              ['level', `L${file.level}`],
              ['size', bytes(file.size)],
              ['from', <KeyFact key="f" of={file.smallest.key} what="smallest key" />],
              ['to', <KeyFact key="t" of={file.largest.key} what="largest key" />],
              ['sequences', `${file.smallest_seq}–${file.largest_seq}`],
              [
                'added by edit',
                <a key="e" href={link('timeline', [], { sel: file.added_by_edit })}>
                  {file.added_by_edit}
                </a>,
              ],
              [
                'overlap below',
                file.overlap
                  ? `${plural(file.overlap.files, 'file')}, ${bytes(file.overlap.bytes)}`
                  : '–',
              ],
              ['made', file.creation_time_unix_s ? time(file.creation_time_unix_s) : '–'],
            ]}
          />
          <p>
            {file.present ? (
              <a href={link('file', [file.id])}>Look inside</a>
            ) : (
              <span className="muted">The file itself is gone since.</span>
            )}
          </p>
        </>
      ) : (
        <p className="muted">Choose a file on the map, or with [ and ].</p>
      )}
      {markedKey && (
        <p>
          <a href={link('explain', [], { key: markedKey })}>Explain how {markedKey} is read</a>
        </p>
      )}
    </aside>
  );
}

function KeyFact({ of, what }: { of: Bytes; what: string }) {
  return (
    <>
      <BytesText bytes={of} /> <CopyBytes of={of} what={what} />
    </>
  );
}

const kPlayStep = 350; // Milliseconds.

// Any edit of the MANIFEST can be gone back to.
function TimeMachine({ edits }: { edits: number }) {
  const { route, setQuery } = useRoute();
  const linked = Number(route.query.edit ?? edits);
  const [dragged, setDragged] = useState<number | null>(null);
  const at = dragged ?? linked;
  useEffect(() => {
    if (dragged === null) return;
    const timer = setTimeout(() => {
      setQuery({ edit: dragged === edits ? undefined : String(dragged) });
      setDragged(null);
    }, 120);
    return () => clearTimeout(timer);
  }, [dragged, edits, setQuery]);
  const [playing, setPlaying] = useState(false);
  const moves = playing && linked < edits;
  useEffect(() => {
    if (!moves) return;
    const timer = setTimeout(
      () => setQuery({ edit: linked + 1 === edits ? undefined : String(linked + 1) }),
      kPlayStep,
    );
    return () => clearTimeout(timer);
  }, [moves, linked, edits, setQuery]);
  if (edits < 2) return null;
  function play() {
    if (at === edits) setQuery({ edit: '1' });
    setPlaying(!moves);
  }
  return (
    <div className="panel machine">
      <label htmlFor="edit">
        after edit <b>{count(at)}</b> of {count(edits)}
      </label>
      <input
        id="edit"
        type="range"
        min={1}
        max={edits}
        value={at}
        onChange={(event) => {
          setPlaying(false);
          setDragged(Number(event.currentTarget.value));
        }}
      />
      <span className="toolbar">
        <Button
          size="compact-xs"
          variant="default"
          onClick={play}
          aria-label={moves ? '■ stop' : '▶ play the edits'}
        >
          {moves ? '■' : '▶'}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          disabled={at === edits}
          onClick={() => {
            setPlaying(false);
            setDragged(edits);
          }}
        >
          Newest
        </Button>
      </span>
    </div>
  );
}

function LevelsPanel({ name }: { name: string }) {
  const { route } = useRoute();
  const query = { edit: route.query.edit };
  const source = ask('/targets/{t}/cfs/{cf}/levels', { path: useFamilyPath(), query });
  const levels = useResource(source);
  return (
    <Panel
      title="Levels"
      source={source}
      cli={varve('lsm show', [name], { cf: route.cf, edit: route.query.edit })}
    >
      <Shown of={levels}>
        {(document) => (
          <>
            <Sideways of="levels">
              <PlainTable name="levels">
                <thead>
                  <tr>
                    <th>level</th>
                    <th className="num">files</th>
                    <th className="num">bytes</th>
                    <th className="num">target</th>
                    <th className="num">score</th>
                    <th className="num">overlaps next</th>
                  </tr>
                </thead>
                <tbody>
                  {document.levels.map((level) => (
                    <tr key={level.level}>
                      <td>L{level.level}</td>
                      <td className="num">{count(level.files)}</td>
                      <td className="num" data-value={level.bytes}>
                        {bytes(level.bytes)}
                      </td>
                      <td className="num" data-value={level.target_bytes ?? '–'}>
                        {level.target_bytes === undefined ? '–' : bytes(level.target_bytes)}
                      </td>
                      <td className="num">
                        {level.score >= 1 ? (
                          <span className="warn">{ratio(level.score)}</span>
                        ) : (
                          ratio(level.score)
                        )}
                      </td>
                      <td className="num">
                        {level.overlap
                          ? `${plural(level.overlap.files, 'file')}, ${bytes(level.overlap.bytes)}`
                          : '–'}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </PlainTable>
            </Sideways>
            <p className="muted">
              {document.compaction.options_known
                ? `${document.compaction.style} compaction`
                : 'No options are stored: targets and scores are what RocksDB’s defaults would make them'}
              ; a score of 1 or more asks for a compaction
              {document.compaction.dynamic_level_bytes
                ? `; levels fill from L${document.compaction.base_level}`
                : ''}
            </p>
          </>
        )}
      </Shown>
    </Panel>
  );
}
