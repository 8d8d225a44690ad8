import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import type { Condition } from '../../influxql/nodes.js';
import type { StatementResult } from '../../influxql/response.js';
import { formatRfc3339Nano } from '../../point/timestamp.js';
import type { LogLine } from '../../rows/join-log-parts.js';
import { createLogPoints } from '../../schema/log-point.js';
import type { Stream } from '../../schema/measurements.js';
import { logQuery, readLogPage, type LogRequest } from './log.js';

const START_NS = 1_700_000_000_000_000_000n;
const COLUMNS = ['time', 'line', 'ansi', 'kind', 'part', 'stream', 'task', 'job', 'user'];

interface StoredRow {
  readonly timeNs: bigint;
  readonly values: readonly (string | number | null)[];
}

function storeLine(line: LogLine): StoredRow[] {
  const { stream, kind, timeNs, ansi, job, user, task } = line;
  const source = { job, user, ...(task !== undefined && { task }) };
  return createLogPoints(source, { stream, line: line.line, kind, timeNs, ...(ansi !== undefined && { ansi }) }).map(
    ({ fields, timeNs: pointNs }) => ({
      timeNs: pointNs,
      values: [
        formatRfc3339Nano(pointNs),
        String(fields.get('line')),
        fields.has('ansi') ? String(fields.get('ansi')) : null,
        kind,
        fields.has('part') ? Number(fields.get('part')) : null,
        stream,
        ...[task ?? null, job, user],
      ],
    })
  );
}

/** Whether the time of a row is one of those that the statement asks for. */
function isInTime(condition: Condition | undefined, timeNs: bigint): boolean {
  if (condition === undefined) return true;
  if (condition.kind === 'and') return isInTime(condition.left, timeNs) && isInTime(condition.right, timeNs);
  if (condition.kind !== 'time' || condition.right.kind !== 'time') return true;
  const boundNs = condition.right.timeNs;
  const results = { '=': timeNs === boundNs, '<': timeNs < boundNs, '<=': timeNs <= boundNs };
  return condition.operator in results
    ? results[condition.operator as keyof typeof results]
    : condition.operator === '>'
      ? timeNs > boundNs
      : timeNs >= boundNs;
}

/** What a store with these rows, oldest first, answers. */
function answer(rows: readonly StoredRow[], request: LogRequest): StatementResult {
  const { where, limit } = logQuery(request);
  const found = rows.filter(({ timeNs }) => isInTime(where, timeNs));
  const page = (request.order === 'desc' ? found.toReversed() : found).slice(0, limit);
  return { statement_id: 0, series: [{ name: 'job_log', columns: COLUMNS, values: page.map(({ values }) => values) }] };
}

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string() },
  fc
    .tuple(fc.constantFrom('x', 'é', '～', '😀'), fc.integer({ min: 15_000, max: 70_000 }))
    .map(([char, n]) => char.repeat(n))
);
/** Lines of several writers, at least 1 µs apart for each; different writers may share a time, or interleave. */
const log = fc
  .array(
    fc.record({
      line: text,
      stream: fc.constantFrom<Stream>('stdout', 'stderr'),
      task: fc.constantFrom(undefined, '0', '1'),
      gapNs: fc.constantFrom(0n, 1n, 2n, 500n, 1_000n, 5_000n),
    }),
    { maxLength: 12 }
  )
  .map((rows) => {
    const lastNs = new Map<string, bigint>();
    let timeNs = START_NS;
    return rows.map(({ gapNs, task, ...row }): LogLine => {
      const ownNs = lastNs.get(task ?? '');
      timeNs += gapNs;
      if (ownNs !== undefined && timeNs < ownNs + 1_000n) timeNs = ownNs + 1_000n;
      lastNs.set(task ?? '', timeNs);
      return { ...row, timeNs, job: '1', user: 'ann', kind: 'output', ...(task !== undefined && { task }) };
    });
  });

function keyOf({ timeNs, task, line }: LogLine): string {
  return `${String(timeNs)} ${task ?? ''} ${line}`;
}

it('gives every line of a range once and whole, in order, whatever the page size', () => {
  const bounds = fc.tuple(fc.bigInt(-2n, 12_000n), fc.bigInt(-2n, 40_000n));
  fc.assert(
    fc.property(
      log,
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 9 }),
      bounds,
      (lines, order, size, at) => {
        const rows = lines.flatMap(storeLine).sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0));
        const [fromNs, toNs] = [START_NS + at[0], START_NS + at[1]];
        const seen: LogLine[] = [];
        let [limit, edgeNs]: [number, bigint | undefined] = [size, undefined];
        for (let pages = 0; pages < 1_000; pages++) {
          const edge = edgeNs === undefined ? {} : order === 'desc' ? { beforeNs: edgeNs } : { afterNs: edgeNs };
          const request: LogRequest = { job: '1', fromNs, toNs, order, limit, ...edge };
          const page = readLogPage(answer(rows, request), request);
          seen.push(...page.lines);
          edgeNs = page.lines.at(-1)?.timeNs ?? edgeNs;
          if (page.isEnd) break;
          limit = page.lines.length > 0 ? size : limit * 2;
        }
        const expected = lines.filter(({ timeNs }) => timeNs >= fromNs && timeNs <= toNs);
        expect(seen.map(keyOf).sort()).toEqual(expected.map(keyOf).sort());
        const times = seen.map(({ timeNs }) => timeNs);
        const isRising = times.every((timeNs, index) => index === 0 || timeNs >= (times[index - 1] ?? timeNs));
        const isFalling = times.every((timeNs, index) => index === 0 || timeNs <= (times[index - 1] ?? timeNs));
        expect(order === 'asc' ? isRising : isFalling).toBe(true);
      }
    ),
    { numRuns: randomCases(200) }
  );
});
