import { restrict, type Restricted, type Rights } from './restrict.js';

const ANN: Rights = { kind: 'some', users: ['ann'], jobs: [] };
const OPTIONS = { database: 'joblens', measurements: ['gpu load'], nowNs: 10n ** 18n };

function ask(query: string, rights: Rights = ANN): string | Restricted {
  const restricted = restrict(query, rights, OPTIONS);
  if (restricted.kind === 'refused') return restricted.rule;
  return restricted.steps
    .map((step) => (step.kind === 'ask' ? step.statement : `[${step.statements.join('; ')}]`))
    .join('; ');
}

describe('a restricted query', () => {
  it.each([
    ['SELECT "line" FROM "job_log"', `SELECT "line"::string FROM "job_log" WHERE "user"::tag = 'ann'`],
    [`select line from job_log where job = 'a' or user = 'bob' -- x`, 'syntax'],
    [
      `select line from job_log where job = 'a' or "user" = 'bob' and time > 0 -- x`,
      `SELECT "line"::string FROM "job_log" WHERE "user"::tag = 'ann' AND ("job"::tag = 'a' OR "user"::tag = 'bob' AND time > '1970-01-01T00:00:00Z')`,
    ],
    [
      `SELECT max("x") FROM (SELECT "progress" AS "x", "user" FROM "job") WHERE "user" != 'ann'`,
      `SELECT max("x") FROM (SELECT "progress"::float AS "x", "user"::tag FROM "job" WHERE "user"::tag = 'ann') WHERE "user" != 'ann'`,
    ],
    ['SELECT * FROM "other"', 'measurement'],
    ['SELECT * FROM "joblens".."job_log"', `SELECT * FROM "job_log" WHERE "user"::tag = 'ann'`],
    ['SELECT * FROM "other".."job_log"', 'database'],
    ['SELECT * FROM "autogen"."job_log"', 'retention-policy'],
    ['SELECT * INTO "x" FROM "job_log"', 'into'],
    ['DROP SERIES FROM "job_log"', 'statement'],
    ['SHOW DATABASES', '[]'],
  ])('%s', (query, expected) => {
    expect(ask(query)).toBe(expected);
  });
});
