// SPDX-License-Identifier: Apache-2.0
// How a key is read, stop by stop, and what a scan reads and steps over.
import { Button, SegmentedControl } from '@mantine/core';
import type { BlockRead, ExplainDocument, FilterLook, KeyVersion } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useFamilyPath, useResource, useTarget } from '@/engine/context';
import { varve } from '@/lib/cli';
import { bytes, count, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { CopyBytes } from '@/ui/CopyBytes';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { QueryForm } from '@/ui/QueryForm';
import { Bar, BytesText, Facts, Sideways } from '@/ui/small';
import { Empty, ProblemNote, Shown } from '@/ui/states';

export default function Explain() {
  const { route, setQuery } = useRoute();
  const op = route.query.op === 'scan' ? 'scan' : 'get';
  return (
    <div className="page">
      <div className="page-head">
        <h1>Explain</h1>
        <SegmentedControl
          size="xs"
          aria-label="operation"
          value={op}
          onChange={(value) => setQuery({ op: value })}
          data={[
            { value: 'get', label: 'a get' },
            { value: 'scan', label: 'a scan' },
          ]}
        />
      </div>
      {op === 'get' ? <ExplainGet /> : <ExplainScan />}
    </div>
  );
}

function ExplainGet() {
  const { route } = useRoute();
  const key = route.query.key ?? '';
  const query = { key, at_seq: route.query.at_seq };
  const source = ask('/targets/{t}/cfs/{cf}/explain', { path: useFamilyPath(), query });
  const explained = useResource(key ? source : null);
  const name = useTargetName();
  return (
    <>
      <QueryForm
        of={[
          { name: 'key', label: 'key', placeholder: 'user:42 or hex:0102', isFilter: true },
          { name: 'at_seq', label: 'at sequence', placeholder: 'newest' },
        ]}
        send="Explain"
      />
      {!key ? (
        <Empty>
          Give a key: every memtable, file, filter and block that a get looks at is listed in order,
          with what it cost.
        </Empty>
      ) : (
        <Shown of={explained}>
          {(document) => (
            <>
              <Panel
                title="Way of the get"
                source={source}
                cli={varve('explain get', [name, key], {
                  cf: route.cf,
                  'at-seq': route.query.at_seq,
                })}
              >
                {document.result.problem && <ProblemNote problem={document.result.problem} />}
                <Verdict of={document} />
                <Steps of={document} />
              </Panel>
              <Totals of={document.totals} />
              <LocatePanel keyText={key} name={name} />
            </>
          )}
        </Shown>
      )}
    </>
  );
}

function useTargetName(): string {
  return `./${useTarget().data?.target.name ?? ''}`;
}

function Verdict({ of }: { of: ExplainDocument }) {
  const { link } = useRoute();
  const { found, problem, file, seq, merged } = of.result;
  const last = of.steps.at(-1)?.versions.find((version) => version.visible);
  return (
    <p className="verdict">
      <BytesText bytes={of.key} /> <CopyBytes of={of.key} what="key" />{' '}
      {found ? (
        <>
          <b className="good">found</b>
          {file ? (
            <>
              {' '}
              in <a href={link('file', [file])}>file {file}</a>
            </>
          ) : (
            ' in memory'
          )}
          {seq ? <>, sequence {count(seq)}</> : null}
          {merged ? ', merged' : ''}
          {last && (
            <>
              : <BytesText bytes={last.value} most={60} />
            </>
          )}
        </>
      ) : problem ? (
        <b className="bad">the get fails</b>
      ) : (
        <b className="warn">not found</b>
      )}
      <span className="muted">
        {' '}
        · {plural(of.totals.blocks_read, 'block')}, {bytes(of.totals.bytes_read)} read
      </span>
    </p>
  );
}

type Verdict = ExplainDocument['steps'][number]['verdict'];

const kVerdicts: Record<Verdict, string> = {
  miss: 'not in it',
  hit: 'found',
  out_of_range: 'key is outside its range: not opened',
  filter_negative: 'filter says no: no block read',
  filter_false_positive: 'filter said maybe; the block did not have it',
  deleted: 'a deletion ends the search',
  range_deleted: 'a range deletion ends the search',
  merge_operand: 'a merge operand: older ones are needed',
  unreadable: 'damaged: the get fails here',
};

function Steps({ of }: { of: ExplainDocument }) {
  const { link } = useRoute();
  const most = Math.max(1, ...of.steps.map((step) => readBytes(step.reads)));
  return (
    <Sideways of="steps">
      <PlainTable name="steps">
        <thead>
          <tr>
            <th className="num">#</th>
            <th>stop</th>
            <th>verdict</th>
            <th>filter</th>
            <th>blocks read</th>
            <th className="num">compared</th>
            <th>bytes</th>
          </tr>
        </thead>
        <tbody>
          {of.steps.map((step) => (
            <tr key={step.n} className={`step-${step.verdict}`}>
              <td className="num">{step.n}</td>
              <td className="nowrap">
                {step.source === 'memtable' ? (
                  'memtable'
                ) : (
                  <>
                    L{step.level} <a href={link('file', [step.file!])}>{step.file}</a>
                  </>
                )}
              </td>
              <td>
                <span className={toneOf(step.verdict)}>{kVerdicts[step.verdict]}</span>
                {step.problem && <span className="bad"> · {step.problem.detail}</span>}
                {step.covered_by && <span className="muted"> · covered by @{step.covered_by}</span>}
              </td>
              <td>
                {step.filter ? <FilterWords of={step.filter} /> : <span className="muted">–</span>}
              </td>
              <td>
                <Reads of={step.reads} file={step.file} />
              </td>
              <td className="num">{step.comparisons}</td>
              <td style={{ minWidth: 110 }}>
                {readBytes(step.reads) > 0 ? (
                  <>
                    <Bar
                      value={readBytes(step.reads)}
                      most={most}
                      label={bytes(readBytes(step.reads))}
                    />{' '}
                    <span className="muted nowrap" data-value={readBytes(step.reads)}>
                      {bytes(readBytes(step.reads))}
                    </span>
                  </>
                ) : (
                  <span className="muted">–</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Sideways>
  );
}

function toneOf(verdict: Verdict): string {
  if (verdict === 'hit') return 'good';
  if (verdict.includes('delete')) return 'warn';
  return verdict === 'filter_false_positive' || verdict === 'unreadable' ? 'bad' : '';
}

const readBytes = (reads: BlockRead[]) => reads.reduce((sum, read) => sum + read.size, 0);

function FilterWords({ of }: { of: FilterLook }) {
  const bits = of.bits
    ? ` (bits ${of.bits.slice(0, 6).join(', ')}${of.bits.length > 6 ? ' …' : ''})`
    : '';
  return (
    <span title={`${of.kind}${bits}`}>
      {of.kind}:{' '}
      {of.may_match ? (
        'maybe'
      ) : (
        <>
          no
          {of.first_zero === undefined ? (
            ''
          ) : (
            <span className="muted">, bit {of.first_zero} is 0</span>
          )}
        </>
      )}
    </span>
  );
}

export function Reads({ of, file }: { of: BlockRead[]; file: string | undefined }) {
  const { link } = useRoute();
  if (of.length === 0) return <span className="muted">none</span>;
  const shown = of.slice(0, 4);
  return (
    <>
      {shown.map((read) => (
        <span className="nowrap read" key={`${read.kind}${read.offset}`}>
          {read.kind === 'data' && file ? (
            <a href={link('block', [file, String(read.offset)])}>data @{read.offset}</a>
          ) : (
            `${read.kind.replace('_', ' ')} @${read.offset}`
          )}
          {read.cached ? ' (cached)' : ''}{' '}
        </span>
      ))}
      {of.length > shown.length && (
        <span className="muted">and {of.length - shown.length} more</span>
      )}
    </>
  );
}

function Totals({ of }: { of: { perf_context: Record<string, number> } }) {
  return (
    <Panel title="Totals, by their names in RocksDB's PerfContext">
      <Facts of={Object.entries(of.perf_context).map(([name, value]) => [name, count(value)])} />
    </Panel>
  );
}

function LocatePanel({ keyText, name }: { keyText: string; name: string }) {
  const { route, link } = useRoute();
  const query = { key: keyText };
  const source = ask('/targets/{t}/cfs/{cf}/locate', { path: useFamilyPath(), query });
  const located = useResource(source);
  return (
    <Panel
      title="Where versions of it lie"
      source={source}
      cli={varve('locate', [name, keyText], { cf: route.cf })}
      actions={
        <Button
          component="a"
          size="compact-xs"
          variant="light"
          href={link('lsm', [], { key: keyText })}
        >
          On the LSM map
        </Button>
      }
    >
      <Shown of={located}>
        {(document) => {
          const near = document.files.filter((file) => file.verdict !== 'out_of_range');
          return (
            <>
              <Sideways of="versions">
                <PlainTable name="versions">
                  <thead>
                    <tr>
                      <th>where</th>
                      <th>verdict</th>
                      <th>versions</th>
                    </tr>
                  </thead>
                  <tbody>
                    <tr>
                      <td>logs</td>
                      <td>{document.log.versions.length > 0 ? 'holds' : 'nothing'}</td>
                      <td>
                        <Versions of={document.log.versions} />
                      </td>
                    </tr>
                    {near.slice(0, 40).map((file) => (
                      <tr key={file.file}>
                        <td className="nowrap">
                          L{file.level} <a href={link('file', [file.file])}>{file.file}</a>
                        </td>
                        <td>{file.reason}</td>
                        <td>
                          <Versions of={file.versions ?? []} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </PlainTable>
              </Sideways>
              <p className="muted">
                {plural(document.files.length - near.length, 'more file')} whose range does not hold
                the key
              </p>
            </>
          );
        }}
      </Shown>
    </Panel>
  );
}

function Versions({ of }: { of: KeyVersion[] }) {
  if (of.length === 0) return <span className="muted">–</span>;
  return (
    <>
      {of.slice(0, 5).map((version) => (
        <div key={version.seq} className={version.visible ? '' : 'muted'}>
          {version.type} @{version.seq}{' '}
          {version.value.len > 0 && <BytesText bytes={version.value} most={36} />}{' '}
          {version.visible ? '' : '(hidden)'}
        </div>
      ))}
    </>
  );
}

function ExplainScan() {
  const { route, link } = useRoute();
  const { query } = route;
  const asked = { from: query.from, to: query.to, rows: query.rows ?? '100' };
  const source = ask('/targets/{t}/cfs/{cf}/explain/scan', { path: useFamilyPath(), query: asked });
  const explained = useResource(source);
  const name = useTargetName();
  return (
    <>
      <QueryForm
        of={[
          { name: 'from', label: 'from', placeholder: 'the first key', isFilter: true },
          { name: 'to', label: 'to', placeholder: 'the end' },
          { name: 'rows', label: 'rows', number: { unset: 100, max: 1_000_000 } },
        ]}
        send="Explain"
      />
      <Shown of={explained}>
        {(document) => {
          const most = Math.max(1, ...document.parts.map((part) => part.entries));
          return (
            <>
              <Panel
                title="Where the scan's entries came from"
                source={source}
                cli={varve('explain scan', [name], {
                  from: asked.from,
                  to: asked.to,
                  limit: asked.rows,
                  cf: route.cf,
                })}
              >
                {document.result.problem && <ProblemNote problem={document.result.problem} />}
                <p className="verdict">
                  <b>{plural(document.result.rows, 'row')}</b>
                  {document.result.problem && <span className="bad">, then the scan fails</span>}
                  {document.result.first && (
                    <>
                      , <BytesText bytes={document.result.first} most={30} /> to{' '}
                      <BytesText bytes={document.result.last} most={30} />
                    </>
                  )}
                  <span className="muted">
                    {' '}
                    · {plural(document.totals.blocks_read, 'block')},{' '}
                    {bytes(document.totals.bytes_read)}, {plural(document.totals.reseeks, 'reseek')}
                    , {plural(document.totals.files_not_reached, 'file')} not reached
                  </span>
                </p>
                <Sideways of="parts of the scan">
                  <PlainTable name="parts of the scan">
                    <thead>
                      <tr>
                        <th>source</th>
                        <th>verdict</th>
                        <th className="num">entries</th>
                        <th className="num">rows</th>
                        <th className="num">hidden</th>
                        <th className="num">deletions</th>
                        <th className="num">range deleted</th>
                        <th className="num">too new</th>
                        <th className="num">blocks</th>
                        <th className="num">bytes</th>
                        <th>
                          <span className="sr-only">share</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {document.parts.map((part) => (
                        <tr key={part.n}>
                          <td className="nowrap">
                            {part.source === 'memtable' ? (
                              'memtable'
                            ) : (
                              <>
                                L{part.level} <a href={link('file', [part.file!])}>{part.file}</a>
                              </>
                            )}
                          </td>
                          <td className={part.verdict === 'unreadable' ? 'bad' : ''}>
                            {part.verdict.replaceAll('_', ' ')}
                          </td>
                          <td className="num">{count(part.entries)}</td>
                          <td className="num">{count(part.rows)}</td>
                          <td className="num">{count(part.hidden)}</td>
                          <td className="num">
                            {part.deletions > 0 ? (
                              <span className="warn">{count(part.deletions)}</span>
                            ) : (
                              0
                            )}
                          </td>
                          <td className="num">
                            {part.range_deleted > 0 ? (
                              <span className="warn">{count(part.range_deleted)}</span>
                            ) : (
                              0
                            )}
                          </td>
                          <td className="num">{count(part.too_new)}</td>
                          <td className="num">{count(part.blocks_read)}</td>
                          <td className="num nowrap" data-value={part.bytes_read}>
                            {bytes(part.bytes_read)}
                          </td>
                          <td style={{ minWidth: 90 }}>
                            <Bar
                              value={part.entries}
                              most={most}
                              label={plural(part.entries, 'entry', 'entries')}
                            />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </PlainTable>
                </Sideways>
                {document.totals.entries_range_deleted > 0 && (
                  <p className="muted">
                    {plural(document.totals.entries_range_deleted, 'entry', 'entries')} under range
                    deletions: this engine steps over each of them, RocksDB seeks to their end.
                  </p>
                )}
              </Panel>
              <Totals of={document.totals} />
            </>
          );
        }}
      </Shown>
    </>
  );
}
