import { listShapes } from './statement-shape.js';

describe('the shape of a statement', () => {
  it.each([
    [`SELECT "state" FROM "job" WHERE "job" = 'a' LIMIT 5`, `SELECT "state" FROM "job" WHERE "job" = '…' LIMIT N`],
    [
      `SELECT "state" FROM "job" WHERE "job" = 'a' OR "job" = 'it''s' OR "job" = 'b'`.replace(`''`, `\\'`),
      `SELECT "state" FROM "job" WHERE "job" = '…' OR …`,
    ],
    [
      `SELECT max("loss") AS "a", max("x, y") AS "b" FROM "job_metadata" WHERE "series" = 'a' GROUP BY time(1m), "job"`,
      `SELECT max("…") AS "…", … FROM "job_metadata" WHERE "series" = '…' GROUP BY time(N), "job"`,
    ],
    [`SELECT "loss", "lr" FROM "job_metadata"`, `SELECT "…", … FROM "job_metadata"`],
    [`SELECT "job", "state" FROM "job" WHERE "a" = ''`, `SELECT "job", "state" FROM "job" WHERE "a" = ''`],
    [`SELECT "x" FROM "m" WHERE "a" =~ /^b-[0-9a-f]+$/`, `SELECT "x" FROM "m" WHERE "a" =~ /^…$/`],
    [`SELECT "x" FROM "m" WHERE "a" =~ /(?:)^[a-z]{8}$/`, `SELECT "x" FROM "m" WHERE "a" =~ /(?:)^…$/`],
    [
      `SELECT "x" FROM "m" WHERE time >= '2026-01-01T00:00:00Z' AND "n" > 1.5`,
      `SELECT "x" FROM "m" WHERE time >= '…' AND "n" > N`,
    ],
    [`SELECT "x" FROM "m" WHERE "a" =~ /;"/ AND "b" = ';'`, `SELECT "x" FROM "m" WHERE "a" =~ /…/ AND "b" = '…'`],
    ['SHOW DIAGNOSTICS', 'SHOW DIAGNOSTICS'],
  ])('%s', (statement, shape) => {
    expect(listShapes(`${statement}; ${statement}`)).toEqual([shape, shape]);
  });
});
