// SPDX-License-Identifier: Apache-2.0
// What SQL can be asked of: records, and the reports of the API.
import { kRecordTables } from './record_tables';
import { kReportTables } from './report_tables';
import type { Kind, Table } from './table';

export const kTables: Table[] = [...kRecordTables, ...kReportTables];

export const tablesOf = (kind: Kind) => kTables.filter((table) => table.kinds.includes(kind));
