import { printStatement } from '../../influxql/print.js';
import { answerReading } from '../testing/answer-reading.js';
import type { Ask } from '../reading/reading.js';
import type { ReadableResult } from '../reading/result-rows.js';
import { readEventCounts } from './event-counts.js';
import { readTopics } from './topics.js';

const [JOB, TOPIC] = [`it's "a" (b).c`, 'a topic, with=all'];

/** A store of one job with so many events, a second apart, which one tag finds. */
const answer =
  (count: number) =>
  (asked: readonly Ask[]): readonly ReadableResult[] =>
    asked.map((ask): ReadableResult => {
      const statement = printStatement(ask.kind === 'apart' ? ask.statement : ask);
      if (statement.includes('FROM "job" ')) {
        const tags = { job: JOB, user: 'ann' };
        const values = [['2026-01-01T00:00:00Z', '{"team":"a"}']];
        return { statement_id: 0, series: [{ name: 'job', tags, columns: ['time', 'tags'], values }] };
      }
      if (!statement.includes('"data"') || !statement.includes('FROM "job_event"')) return { statement_id: 0 };
      const limit = Number(/LIMIT (\d+)/.exec(statement)?.[1]);
      const before = /time <= '([^']+)'/.exec(statement)?.[1];
      const newest = before === undefined ? count : Date.parse(before) / 1000;
      const columns = ['time', 'data', 'job', 'user', 'topic'];
      const values = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, at) => [
        new Date(1000 * (newest - at)).toISOString(),
        ...['{}', JOB, 'ann', TOPIC],
      ]);
      return { statement_id: 0, series: [{ name: 'job_event', columns, values }] };
    });

/** As many as are read, and one page more. */
it.each([
  [3, false],
  [4999, false],
  [5000, false],
  [5001, false],
  [210_000, true],
])('%d events of jobs with a tag are counted, and where they are not all it says so', (count, isCut) => {
  const filter = { tags: { team: 'a' } };
  const topics = answerReading(readTopics(filter), answer(count));
  const bins = answerReading(readEventCounts({ filter, stepMs: 3_600_000 }), answer(count));
  expect([topics.isCut, bins.isCut]).toEqual([isCut, isCut]);
  const sum = topics.topics.reduce((all, { events }) => all + events, 0);
  expect(bins.counts.reduce((all, { events }) => all + events, 0)).toBe(sum);
  if (isCut) expect(sum).toBeLessThan(count);
  else expect(sum).toBe(count);
});
