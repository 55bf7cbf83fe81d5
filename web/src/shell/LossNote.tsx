// SPDX-License-Identifier: Apache-2.0
// On every page of a database whose log is damaged: what is shown lacks what cannot be replayed.
import { Alert } from '@mantine/core';
import { useTarget } from '@/engine/context';
import { varve } from '@/lib/cli';
import { bytes, count, plural } from '@/lib/format';

const kMostShown = 5;

export function LossNote() {
  const target = useTarget();
  const losses = target.data?.recovery?.losses ?? [];
  if (!target.data || losses.length === 0) return null;
  const logs = new Set(losses.map((loss) => loss.file)).size;
  const lost = losses.reduce((sum, loss) => sum + loss.size, 0);
  return (
    <Alert
      color="yellow"
      variant="light"
      role="note"
      className="problem loss"
      title={`Incomplete: ${bytes(lost)} of ${plural(logs, 'log')} cannot be replayed`}
    >
      <p>Records that were written there are missing from every answer here.</p>
      <ul>
        {losses.slice(0, kMostShown).map((loss) => (
          <li key={`${loss.file}@${loss.offset}`}>
            <span className="mono">{loss.file}</span> at {count(loss.offset)}, {bytes(loss.size)}:{' '}
            {loss.what}
          </li>
        ))}
        {losses.length > kMostShown && (
          <li className="muted">and {count(losses.length - kMostShown)} more</li>
        )}
      </ul>
      <p>
        What a repair would save:{' '}
        <code>{varve('db repair', [`./${target.data.target.name}`, '--dry-run'])}</code>
      </p>
    </Alert>
  );
}
