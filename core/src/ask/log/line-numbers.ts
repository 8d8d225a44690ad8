import { createColumn } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import type { Reading } from '../reading/reading.js';
import { logCountQuery, logQuery, type LogSelection, readLogCount } from './log.js';

/** Where a line with a number is found: behind so many lines that begin at this time or later. */
export interface LinePlace {
  readonly fromNs: bigint;
  readonly skip: number;
}

/** Lines that are read and skipped rather than looked for. More writers do not share an instant. */
const MAX_SKIPPED = 1000;

/** How many lines of the selection begin before these times, in the same order. The times must not fall. */
export function* countLinesBefore(selection: LogSelection, timesNs: readonly bigint[]): Reading<readonly number[]> {
  const { patterns: _, ...all } = selection;
  // Each statement counts from the time before, so that together they count the log once.
  const parts = timesNs.map((timeNs, at): LogSelection => ({
    ...all,
    fromNs: timesNs[at - 1] ?? all.fromNs,
    beforeNs: timeNs,
  }));
  const counts = (yield parts.map(logCountQuery)).map((result) => readLogCount(result, all));
  let sum = 0;
  return counts.map((count) => (sum += count));
}

/** Where the line with this number is, from 1; undefined behind the last line. */
export function* findLine(selection: LogSelection, number: number): Reading<LinePlace | undefined> {
  const wanted = Math.max(0, number - 1);
  // Later parts of long lines are rows, too, so that the row of this number is not behind the line.
  for (let row = wanted; ;) {
    const [found] = yield [rowQuery(selection, row)];
    const fromNs = readLineTime(found);
    if (fromNs === undefined) return undefined;
    const [before = 0] = yield* countLinesBefore(selection, [fromNs]);
    const skip = Math.max(0, wanted - before);
    if (skip <= MAX_SKIPPED) return { fromNs, skip };
    row += skip - MAX_SKIPPED;
  }
}

/** The row with this number, from 0. */
function rowQuery(selection: LogSelection, row: number): SelectStatement {
  const { limit: _, ...select } = logQuery({ ...selection, order: 'asc', limit: 1 });
  return { ...select, columns: ['kind', 'part'].map((name) => createColumn(name)), limit: 1, offset: row };
}

function readLineTime(result: ReadableResult): bigint | undefined {
  const [row] = listSeries(result).flatMap((series) => listRows(series));
  return row === undefined ? undefined : row.timeNs - BigInt(row.number('part') ?? 0);
}
