// SPDX-License-Identifier: Apache-2.0
// A target at a glance: what it is, its shape, where its bytes are, what is odd about it.
import { Button } from '@mantine/core';
import type { Database, FamilySummary, TargetDocument } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useFamilyPath, useResource, useRows, useTarget, useTargetPath } from '@/engine/context';
import { useAnalysis } from '@/shell/jobs';
import { varve } from '@/lib/cli';
import { bytes, count, plural, ratio } from '@/lib/format';
import { kindName } from '@/lib/kinds';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { Bar, Facts, Parts, Sideways } from '@/ui/small';
import { ProblemNote, Shown } from '@/ui/states';
import { Contents, Growth } from './overview/Contents';
import { LookFirst } from './overview/LookFirst';
import { noOptionsText } from './overview/options';
import { useTables } from './overview/tables';

export default function Overview() {
  const target = useTarget();
  return (
    <Shown of={target} what="reading the MANIFEST">
      {(document) => (
        <div className="page">
          <div className="page-head">
            <h1>{document.target.name}</h1>
            <span className="muted">
              {kindName(document.target.kind)}
              {document.db
                ? `, ${document.db.kind === 'leveldb' ? 'LevelDB' : 'RocksDB'} format, ${document.db.manifest}`
                : ''}
              {document.as_of.edit
                ? `, edit ${document.as_of.edit}, sequence ${count(document.as_of.seq ?? '0')}`
                : ''}
            </span>
          </div>
          {document.db ? (
            <DatabaseOverview document={document} db={document.db} />
          ) : (
            <FileOverview document={document} />
          )}
        </div>
      )}
    </Shown>
  );
}

const kNotSeen = 'not for you to see';

function DatabaseOverview({ document, db }: { document: TargetDocument; db: Database }) {
  const { route, link } = useRoute();
  const path = useTargetPath();
  const tables = useTables(db);
  const name = `./${document.target.name}`;
  const family = db.cfs.find((f) => f.cf === route.cf) ?? db.cfs[0];
  return (
    <div className="columns">
      <LookFirst document={document} db={db} tables={tables} />
      <Panel title="Health" source={ask('/targets/{t}', { path })} cli={varve('db info', [name])}>
        <Facts
          of={[
            ['opens', opensText(document, db)],
            ['missing files', <Names of={db.missing} tone="bad" key="missing" />],
            ['cut files', <Names of={db.wrong_size} tone="bad" key="wrong_size" />],
            [
              'orphans',
              document.cut ? kNotSeen : <Names of={db.orphans} tone="warn" key="orphans" />,
            ],
            ['logs to replay', document.cut ? kNotSeen : logsText(db)],
            ['next file number', count(db.next_file_number)],
            [
              'identity',
              db.id ? (
                <span className="mono" key="i">
                  {db.id}
                </span>
              ) : (
                '–'
              ),
            ],
          ]}
        />
        <p className="next">
          <a href={link('findings')}>Verify every checksum</a>
        </p>
      </Panel>
      {family && <ShapePanel family={family} name={name} />}
      <SpacePanel name={name} />
      <Contents tables={tables} name={name} />
      <Growth name={name} />
      <FamiliesPanel families={db.cfs} name={name} />
      <OptionsPanel name={name} />
      <EventsPanel name={name} />
    </div>
  );
}

function Names({ of, tone }: { of: string[]; tone: 'bad' | 'warn' }) {
  return of.length === 0 ? 'none' : <span className={tone}>{of.join(', ')}</span>;
}

// For reading always; for writing only with a consent to what a damaged log loses.
function opensText({ recovery }: TargetDocument, db: Database) {
  const lost = db.missing.length + db.wrong_size.length;
  if (lost > 0) {
    return <span className="bad">reads of {plural(lost, 'file')} fail</span>;
  }
  if (!recovery) return <span className="good">yes</span>;
  return (
    <span className="warn">
      for writing with <code>--accept-loss</code> only
    </span>
  );
}

function logsText(db: Database): string {
  const live = db.wals.filter((wal) => wal.live && wal.size > 0);
  if (live.length === 0) return 'none';
  return `${live.length}, ${bytes(live.reduce((sum, wal) => sum + wal.size, 0))}`;
}

function ShapePanel({ family, name }: { family: FamilySummary; name: string }) {
  const { link } = useRoute();
  const source = ask('/targets/{t}/cfs/{cf}/levels', { path: useFamilyPath() });
  const known = useResource(source).data?.compaction.options_known ?? true;
  const most = Math.max(1, ...family.levels.map((level) => level.bytes));
  const shown = family.levels.filter((level, i) => level.files > 0 || i === 0);
  return (
    <Panel
      title={`Shape of ${family.cf}`}
      source={source}
      cli={varve('lsm show', [name], { cf: family.cf })}
      actions={
        <Button component="a" size="compact-xs" variant="light" href={link('lsm')}>
          LSM map
        </Button>
      }
    >
      <PlainTable name="shape">
        <thead>
          <tr>
            <th>level</th>
            <th className="num">files</th>
            <th className="num">bytes</th>
            <th className="num">score</th>
            <th>
              <span className="sr-only">share</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((level) => (
            <tr key={level.level}>
              <td>L{level.level}</td>
              <td className="num">{count(level.files)}</td>
              <td className="num nowrap" data-value={level.bytes}>
                {bytes(level.bytes)}
              </td>
              <td className="num">
                {level.score >= 1 ? (
                  <span className="warn">{ratio(level.score)}</span>
                ) : (
                  ratio(level.score)
                )}
              </td>
              <td>
                <Bar
                  value={level.bytes}
                  most={most}
                  label={`${bytes(level.bytes)} in level ${level.level}`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {!known && (
        <p className="muted">
          No options are stored: the scores are what RocksDB’s defaults would make them.
        </p>
      )}
      {family.blob_files > 0 && <p className="muted">{plural(family.blob_files, 'blob file')}</p>}
    </Panel>
  );
}

function SpacePanel({ name }: { name: string }) {
  const { route } = useRoute();
  const { source, run, result: space } = useAnalysis('space');
  const family = space?.cfs.find((f) => f.name === route.cf) ?? space?.cfs[0];
  return (
    <Panel title="Space" {...(space ? { source } : {})} cli={varve('db space', [name])}>
      {family && space ? (
        <>
          <Parts
            show={bytes}
            of={[
              { name: 'live', value: family.total.live.bytes, tone: 'live' },
              { name: 'shadowed', value: family.total.shadowed.bytes, tone: 'shadowed' },
              { name: 'tombstones', value: family.total.tombstones.bytes, tone: 'tombstones' },
            ]}
          />
          <p className="muted">
            before compression; {bytes(space.table_bytes)} of tables, {bytes(space.wal_bytes)} of
            logs
            {space.orphan_bytes > 0 ? `, ${bytes(space.orphan_bytes)} of orphans` : ''}
          </p>
        </>
      ) : run.problem ? (
        <ProblemNote problem={run.problem} />
      ) : run.job ? (
        <p className="muted">
          reading every entry: {bytes(run.job.progress.done)} of {bytes(run.job.progress.total)}
        </p>
      ) : (
        <>
          <p className="muted">
            Which bytes are live, shadowed by newer ones, or tombstones? It takes a look at every
            entry.
          </p>
          <Button
            size="compact-sm"
            variant="light"
            mt={8}
            onClick={() => run.start({ kind: 'analysis', analysis: 'space' })}
          >
            Measure
          </Button>
        </>
      )}
    </Panel>
  );
}

function FamiliesPanel({ families, name }: { families: FamilySummary[]; name: string }) {
  const source = ask('/targets/{t}/cfs', { path: useTargetPath() });
  return (
    <Panel title="Column families" wide source={source} cli={varve('lsm show', [name])}>
      <Sideways of="column families">
        <PlainTable name="column families">
          <thead>
            <tr>
              <th>name</th>
              <th className="num">id</th>
              <th className="num">files</th>
              <th className="num">bytes</th>
              <th>comparator</th>
              <th className="num">oldest log</th>
            </tr>
          </thead>
          <tbody>
            {families.map((family) => (
              <tr key={family.cf_id}>
                <td>{family.cf}</td>
                <td className="num">{family.cf_id}</td>
                <td className="num">{count(family.files)}</td>
                <td className="num nowrap" data-value={family.bytes}>
                  {bytes(family.bytes)}
                </td>
                <td className="mono">
                  {family.comparator}
                  {family.comparator_known ? '' : <span className="warn"> unknown here</span>}
                </td>
                <td className="num">{family.log_number}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </Sideways>
    </Panel>
  );
}

function OptionsPanel({ name }: { name: string }) {
  const source = ask('/targets/{t}/cfs/{cf}/options', { path: useFamilyPath() });
  const options = useResource(source);
  const { route, link } = useRoute();
  const { cf } = route;
  return (
    <Panel
      className="two"
      title="Options that differ from the defaults"
      source={source}
      cli={varve('db options', [name])}
      actions={
        <Button component="a" size="compact-xs" variant="light" href={link('options')}>
          Options
        </Button>
      }
    >
      <Shown of={options}>
        {(document) =>
          document.options.length === 0 ? (
            <p className="empty">{noOptionsText(document, cf)}</p>
          ) : (
            <PlainTable name="options">
              <thead>
                <tr>
                  <th>option</th>
                  <th>value</th>
                  <th>default of {document.defaults_of}</th>
                </tr>
              </thead>
              <tbody>
                {document.options.map((option) => (
                  <tr key={`${option.scope}${option.name}`}>
                    <td className="mono wrap">{option.name}</td>
                    <td className="mono wrap">{option.value}</td>
                    <td className="mono wrap muted">{option.default ?? '–'}</td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          )
        }
      </Shown>
    </Panel>
  );
}

function EventsPanel({ name }: { name: string }) {
  const { link } = useRoute();
  const path = useTargetPath();
  const history = useRows(ask('/targets/{t}/history', { path }), (page) => page.jobs);
  return (
    <Panel
      title="What it did last"
      source={ask('/targets/{t}/history', { path })}
      cli={varve('lsm history', [name])}
      actions={
        <Button component="a" size="compact-xs" variant="light" href={link('timeline')}>
          Timeline
        </Button>
      }
    >
      <Shown of={history}>
        {({ rows }) => {
          const last = rows.slice(-8).reverse();
          if (last.length === 0)
            return <p className="empty">The MANIFEST tells of no flush and no compaction.</p>;
          return (
            <PlainTable name="last jobs">
              <thead>
                <tr>
                  <th className="num">edit</th>
                  <th>what</th>
                  <th className="num">in</th>
                  <th className="num">out</th>
                  <th className="num">written</th>
                </tr>
              </thead>
              <tbody>
                {last.map((job, i) => (
                  <tr key={`${job.edit}-${i}`}>
                    <td className="num">{job.edit ?? '–'}</td>
                    <td className="nowrap">
                      {job.kind.replace('_', ' ')} → L{job.output_level}
                    </td>
                    <td className="num">{job.inputs.length}</td>
                    <td className="num">{job.outputs.length}</td>
                    <td className="num nowrap" data-value={job.bytes_written}>
                      {bytes(job.bytes_written)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          );
        }}
      </Shown>
    </Panel>
  );
}

function FileOverview({ document }: { document: TargetDocument }) {
  const { link } = useRoute();
  const { kind, name } = document.target;
  const looks: Record<string, [string, string][]> = {
    sst: [
      ['file', 'Its byte map, properties, index and filter'],
      ['data', 'Its records'],
      ['findings', 'Check every block'],
    ],
    manifest: [
      ['timeline', 'Its edits, one by one'],
      ['lsm', 'The shape of the database after each of them'],
    ],
    wal: [['wal', 'Its batches']],
    db: [],
    unknown: [],
  };
  const missing: Record<string, string> = {
    sst: 'A table alone does not say on which level it is: open the whole folder for the LSM map.',
    manifest: 'A MANIFEST alone has the shape of the database, not its records.',
    wal: 'A log alone has the newest writes only.',
    db: '',
    unknown: 'No format that Varve reads begins or ends like this file.',
  };
  return (
    <div className="columns">
      <Panel
        title="What it is"
        source={ask('/targets/{t}', { path: { t: document.target.id } })}
        cli={kind === 'sst' ? varve('sst info', [name]) : varve('db info', [name])}
      >
        <Facts
          of={[
            ['kind', kindName(kind)],
            ['size', document.size === undefined ? '–' : bytes(document.size)],
          ]}
        />
        <p className="muted">{missing[kind]}</p>
      </Panel>
      <Panel title="Look at">
        <ul>
          {looks[kind]?.map(([page, what]) => (
            <li key={page}>
              <a href={link(page, page === 'file' ? ['0'] : [])}>{what}</a>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
