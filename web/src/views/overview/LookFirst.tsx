// SPDX-License-Identifier: Apache-2.0
import type { Database, TargetDocument } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useFamilyPath, useResource } from '@/engine/context';
import { varve } from '@/lib/cli';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import type { Tables } from './tables';
import { lookFirst, type Hint } from './look_first';

const kTones: Record<Hint['harm'], string> = { loss: 'bad', slow: 'warn', space: 'muted' };
const kHarms: Record<Hint['harm'], string> = { loss: 'data', slow: 'speed', space: 'space' };

export function LookFirst({
  document,
  db,
  tables,
}: {
  document: TargetDocument;
  db: Database;
  tables: Tables;
}) {
  const { link } = useRoute();
  const levels = useResource(ask('/targets/{t}/cfs/{cf}/levels', { path: useFamilyPath() }));
  const hints = lookFirst(document, db, levels.data, tables.files.data?.rows);
  return (
    <Panel title="What to look at first" wide cli={varve('db info', [`./${document.target.name}`])}>
      {hints.length === 0 ? (
        <p className="empty">
          Nothing stands out. This does not read the tables:{' '}
          <a href={link('findings')}>verify every checksum</a>.
        </p>
      ) : (
        <ol className="hints">
          {hints.map((hint) => (
            <li key={hint.what}>
              <span className={`tag ${kTones[hint.harm]}`}>{kHarms[hint.harm]}</span>
              <span>
                {hint.page ? <a href={link(hint.page)}>{hint.what}</a> : hint.what}
                <span className="muted">: {hint.why}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
