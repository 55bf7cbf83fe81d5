// SPDX-License-Identifier: Apache-2.0
// Where a table came from, and what became of it.
import type { HistoryJob, LineageStep } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useResource, useTarget } from '@/engine/context';
import { bytes } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { Empty, Shown } from '@/ui/states';
import type { FilePath } from './path';

export function LineageTab({ path }: { path: FilePath }) {
  const isDb = useTarget().data?.db !== undefined;
  const source = ask('/targets/{t}/files/{n}/lineage', { path });
  const lineage = useResource(isDb ? source : null);
  if (!isDb) return <Empty>A table alone does not know: the MANIFEST does.</Empty>;
  return (
    <Panel title="Lineage" source={source}>
      <Shown of={lineage}>
        {({ lineage: of }) => (
          <>
            <p>
              {of.made_by ? (
                <>
                  Made by <JobWords job={of.made_by} />.
                </>
              ) : (
                'The MANIFEST begins after it was made.'
              )}{' '}
              {of.consumed_by && (
                <>
                  Consumed by <JobWords job={of.consumed_by} />.
                </>
              )}
            </p>
            {of.moved_by.map((job) => (
              <p key={job.edit}>
                Moved by <JobWords job={job} />.
              </p>
            ))}
            <Relatives title="Made of" files={of.ancestors} />
            <Relatives title="Went into" files={of.successors} />
            {!of.complete && <p className="warn">The MANIFEST does not tell of all of them.</p>}
          </>
        )}
      </Shown>
    </Panel>
  );
}

function JobWords({ job }: { job: HistoryJob }) {
  const { link } = useRoute();
  return (
    <>
      a {job.kind.replaceAll('_', ' ')} to L{job.output_level}
      {job.edit && (
        <>
          {' '}
          (<a href={link('timeline', [], { sel: job.edit })}>edit {job.edit}</a>)
        </>
      )}
      {job.reason ? `, ${job.reason}` : ''}
    </>
  );
}

function Relatives({ title, files }: { title: string; files: LineageStep[] }) {
  const { link } = useRoute();
  if (files.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <PlainTable name={title.toLowerCase()}>
        <thead>
          <tr>
            <th className="num">steps</th>
            <th>file</th>
            <th>level</th>
            <th className="num">size</th>
          </tr>
        </thead>
        <tbody>
          {files.slice(0, 60).map((file) => (
            <tr key={`${file.file}${file.distance}`}>
              <td className="num">{file.distance}</td>
              <td>
                <a href={link('file', [file.file], { tab: 'lineage' })}>{file.file}</a>
              </td>
              <td>L{file.level}</td>
              <td className="num" data-value={file.size}>
                {bytes(file.size)}
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {files.length > 60 && <p className="muted">and {files.length - 60} more</p>}
    </>
  );
}
