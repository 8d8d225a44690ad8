import { createTagEquals } from './build.js';
import { narrowStatement, type Narrowing } from './narrow.js';
import { parseQuery } from './parse.js';
import { printStatement } from './print.js';

/** Narrows measurements whose name begins with `job` to one user, with an odd name. */
const ofUser: Narrowing = (from, part) =>
  from.some((source) => source.kind === 'measurement' && source.name.startsWith('job'))
    ? [createTagEquals('user', "o'brien (1)"), undefined, ...(part === 'points' ? [createTagEquals('kind', 'x')] : [])]
    : [];

const USER = `"user" = 'o\\'brien (1)'`;
const POINTS = `${USER} AND "kind" = 'x'`;

function narrow(text: string): string {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(`cannot parse ${text}`);
  const [statement] = parsed.value;
  if (statement === undefined) throw new Error('nothing was parsed');
  return printStatement(narrowStatement(statement, ofUser));
}

it.each([
  ['SELECT "a" FROM "job_log"', `SELECT "a" FROM "job_log" WHERE ${POINTS}`],
  ['SELECT "a" FROM "job" WHERE "b" = 1 OR "c" = 2', `SELECT "a" FROM "job" WHERE ("b" = 1 OR "c" = 2) AND ${POINTS}`],
  [
    'SELECT sum("a") FROM (SELECT max("a") AS "a" FROM "job" GROUP BY "job")',
    `SELECT sum("a") FROM (SELECT max("a") AS "a" FROM "job" WHERE ${POINTS} GROUP BY "job")`,
  ],
  ['SELECT "a" FROM "cpu"', 'SELECT "a" FROM "cpu"'],
  ['SHOW TAG VALUES FROM "job" WITH KEY = "job"', `SHOW TAG VALUES FROM "job" WITH KEY = "job" WHERE ${USER}`],
  ['SHOW TAG KEYS FROM "job"', `SHOW TAG KEYS FROM "job" WHERE ${USER}`],
  ['SHOW SERIES FROM "job" WHERE "job" = \'7\'', `SHOW SERIES FROM "job" WHERE "job" = '7' AND ${USER}`],
  ['DROP SERIES FROM "job" WHERE "job" = \'7\'', `DROP SERIES FROM "job" WHERE "job" = '7' AND ${USER}`],
  ['SHOW FIELD KEYS FROM "job"', 'SHOW FIELD KEYS FROM "job"'],
  ['SHOW DATABASES', 'SHOW DATABASES'],
])('narrows %s', (text, narrowed) => {
  expect(narrow(text)).toBe(narrowed);
});
