// SPDX-License-Identifier: Apache-2.0
import type { FileSummary } from '@/api/openapi';
import { decode } from '@/lib/bytes';
import { bytes } from '@/lib/format';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { BytesText } from '@/ui/small';

const kColumns: Column<FileSummary>[] = [
  {
    id: 'level',
    header: 'level',
    value: (f) => f.level,
    cell: (f) => `L${f.level}`,
    width: '64px',
    numeric: true,
  },
  {
    id: 'id',
    header: 'file',
    value: (f) => Number(f.id),
    cell: (f) => (f.present ? f.id : <span className="muted">{f.id} (gone)</span>),
    width: 'minmax(84px, .5fr)',
    numeric: true,
  },
  {
    id: 'size',
    header: 'size',
    value: (f) => f.size,
    cell: (f) => bytes(f.size),
    width: 'minmax(90px, .5fr)',
    numeric: true,
  },
  {
    id: 'from',
    header: 'smallest key',
    value: (f) => decode(f.smallest.key),
    cell: (f, near) => (
      <BytesText
        bytes={f.smallest.key}
        near={[f.largest.key, ...near.map((other) => other.smallest.key)]}
      />
    ),
    width: 'minmax(150px, 1.4fr)',
    mono: true,
  },
  {
    id: 'to',
    header: 'largest key',
    value: (f) => decode(f.largest.key),
    cell: (f, near) => (
      <BytesText
        bytes={f.largest.key}
        near={[f.smallest.key, ...near.map((other) => other.largest.key)]}
      />
    ),
    width: 'minmax(150px, 1.4fr)',
    mono: true,
  },
  {
    id: 'seqs',
    header: 'sequences',
    value: (f) => Number(f.smallest_seq),
    cell: (f) => `${f.smallest_seq}–${f.largest_seq}`,
    width: 'minmax(110px, .8fr)',
    numeric: true,
  },
  {
    id: 'overlap',
    header: 'overlap below',
    value: (f) => f.overlap?.bytes ?? 0,
    cell: (f) => (f.overlap ? bytes(f.overlap.bytes) : '–'),
    width: 'minmax(110px, .5fr)',
    numeric: true,
  },
  {
    id: 'edit',
    header: 'edit',
    value: (f) => Number(f.added_by_edit),
    width: '70px',
    numeric: true,
  },
];

interface FileTableProps {
  files: FileSummary[];
  height?: number;
  selected?: string | null;
  onSelect?: (file: FileSummary) => void;
  onOpen: (file: FileSummary) => void;
}

export function FileTable(props: FileTableProps) {
  return (
    <DataGrid
      label="table files"
      saveName="files"
      rows={props.files}
      columns={kColumns}
      rowId={(file) => file.id}
      {...props}
    />
  );
}
