// SPDX-License-Identifier: Apache-2.0
// The steps that a script can have.
const kSteps: [string, string][] = [
  ['put KEY VALUE', 'writes a record'],
  ['delete KEY', 'single_delete KEY as well'],
  ['merge KEY OPERAND', 'with option merge_operator'],
  ['delete_range FROM TO', 'deletes all keys from FROM on, before TO'],
  [
    'fill N KEY VALUE',
    '# becomes 0000, 0001, …; ~ letters that look random; N/STEP counts in steps',
  ],
  ['scatter N KEY VALUE', 'the same, in no order'],
  ['load N KEY VALUE', 'as scatter, with the flushes and compactions that become due'],
  ['erase N KEY', 'deletes the keys of a fill'],
  ['ingest N KEY VALUE', 'a finished table, past log and memtable'],
  ['get KEY', 'multiget KEY KEY … for several'],
  ['scan [FROM [TO]]', 'the first ten records'],
  ['snapshot NAME', 'release NAME lets go of it; at NAME get KEY reads at it'],
  ['family NAME', 'makes a column family; in NAME put KEY VALUE writes to it'],
  ['flush', 'memtables into tables'],
  ['compact', 'everything, to the last level'],
  ['work', 'one flush or compaction that is due'],
  ['option NAME VALUE', 'changes an option while the database is open'],
  ['reopen [NAME=VALUE …]', 'closes it and opens it again'],
  ['crash [BYTES]', 'ends it; the log keeps BYTES, or loses -BYTES'],
  ['damage FILE OFFSET', 'changes a byte of the newest log, table or manifest'],
  ['lose FILE', 'removes that file'],
  ['verify', 'reads everything and checks it'],
  ['repair', 'makes a new database of what can be read'],
];

export function Reference() {
  return (
    <details className="options">
      <summary>Steps that a script can have</summary>
      <dl className="reference">
        {kSteps.map(([step, what]) => (
          <div key={step}>
            <dt>
              <code>{step}</code>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
