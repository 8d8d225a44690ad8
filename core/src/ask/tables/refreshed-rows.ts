import type { ResultValue, StatementResult } from '../../influxql/response.js';
import { parseRfc3339Nano } from '../../point/timestamp.js';
import type { MetadataRecord } from '../../rows/join-rows.js';
import { listSeries, type ReadableResult } from '../reading/result-rows.js';
import { joinRows } from './rows.js';

type Row = readonly ResultValue[];

/** The rows of a table, and the two answers that they are from, newest first as they were asked for. */
export interface JoinedRows {
  readonly answers: readonly [ReadableResult, ReadableResult];
  /** Newest first. */
  readonly records: readonly MetadataRecord[];
}

/** What a refresh changed in one answer, as times. Nothing changed between `afterNs` and `beforeNs`, both exclusive. */
interface Change {
  readonly afterNs: bigint;
  readonly beforeNs: bigint;
}

/** Times are 64 bits. */
const [FIRST_NS, LAST_NS] = [-(2n ** 63n), 2n ** 63n];

/**
 * Does what joinRows does, but joins only what is new: rows that both answers share with those before, as the same
 * objects, keep their records. Both answers are newest first.
 */
export function joinRefreshedRows(
  answers: JoinedRows['answers'],
  keys: readonly string[],
  limit: number,
  before: JoinedRows | undefined
): JoinedRows {
  const joinAll = (): JoinedRows => ({ answers, records: joinRows(...answers, keys, { order: 'desc', limit }) });
  if (before === undefined) return joinAll();
  const changes = answers.map((answer, half) =>
    findChange(listAnswerRows(answer), listAnswerRows(before.answers[half]))
  );
  const afterNs = changes.reduce((latest, change) => (change.afterNs > latest ? change.afterNs : latest), FIRST_NS);
  const beforeNs = findFirst(changes.map((change) => change.beforeNs));
  const oldest = answers.flatMap((answer) => readTimeNs(listAnswerRows(answer).at(-1)) ?? []);
  if (oldest.some((timeNs) => timeNs <= afterNs)) return joinAll();
  const kept = before.records.filter(({ timeNs }) => timeNs > afterNs && timeNs < beforeNs);
  const [numbers, texts] = answers.map((answer) => takeNewest(answer, beforeNs));
  const records = [...joinRows(numbers, texts, keys, { order: 'desc', limit }), ...kept].slice(0, limit);
  // The limit may have left rows away that are wanted now.
  return records.length < limit && before.records.length >= limit ? joinAll() : { answers, records };
}

function findFirst(timesNs: readonly bigint[]): bigint {
  return timesNs.reduce((first, timeNs) => (timeNs < first ? timeNs : first), LAST_NS);
}

function findChange(rows: readonly Row[], before: readonly Row[]): Change {
  const oldest = rows.at(-1);
  if (before.length === 0) return { afterNs: FIRST_NS, beforeNs: readTimeNs(oldest) ?? LAST_NS };
  const oldestAt = oldest === undefined ? -1 : before.lastIndexOf(oldest);
  if (oldestAt === -1) return { afterNs: FIRST_NS, beforeNs: FIRST_NS };
  let same = 1;
  while (same <= oldestAt && same < rows.length && rows.at(-1 - same) === before[oldestAt - same]) same += 1;
  const changed = [rows[rows.length - same - 1], before[oldestAt - same]];
  return {
    afterNs: readTimeNs(before[oldestAt + 1]) ?? FIRST_NS,
    beforeNs: findFirst(changed.flatMap((row) => readTimeNs(row) ?? [])),
  };
}

/** The rows of an answer that are not older than this. */
function takeNewest(answer: ReadableResult, fromNs: bigint): StatementResult | undefined {
  const rows = listAnswerRows(answer);
  const end = rows.findIndex((row) => (readTimeNs(row) ?? 0n) < fromNs);
  const values = end === -1 ? rows : rows.slice(0, end);
  return (
    answer && {
      ...answer,
      series: listSeries(answer)
        .slice(0, 1)
        .map((series) => ({ ...series, values })),
    }
  );
}

function listAnswerRows(answer: ReadableResult): readonly Row[] {
  return listSeries(answer)[0]?.values ?? [];
}

function readTimeNs(row: Row | undefined): bigint | undefined {
  const time = row?.[0];
  return typeof time === 'string' ? parseRfc3339Nano(time) : undefined;
}
