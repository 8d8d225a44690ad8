import { createRow, type LogRow } from './log-row.js';
import { isStoredAsShown } from './row-rules.js';
import type { StreamLogRows } from './stream-log-state.js';

/** In place of an unknown text: no row's text holds control characters. */
const UNKNOWN = '\0';

/** Keeps almost nothing of a row that is stored as it is shown, until it changes. Returns whether it does. */
export function compactRow({ rows, settled, dirty }: StreamLogRows, row: LogRow): boolean {
  if (rows.get(row.id) !== row || !isStoredAsShown(row) || dirty.has(row)) return false;
  rows.delete(row.id);
  settled.add(row.id, row.timeNs, row.ansi !== undefined);
  // A link from a dead row that is old keeps every row behind it, until all memory is searched.
  row.previous = undefined;
  row.next = undefined;
  return true;
}

/** Compacts the row before a line, which no later row is compared with. */
export function compactBefore(log: StreamLogRows, row: LogRow): void {
  const { previous } = row;
  if (previous === undefined || row === log.vacant || row.place !== 'line' || row.run !== undefined) return;
  if (compactRow(log, previous)) row.previous = undefined;
}

/** Restores a compacted row that has changed. Its old text is not known any more, only that it was another one. */
export function restoreRow({ rows, settled }: StreamLogRows, id: number): LogRow | undefined {
  const kept = settled.take(id);
  if (kept === undefined) return undefined;
  const row = createRow(id, kept.timeNs, undefined);
  const ansi = kept.hasColours ? UNKNOWN : undefined;
  row.text = UNKNOWN;
  row.ansi = ansi;
  row.isEnded = true;
  row.place = 'line';
  row.stored = { text: UNKNOWN, ansi, kind: 'output', writtenMs: 0 };
  rows.set(id, row);
  return row;
}
