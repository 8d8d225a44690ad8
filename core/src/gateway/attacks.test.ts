import { parseQuery } from '../influxql/parse.js';
import { printStatements } from '../influxql/print.js';
import { restrict, type Rights } from './restrict.js';

const ANN: Rights = { kind: 'some', users: ['ann'], jobs: [] };
const OPTIONS = { database: 'joblens', measurements: ['gpu load'], nowNs: 10n ** 18n };
const ONLY_ANN = `"user"::tag = 'ann'`;

/** What is sent to the store, or the name of the rule. */
function send(query: string, rights: Rights = ANN): string {
  const restricted = restrict(query, rights, OPTIONS);
  if (restricted.kind === 'refused') return restricted.rule;
  return restricted.steps.flatMap((step) => (step.kind === 'ask' ? [step.statement] : step.statements)).join('; ');
}

const TRIED: ReadonlyArray<readonly [query: string, sent: string]> = [
  // An alias, a field or a column of a subquery that is named as the tag.
  ['SELECT "line" AS "user" FROM "job_log"', `SELECT "line"::string AS "user" FROM "job_log" WHERE ${ONLY_ANN}`],
  [`SELECT "x" FROM "job_log" WHERE "user"::field = 'ann'`, `WHERE ${ONLY_ANN} AND "user"::string = 'ann'`],
  [
    `SELECT "y" FROM (SELECT "line" AS "y", "job" AS "user" FROM "job_log") WHERE "user" = 'ann'`,
    `"job_log" WHERE ${ONLY_ANN})`,
  ],
  ['SELECT *::tag, "line" FROM "job_log"', `SELECT *::tag, "line"::string FROM "job_log" WHERE ${ONLY_ANN}`],
  // A field of others that is named as a tag, and counts before it in all that is read.
  [
    `SELECT "user", "task" FROM "job_log" WHERE "job" = '1'`,
    `SELECT "user"::tag, "task"::tag FROM "job_log" WHERE ${ONLY_ANN} AND "job"::tag = '1'`,
  ],
  [
    `SELECT max("job"), top("progress", "job", 1) FROM "job_heartbeat" WHERE "account" =~ /a/`,
    `SELECT max("job"::float), top("progress"::float, "job"::string, 1) FROM "job_heartbeat" WHERE ${ONLY_ANN} AND "account"::string`,
  ],
  [`SELECT "x" FROM "gpu load" WHERE "job" = '1'`, `AND ("job"::tag = '1' OR "job"::string = '1')`],
  // Whether others have a field, and of which type: where nobody has one, a store compares an empty tag.
  [`SELECT "x" FROM "job_metadata" WHERE "of bob" != 'y'`, `WHERE ${ONLY_ANN} AND "of bob"::string != 'y'`],
  [`SELECT "x" FROM "job_metadata" WHERE "of bob"::field !~ /y/`, `WHERE ${ONLY_ANN} AND "of bob"::string !~ /y/`],
  [`SELECT "x" FROM "job_metadata" WHERE "a" != -1 OR "b" = true`, `AND ("a"::float != -1 OR "b"::boolean = true)`],
  [`SELECT "x" FROM "job_metadata" WHERE "a"::tag = '' OR "b"::float > 1`, `AND ("a"::tag = '' OR "b"::float > 1)`],
  [
    'SELECT last("of bob"), sum("x") + sum("of bob") FROM "job_metadata" GROUP BY time(1w) fill(0)',
    'SELECT last("of bob"::float), sum("x"::float) + sum("of bob"::float) FROM',
  ],
  ['SELECT "x", "of bob" FROM "job_metadata_text"', 'SELECT "x"::string, "of bob"::string FROM'],
  [
    'SELECT mean("x"), top("x", "job", 1) FROM "job_metadata_text"',
    'SELECT mean("x"::float), top("x"::float, "job"::tag, 1)',
  ],
  ['SELECT "data", "x"::field FROM "job_event"', 'SELECT "data"::string, "x"::float FROM'],
  ['SELECT "x" FROM "job_metadata", "job_metadata_text"', 'mixed-sources'],
  ['SELECT "x"::string FROM "job_metadata", "job_metadata_text"', 'SELECT "x"::string FROM'],
  ['SELECT count(*) FROM "job_metadata", "job_metadata_text"', 'mixed-sources'],
  [`SHOW TAG VALUES FROM "job_metadata" WITH KEY = "job" WHERE "of bob" = 'y'`, `AND "of bob"::tag = 'y'`],
  [`SHOW SERIES FROM "gpu load" WHERE "of bob"::field =~ /y/`, `AND "of bob"::tag =~ /y/`],
  [`SHOW TAG KEYS WHERE "of bob"::string = 'y' AND "_name" = 'x'`, `AND ("of bob"::tag = 'y' AND "_name" = 'x')`],
  [`SELECT "x" FROM "job_metadata", "gpu load" WHERE "of bob" !~ /y/`, 'mixed-sources'],
  [`SELECT "x" FROM "gpu load" WHERE "host" != 'y'`, 'tag-or-field'],
  [`SELECT "x" FROM "gpu load" WHERE "host" !~ /y/`, 'tag-or-field'],
  [`SELECT "x" FROM "gpu load" WHERE "host" = ''`, 'tag-or-field'],
  [`SELECT "x" FROM "gpu load" WHERE "host"::tag != 'y'`, `WHERE ${ONLY_ANN} AND "host"::tag != 'y'`],
  [`SELECT "x" FROM "gpu load" WHERE "host"::field != 'y'`, `WHERE ${ONLY_ANN} AND "host"::string != 'y'`],
  [`SELECT "x" FROM "gpu load" WHERE "host" =~ /y/`, `AND ("host"::tag =~ /y/ OR "host"::string =~ /y/)`],
  [`SELECT "x" FROM "gpu load" WHERE "load" != 1`, `WHERE ${ONLY_ANN} AND "load"::float != 1`],
  [`SELECT "x" FROM "job_log", "job_metadata" WHERE "stream" = 'y'`, `WHERE ${ONLY_ANN} AND "stream"::tag = 'y'`],
  [`SELECT "x" FROM "gpu load", "job_log" WHERE "job" = '1'`, `WHERE ${ONLY_ANN} AND "job"::tag = '1'`],
  [`SELECT "x" FROM /./ WHERE "job" = '1'`, 'mixed-sources'],
  [`SELECT "x", "job" FROM "job_heartbeat", "gpu load"`, 'mixed-sources'],
  [`SELECT "line" FROM "job_text", "job_span" WHERE "name" = 'patch'`, 'mixed-sources'],
  [`SELECT "x" FROM "job_log", "job_heartbeat" WHERE "job"::tag = '1'`, `WHERE ${ONLY_ANN} AND "job"::tag = '1'`],
  // Conditions that the restriction must not be a part of.
  [`SELECT "line" FROM "job_log" WHERE "user" != 'ann'`, `WHERE ${ONLY_ANN} AND "user"::tag != 'ann'`],
  [
    `SELECT "line" FROM "job_log" WHERE "user" =~ /.*/ OR "user" = ''`,
    `WHERE ${ONLY_ANN} AND ("user"::tag =~ /.*/ OR "user"::tag = '')`,
  ],
  [
    `SELECT "line" FROM "job_log" WHERE "job" = 'a' OR 'b' = "job" OR "user" = 'bob'`,
    `AND ("job"::tag = 'a' OR "job"::tag = 'b' OR "user"::tag = 'bob')`,
  ],
  [`SELECT "line" FROM "job_log" WHERE "x" = 1) OR ("user" = 'bob'`, 'syntax'],
  [
    `SELECT "line" FROM "job_log" WHERE time > 0 OR "user" = 'bob'`,
    `AND (time > '1970-01-01T00:00:00Z' OR "user"::tag = 'bob')`,
  ],
  [`SELECT "line" FROM "job_log" WHERE "_name" = 'x' OR "_name" =~ /./`, `WHERE ${ONLY_ANN} AND (`],
  // Spelling.
  [`sElEcT line fRoM job_log wHeRe "user"='bob'`, `WHERE ${ONLY_ANN} AND "user"::tag = 'bob'`],
  ['SELECT line/* x */FROM--\njob_log', `SELECT "line"::string FROM "job_log" WHERE ${ONLY_ANN}`],
  [`SELECT line FROM job_log -- WHERE "user" = 'ann'`, `SELECT "line"::string FROM "job_log" WHERE ${ONLY_ANN}`],
  [
    `SELECT line FROM job_log WHERE line = 'it\\'s' OR "user" = 'bob'`,
    `AND ("line"::string = 'it\\'s' OR "user"::tag = 'bob')`,
  ],
  [`SELECT line FROM job_log WHERE line = 'a\\' OR "user" = 'bob`, 'syntax'],
  [`SELECT line FROM job_log WHERE line = 'a\\x'`, 'syntax'],
  [`SELECT line FROM job_log WHERE line = ’x’`, 'syntax'],
  ['SELECT "line" FROM "job\u200b_log"', 'measurement'],
  ['SELECT "line" FROM "JOB_LOG"', 'measurement'],
  ['SELECT $x FROM job_log', 'syntax'],
  // Several statements; all are refused with one.
  ['SHOW DATABASES; DROP DATABASE joblens', 'statement'],
  [
    'SELECT line FROM job_log; SELECT line FROM job_log',
    `WHERE ${ONLY_ANN}; SELECT "line"::string FROM "job_log" WHERE ${ONLY_ANN}`,
  ],
  ['SELECT line FROM job_log; SELECT x FROM elsewhere', 'measurement'],
  [';;', 'empty'],
  // Elsewhere: other databases, policies and measurements, and InfluxDB's own.
  ['SELECT * FROM "_internal".."queryExecutor"', 'database'],
  ['SELECT * FROM "joblens"."autogen"."job_log"', 'retention-policy'],
  ['SELECT * FROM "joblens".."job_log"', `SELECT * FROM "job_log" WHERE ${ONLY_ANN}`],
  ['SHOW TAG VALUES ON "_internal" WITH KEY = "user"', 'database'],
  ['SHOW FIELD KEYS ON "other"', 'database'],
  ['SHOW RETENTION POLICIES ON "other"', 'database'],
  ['SELECT "key" FROM "_series"', 'measurement'],
  ['SELECT * FROM "_fieldKeys", "job_log"', 'measurement'],
  ['SELECT "line" FROM /job_l.*/', `SELECT "line"::string FROM "job_label", "job_log" WHERE ${ONLY_ANN}`],
  ['SELECT "line" FROM /(?i)JOB_LOG|elsewhere/', `SELECT "line"::string FROM "job_log" WHERE ${ONLY_ANN}`],
  ['SELECT "line" FROM /elsewhere/', ''],
  ['SELECT "line" FROM "joblens".."job_log", /(a*)*b/', 'measurement-regex'],
  ['SELECT "line" FROM /[^a]/', 'measurement-regex'],
  ['SELECT "line" FROM /a.*b.*c.*d.*e/', 'measurement-regex'],
  ['SELECT "line" FROM "job_log", (SELECT "line" FROM "job_log")', 'mixed-sources'],
  // What writes, removes, or changes the server.
  ['SELECT * INTO "mine" FROM "job_log"', 'into'],
  ['SELECT * INTO "other".."mine" FROM "job_log" WHERE "job" = \'x\'', 'into'],
  ...['DELETE FROM "job_log"', 'DROP SERIES FROM "job_log"', 'DROP MEASUREMENT "job_log"', 'CREATE DATABASE "x"'].map(
    (query) => [query, 'statement'] as const
  ),
  ...["CREATE USER x WITH PASSWORD 'y'", 'GRANT ALL TO ann', 'REVOKE ALL FROM ann', 'KILL QUERY 1'].map(
    (query) => [query, 'statement'] as const
  ),
  ...['ALTER RETENTION POLICY a ON b DEFAULT', "SET PASSWORD FOR ann = 'x'", 'EXPLAIN ANALYZE SELECT 1'].map(
    (query) => [query, 'statement'] as const
  ),
  ...['SHOW QUERIES', 'SHOW USERS', 'SHOW GRANTS FOR ann', 'SHOW STATS', 'SHOW DIAGNOSTICS', 'SHOW SHARDS'].map(
    (query) => [query, 'unsupported'] as const
  ),
  ...['SHOW SUBSCRIPTIONS', 'SHOW CONTINUOUS QUERIES', 'SHOW SHARD GROUPS'].map(
    (query) => [query, 'unsupported'] as const
  ),
  ['from(bucket: "joblens") |> range(start: 0)', 'syntax'],
  // Names of others.
  ['SHOW TAG VALUES WITH KEY = "user"', `WITH KEY = "user" WHERE ${ONLY_ANN}`],
  [
    `SHOW TAG VALUES FROM "job" WITH KEY = "job" WHERE "user" = 'bob' OR "job" =~ /./`,
    `WHERE ${ONLY_ANN} AND ("user"::tag = 'bob' OR`,
  ],
  ['SHOW SERIES', `"gpu load" WHERE ${ONLY_ANN}`],
  ['SHOW TAG KEYS FROM "gpu load"', `SHOW TAG KEYS FROM "gpu load" WHERE ${ONLY_ANN}`],
  [`SHOW MEASUREMENTS WHERE "job" = 'of bob'`, `SHOW TAG VALUES FROM`],
  ['SHOW SERIES CARDINALITY', 'cardinality'],
  ['SHOW MEASUREMENT EXACT CARDINALITY', 'cardinality'],
  ['SHOW FIELD KEY CARDINALITY', 'cardinality'],
  ['SHOW TAG VALUES CARDINALITY WITH KEY = "job"', `WITH KEY = "job" WHERE ${ONLY_ANN}`],
  ['SHOW FIELD KEYS FROM "job_metadata"', `SELECT distinct("keys") FROM "job_series" WHERE ${ONLY_ANN}`],
  ['SELECT mean(*) FROM "job_metadata" WHERE time > 0 GROUP BY time(1w)', 'wildcard'],
  ['SELECT count(*) FROM "job_log" WHERE time > 0 GROUP BY time(1w) fill(3)', 'wildcard'],
  ['SELECT count(/./) FROM "gpu load" WHERE time > 0 GROUP BY time(1w) fill(0)', 'wildcard'],
  ['SELECT * FROM (SELECT * FROM "job_metadata")', 'wildcard'],
  ['SELECT * FROM (SELECT * FROM "job_log", "job_heartbeat")', 'mixed-sources'],
  ['SELECT "x", /a/ FROM /./', 'mixed-sources'],
  ['SELECT *::field, "job"::tag FROM "job_log", "job_heartbeat"', `"job"::tag FROM "job_log", "job_heartbeat" WHERE`],
  ['SELECT * FROM (SELECT mean(*) FROM (SELECT "line" FROM "job_log"))', `WHERE ${ONLY_ANN}))`],
  // Buckets of time without number.
  ['SELECT count("line") FROM "job_log" GROUP BY time(1s)', 'buckets'],
  ['SELECT count("line") FROM "job_log" WHERE time > 0 GROUP BY time(1s) fill(0)', 'buckets'],
  ['SELECT count("line") FROM "job_log" WHERE time > now() - 1h GROUP BY time(1ms) fill(0)', 'buckets'],
  ['SELECT sum("n") FROM (SELECT count("line") AS "n" FROM "job_log" GROUP BY time(1ns)) GROUP BY "job"', 'buckets'],
  ['SELECT count("line") FROM "job_log" WHERE time > 0 OR time > now() - 1h GROUP BY time(1s)', `WHERE ${ONLY_ANN}`],
  ['SELECT count("line") FROM "job_log" WHERE time > now() - 1d GROUP BY time(1s) fill(0)', `WHERE ${ONLY_ANN}`],
  ['SELECT count("line") FROM "job_log" GROUP BY time(1ns) fill(none)', `WHERE ${ONLY_ANN}`],
  [
    'SELECT sum("n") FROM (SELECT count("line") AS "n" FROM "job_log" GROUP BY time(1s)) WHERE time > now() - 1h',
    `WHERE ${ONLY_ANN}`,
  ],
  // Size.
  [`SELECT "line" FROM "job_log" WHERE "line" =~ /${'a'.repeat(4097)}/`, 'regex-length'],
  [`SELECT "line" FROM "job_log" GROUP BY /${'a'.repeat(4097)}/`, 'regex-length'],
  [`SHOW TAG VALUES WITH KEY =~ /${'a'.repeat(4097)}/`, 'regex-length'],
  [`SHOW TAG VALUES CARDINALITY WITH KEY !~ /${'a'.repeat(4097)}/`, 'regex-length'],
  [`SELECT "line" FROM "job_log" WHERE "line" = '${'a'.repeat(1 << 20)}'`, 'too-long'],
  [`SELECT "line" FROM ${'(SELECT "line" FROM '.repeat(5000)}"job_log"`, 'syntax'],
  [`SELECT "line" FROM "job_log" WHERE ${'('.repeat(100_000)}`, 'syntax'],
  [`SELECT "line" FROM "job_log" WHERE a = 1${' OR a = 1'.repeat(100_000)}`, 'syntax'],
  [`SELECT "${'a'.repeat(65_536)}" FROM "job_log"`, `WHERE ${ONLY_ANN}`],
  [`SELECT "line" FROM "${'a'.repeat(65_536)}"`, 'measurement'],
];

describe('what somebody tries who may see the points of ann alone', () => {
  it.each(TRIED.map(([query, expected]) => ({ query, expected, name: query.slice(0, 100) })))(
    '$name',
    ({ query, expected }) => {
      const sent = send(query);
      if (expected === '' || /^[a-z-]+$/.test(expected)) expect(sent).toBe(expected);
      else expect(sent).toContain(expected);
    }
  );

  it('finds nothing of nobody: neither an empty name nor an empty list nor an empty job', () => {
    const nobody: Rights[] = [
      { kind: 'some', users: [], jobs: [] },
      { kind: 'some', users: [''], jobs: [{ user: '', job: 'x' }] },
      { kind: 'some', users: [], jobs: [{ user: 'bob', job: '' }] },
    ];
    const queries = [
      'SELECT * FROM "job_log"',
      'SELECT "x" FROM (SELECT "x" FROM "job")',
      'SHOW SERIES',
      'SHOW FIELD KEYS',
    ];
    for (const rights of nobody) {
      expect([...queries, 'SHOW MEASUREMENTS'].map((query) => send(query, rights))).toEqual(['', '', '', '', '']);
    }
  });

  it('writes names so that they stay names', () => {
    const users = [`' OR '' = '`, 'a\\', 'two\nlines', 'a"b', 'ünï', '\u0000', 'x'.repeat(65_536)];
    for (const user of users) {
      const sent = send('SELECT "line" FROM "job_log" WHERE "job" = \'x\'', { kind: 'some', users: [user], jobs: [] });
      const parsed = parseQuery(sent);
      expect(parsed.ok && printStatements(parsed.value)).toBe(sent);
      expect(parsed.ok && parsed.value[0]).toMatchObject({
        where: { kind: 'and', left: { left: { name: 'user', cast: 'tag' } } },
      });
    }
  });

  it('sees a shared job where its job is, and no other of its owner', () => {
    const rights: Rights = {
      kind: 'some',
      users: ['ann'],
      jobs: [
        { user: 'bob', job: "it's" },
        { user: 'ann', job: 'b' },
      ],
    };
    const shared = (place: string): string =>
      `WHERE (${ONLY_ANN} OR "user"::tag = 'bob' AND "job"::${place} = 'it\\'s') AND "x"`;
    const of = (name: string): string => send(`SELECT "x" FROM "${name}" WHERE "x" = 1`, rights);
    expect(of('job_log')).toContain(shared('tag'));
    expect(of('job_heartbeat')).toContain(shared('field'));
    expect(of('job_transition')).toContain(shared('field'));
    expect(of('job_label')).toContain(shared('field'));
    expect(send('SHOW TAG KEYS FROM "job_heartbeat" WHERE "x" = 1', rights)).toContain(shared('tag'));
  });

  it('knows more rights than a store can look at', () => {
    const users = Array.from({ length: 5001 }, (_, at) => `u${at}`);
    expect(send('SELECT "line" FROM "job_log"', { kind: 'some', users, jobs: [] })).toBe('too-many-rights');
    const sent = send('SELECT "line" FROM "job_log"', { kind: 'some', users: users.slice(1), jobs: [] });
    expect(sent).toContain(`OR "user"::tag = 'u5000'`);
  });
});

describe('who may see all', () => {
  it.each([
    ['SELECT * FROM "elsewhere" WHERE "x" = 1', 'SELECT * FROM "elsewhere" WHERE "x" = 1'],
    ['SELECT * FROM /[a]/', 'SELECT * FROM /[a]/'],
    ['SHOW MEASUREMENTS ON "joblens"', 'SHOW MEASUREMENTS'],
    ['SHOW FIELD KEYS', 'SHOW FIELD KEYS'],
    ['SELECT * FROM "other".."x"', 'database'],
    ['SHOW SERIES ON "other"', 'database'],
    ['SELECT * INTO "x" FROM "y"', 'into'],
    ['DROP SERIES FROM "job_log"', 'statement'],
  ])('still only reads this database: %s', (query, expected) => {
    expect(send(query, { kind: 'all' })).toBe(expected);
  });
});
