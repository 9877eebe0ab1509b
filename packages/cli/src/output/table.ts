import Table from 'cli-table3';
import { paginationOf, recordsOf, type ApiRecord } from './api-record.js';
import { cellText } from './cell-text.js';
import type { Paint } from './paint.js';

export interface Column<Row = ApiRecord> {
  head: string;
  of(row: Row): unknown;
  align?: 'right';
}

const NO_LINES = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

/** Columns under bold heads, without lines: easy to read, to grep and to cut. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], paint: Paint): string {
  const cells = rows.map((row) => columns.map((column) => paint.state(cellText(column.of(row)))));
  return layOut(
    [columns.map(({ head }) => paint.heading(head)), ...cells],
    columns.map(({ align }) => align ?? 'left'),
  );
}

/** A field per line, in the order of the answer. */
export function fields(record: ApiRecord, paint: Paint): string {
  return layOut(
    Object.entries(record).map(([name, value]) => [paint.heading(name), paint.state(cellText(value))]),
    ['left', 'left'],
  );
}

/** The rows of a list answer, or `nothing`; and where the list goes on. */
export function list(body: unknown, columns: readonly Column[], paint: Paint, nothing: string): string {
  const rows = recordsOf(body);
  const pages = paginationOf(body);
  if (rows.length === 0)
    return pages && pages.total > 0 ? `Nothing on this page; ${pages.total} in all.` : nothing;
  const shown = table(columns, rows, paint);
  if (!pages || pages.totalPages <= 1) return shown;
  const { currentPage, totalPages, total } = pages;
  const next = currentPage < totalPages ? `; next: --page ${currentPage + 1}` : '';
  return `${shown}\n\nPage ${currentPage} of ${totalPages}, ${total} in all${next}`;
}

function layOut(rows: string[][], colAligns: ('left' | 'right')[]): string {
  const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [] };
  const laidOut = new Table({ chars: NO_LINES, style, colAligns });
  laidOut.push(...rows);
  return laidOut
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
