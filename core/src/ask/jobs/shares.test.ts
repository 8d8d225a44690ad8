import { printStatement } from '../../influxql/print.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { createSharePoint, type ShareWord } from '../../schema/share-point.js';
import { readShares, sharesQuery } from './shares.js';

const [JOB, OWNER, WHOM] = ["o'hara (1)", 'ann "a"', 'group:m.l-x'] as const;

/** What the store answers when these were written, one after the other. */
function read(words: readonly ShareWord[], order: 'asc' | 'desc' = 'desc'): readonly unknown[] {
  const rows = words.map((word, at) => {
    const { fields, tags } = createSharePoint({ job: JOB, user: OWNER }, WHOM, word, BigInt(at));
    const cells = ['shared', 'offered'].map((name) => (fields.has(name) ? Number(fields.get(name)) : null));
    return [`2023-11-14T22:00:0${at}Z`, ...cells, ...['user', 'job', 'whom'].map((name) => tags.get(name) ?? null)];
  });
  const values = order === 'desc' ? rows.toReversed() : rows;
  const columns = ['time', 'shared', 'offered', 'user', 'job', 'whom'];
  return readShares({ statement_id: 0, series: [{ name: 'job_share', columns, values }] });
}

const SHARED = [{ user: OWNER, job: JOB, whom: WHOM }];

it.each<readonly [string, readonly ShareWord[], readonly unknown[]]>([
  ['a job that offers itself', ['offered'], SHARED],
  ['one that offers itself again', ['offered', 'offered'], SHARED],
  ['one that its owner shares', ['shared'], SHARED],
  ['one whose owner took it back', ['shared', 'unshared'], []],
  ['one that offers itself after its owner took it back', ['offered', 'unshared', 'offered'], []],
  ['one that its owner took back before it offers itself', ['unshared', 'offered'], []],
  ['one that its owner shares again', ['offered', 'unshared', 'offered', 'shared', 'offered'], SHARED],
])('tells of %s', (_what, words, expected) => {
  expect([read(words), read(words, 'asc')]).toEqual([expected, expected]);
});

it('asks for tags as tags, so that no field stands in for them', () => {
  const { columns }: SelectStatement = sharesQuery();
  expect(columns).toHaveLength(5);
  expect(printStatement(sharesQuery())).toContain('"user"::tag, "job"::tag, "whom"::tag FROM "job_share"');
});
