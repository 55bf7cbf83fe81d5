// SPDX-License-Identifier: Apache-2.0
// A table as a file: what is shown, sorted and filtered as it is, with whole numbers.
import { Button } from '@mantine/core';
import { csv, records, saveAs } from '@/lib/csv';

export type Cell = string | number;

export function SaveTable({
  name,
  read,
}: {
  name: string; // Of the file, without its ending.
  read: () => { columns: string[]; rows: Cell[][] };
}) {
  const save = (kind: 'csv' | 'json') => {
    const { columns, rows } = read();
    if (kind === 'csv')
      saveAs(
        `${name}.csv`,
        csv(
          columns,
          rows.map((row) => row.map(String)),
        ),
        'text/csv',
      );
    else saveAs(`${name}.json`, records(columns, rows), 'application/json');
  };
  return (
    <span className="save-table">
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        aria-label={`CSV of ${name}`}
        onClick={() => save('csv')}
      >
        CSV
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        aria-label={`JSON of ${name}`}
        onClick={() => save('json')}
      >
        JSON
      </Button>
    </span>
  );
}
