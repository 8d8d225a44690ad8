import { type BoundValue, parseQuery } from './parse.js';
import { printStatement, printStatements } from './print.js';

const HOLT_WINTERS =
  'the function holt_winters() is not supported; supported are count, sum, mean, min, max, first, last, spread, ' +
  'distinct, median, mode, stddev, percentile, top, bottom, derivative, non_negative_derivative, difference, ' +
  'non_negative_difference, moving_average, cumulative_sum, elapsed at line 1, char 8';

describe('parseQuery', () => {
  it.each([
    ['select * from m', 'SELECT * FROM "m"'],
    ['', ''],
    [' ; ;', ''],
    ['SELECT a, "b c" AS d FROM m', 'SELECT "a", "b c" AS "d" FROM "m"'],
    ['SELECT *::field, *::tag FROM m', 'SELECT *::field, *::tag FROM "m"'],
    ['SELECT a::tag, b::FIELD FROM m', 'SELECT "a"::tag, "b"::field FROM "m"'],
    ['SELECT a.b FROM m', 'SELECT "a.b" FROM "m"'],
    ['SELECT a FROM "db"."rp"."m"', 'SELECT "a" FROM "db"."rp"."m"'],
    ['SELECT a FROM "db".."m"', 'SELECT "a" FROM "db".."m"'],
    ['SELECT a FROM rp.m', 'SELECT "a" FROM "rp"."m"'],
    ['SELECT a FROM /job_.*/, m', 'SELECT "a" FROM /job_.*/, "m"'],
    ['SELECT mean(a) FROM (SELECT a FROM m)', 'SELECT mean("a") FROM (SELECT "a" FROM "m")'],
    ['SELECT COUNT(*), Last(/l/) FROM m', 'SELECT count(*), last(/l/) FROM "m"'],
    ['SELECT DISTINCT a FROM m', 'SELECT distinct("a") FROM "m"'],
    ['SELECT distinct("a") FROM m', 'SELECT distinct("a") FROM "m"'],
    ["SELECT a FROM m WHERE b='x' AND c<>2 OR d", undefined],
    [
      "SELECT a FROM m WHERE b='x' and c<>2 or d=true",
      `SELECT "a" FROM "m" WHERE "b" = 'x' AND "c" != 2 OR "d" = true`,
    ],
    ['SELECT a FROM m WHERE (b=1 OR c=2) AND d=-3', 'SELECT "a" FROM "m" WHERE ("b" = 1 OR "c" = 2) AND "d" = -3'],
    ['SELECT a FROM m WHERE ((b=1))', 'SELECT "a" FROM "m" WHERE "b" = 1'],
    ["SELECT a FROM m WHERE 'x' = b AND 5 < c", `SELECT "a" FROM "m" WHERE "b" = 'x' AND "c" > 5`],
    ['SELECT a FROM m WHERE b =~ /^a\\/b$/ AND c !~/x/', 'SELECT "a" FROM "m" WHERE "b" =~ /^a\\/b$/ AND "c" !~ /x/'],
    ['SELECT a FROM m WHERE b = .5', 'SELECT "a" FROM "m" WHERE "b" = 0.5'],
    ['SELECT a FROM m WHERE time > now() - 1h30m', 'SELECT "a" FROM "m" WHERE time > now() - 90m'],
    ['SELECT a FROM m WHERE time > (now() - 1h)', 'SELECT "a" FROM "m" WHERE time > now() - 1h'],
    ['SELECT a FROM m WHERE Time >= 1500ms', `SELECT "a" FROM "m" WHERE time >= '1970-01-01T00:00:01.5Z'`],
    [
      'SELECT a FROM m WHERE time = 1700000000123456789',
      `SELECT "a" FROM "m" WHERE time = '2023-11-14T22:13:20.123456789Z'`,
    ],
    ["SELECT a FROM m WHERE time < '2023-11-14 22:13:20'", `SELECT "a" FROM "m" WHERE time < '2023-11-14T22:13:20Z'`],
    [
      "SELECT a FROM m WHERE time < '2023-11-14 22:13:20.5'",
      `SELECT "a" FROM "m" WHERE time < '2023-11-14T22:13:20.5Z'`,
    ],
    ["SELECT a FROM m WHERE time < '2023-11-14'", `SELECT "a" FROM "m" WHERE time < '2023-11-14T00:00:00Z'`],
    [
      "SELECT a FROM m WHERE time < '2023-11-14T22:13:20+01:00' - 1s",
      `SELECT "a" FROM "m" WHERE time < '2023-11-14T21:13:19Z'`,
    ],
    [
      'SELECT mean(a) FROM m GROUP BY time(1h, -5m), b, /t/, * fill(0)',
      'SELECT mean("a") FROM "m" GROUP BY time(1h, -5m), "b", /t/, * fill(0.0)',
    ],
    ['SELECT a FROM m GROUP BY b fill(previous)', 'SELECT "a" FROM "m" GROUP BY "b" fill(previous)'],
    [
      'SELECT a FROM m WHERE time > 5µ AND time < 6u GROUP BY time(7ns)',
      `SELECT "a" FROM "m" WHERE time > '1970-01-01T00:00:00.000005Z' AND time < '1970-01-01T00:00:00.000006Z' GROUP BY time(7ns)`,
    ],
    [
      'SELECT a FROM m ORDER BY time DESC LIMIT 5 OFFSET 6 SLIMIT 7 SOFFSET 8',
      'SELECT "a" FROM "m" ORDER BY time DESC LIMIT 5 OFFSET 6 SLIMIT 7 SOFFSET 8',
    ],
    ['SELECT a FROM m ORDER BY time', 'SELECT "a" FROM "m" ORDER BY time ASC'],
    ['SELECT a -- the column\nFROM m /* the\nmeasurement */', 'SELECT "a" FROM "m"'],
    ['SELECT\r\n\ta\r\nFROM m;', 'SELECT "a" FROM "m"'],
    ['show databases; SHOW RETENTION POLICIES ON x', 'SHOW DATABASES; SHOW RETENTION POLICIES ON "x"'],
    [
      'SHOW MEASUREMENTS WITH MEASUREMENT =~ /(?i)job/ LIMIT 100',
      'SHOW MEASUREMENTS WITH MEASUREMENT =~ /(?i)job/ LIMIT 100',
    ],
    ['SHOW MEASUREMENTS ON d WITH MEASUREMENT = job', 'SHOW MEASUREMENTS ON "d" WITH MEASUREMENT = "job"'],
    ['SHOW TAG KEYS FROM job', 'SHOW TAG KEYS FROM "job"'],
    ['SHOW FIELD KEYS FROM job LIMIT 3', 'SHOW FIELD KEYS FROM "job" LIMIT 3'],
    [
      "SHOW TAG VALUES FROM m WITH KEY = job WHERE a='b' ORDER BY time",
      `SHOW TAG VALUES FROM "m" WITH KEY = "job" WHERE "a" = 'b'`,
    ],
    ['SHOW TAG VALUES WITH KEY =~ /a\\/b/', 'SHOW TAG VALUES WITH KEY =~ /a\\/b/'],
    ['SHOW TAG VALUES WITH KEY !~ /a b/', 'SHOW TAG VALUES WITH KEY !~ /a b/'],
    ['SHOW TAG VALUES WITH KEY <> "a b"', 'SHOW TAG VALUES WITH KEY != "a b"'],
    ['SELECT +a, + -b FROM m fill(previous) LIMIT 1', 'SELECT "a", -1 * "b" FROM "m" LIMIT 1'],
    [
      "SELECT a FROM m WHERE time > '2021-11-07T00:00:00-04:00' tz('America/New_York')",
      `SELECT "a" FROM "m" WHERE time > '2021-11-07T04:00:00Z' tz('America/New_York')`,
    ],
    ['SHOW TAG VALUES WITH KEY IN (job, "user")', 'SHOW TAG VALUES WITH KEY IN ("job", "user")'],
    ["SHOW SERIES FROM m WHERE job='1' LIMIT 2 OFFSET 1", `SHOW SERIES FROM "m" WHERE "job" = '1' LIMIT 2 OFFSET 1`],
    ['CREATE DATABASE "a b"', 'CREATE DATABASE "a b"'],
  ])('reads %j', (text, printed) => {
    const parsed = parseQuery(text);
    expect(parsed.ok ? printStatements(parsed.value) : undefined).toBe(printed);
  });

  it.each([
    ['SELECT user FROM job', 'found USER, expected identifier, string, number, bool at line 1, char 8'],
    ['SELECT a', 'found EOF, expected FROM at line 1, char 9'],
    ['SELECT a FROM', 'found EOF, expected identifier at line 1, char 14'],
    [
      'foo',
      'found foo, expected SELECT, DELETE, SHOW, CREATE, DROP, EXPLAIN, GRANT, REVOKE, ALTER, SET, KILL at line 1, char 1',
    ],
    ['SELECT a FROM m SELECT b FROM m', 'found SELECT, expected ; at line 1, char 17'],
    ['SELECT a FROM m\nWHERE\n  b =~ 5', 'found 5, expected regex at line 3, char 8'],
    ['SELECT a FROM m LIMIT x', 'found x, expected integer at line 1, char 23'],
    ['SELECT a FROM m WHERE (b = 1', 'found EOF, expected ) at line 1, char 29'],
    ['SELECT a FROM m ORDER BY a', 'only ORDER BY time supported at this time at line 1, char 26'],
    ["SELECT a FROM m WHERE b = 'x", 'found x, expected identifier, string, number, bool at line 1, char 27'],
    ['SHOW TAG', 'found EOF, expected KEY, KEYS, VALUES at line 1, char 9'],
    ['SELECT a FROM m WHERE b = 99999999999999999999', 'unable to parse integer at line 1, char 27'],
    ['SELECT a FROM m GROUP BY time(0s)', 'time dimension must have a duration above zero at line 1, char 31'],
    ["SELECT a FROM m WHERE time > '2023-02-30'", 'invalid time string "2023-02-30" at line 1, char 30'],
    ["SELECT a FROM m WHERE time != '2023-02-03'", 'invalid time comparison operator: != at line 1, char 28'],
    ['SELECT 😀', 'found 😀, expected identifier, string, number, bool at line 1, char 8'],
    ['SELECT mean(a, b) FROM m', 'invalid number of arguments for mean, expected 1, got 2 at line 1, char 19'],
  ])('refuses %j as InfluxDB would: %s', (text, message) => {
    expect(parseQuery(text)).toMatchObject({
      ok: false,
      error: { kind: 'syntax', message: `error parsing query: ${message}` },
    });
  });

  it.each([
    [
      'DROP DATABASE x',
      'DROP is not supported; supported are SELECT, SHOW, CREATE DATABASE and DROP SERIES at line 1, char 1',
    ],
    ['SELECT a INTO b FROM m', 'INTO is not supported: queries only read at line 1, char 10'],
    [
      'SELECT a::integer FROM m',
      'the cast ::integer is not supported; ::field, ::tag, ::float, ::string and ::boolean are at line 1, char 11',
    ],
    ['SELECT *::float FROM m', 'the cast ::float is not supported; ::field and ::tag are at line 1, char 11'],
    [
      'SELECT a FROM m WHERE b = "c"',
      'comparing with the column c is not supported; a text stands in single quotes at line 1, char 27',
    ],
    [
      "SELECT a FROM m WHERE time > '2020-03-28' GROUP BY b tz('Europe/Paris')",
      "a time without a zone beside tz() is not supported; write '2020-03-28T00:00:00Z' at line 1, char 30",
    ],
    ['SELECT holt_winters(mean(a), 1, 2) FROM m', HOLT_WINTERS],
    ['SHOW QUERIES', 'SHOW QUERIES is not supported at line 1, char 6'],
    ['CREATE DATABASE x WITH DURATION 1d', 'CREATE DATABASE … WITH is not supported at line 1, char 19'],
  ])('names what it does not support in %j', (text, message) => {
    expect(parseQuery(text)).toMatchObject({
      ok: false,
      error: { kind: 'unsupported', message: `error parsing query: ${message}` },
    });
  });

  it.each([
    ['SELECT a + b * 2 - -1 FROM m', 'SELECT "a" + "b" * 2 - -1 FROM "m"'],
    ['SELECT (a + b) * (c - (d - e)) FROM m', 'SELECT ("a" + "b") * ("c" - ("d" - "e")) FROM "m"'],
    ['select -a % 3 from m', 'SELECT -1 * "a" % 3 FROM "m"'],
    ['SELECT a / b FROM m', 'SELECT "a" / "b" FROM "m"'],
    ['SELECT /a/, DISTINCT b FROM m', 'SELECT /a/, distinct("b") FROM "m"'],
    ['SELECT Derivative( mean(a),1m ) FROM m', 'SELECT derivative(mean("a"), 1m) FROM "m"'],
    ['SELECT top(a, host, 3) FROM m', 'SELECT top("a", "host", 3) FROM "m"'],
    ['SELECT count(distinct(a)) FROM m', 'SELECT count(distinct("a")) FROM "m"'],
    ["SELECT a FROM m TZ('Europe/Paris')", `SELECT "a" FROM "m" tz('Europe/Paris')`],
    ['SHOW SERIES CARDINALITY', 'SHOW SERIES CARDINALITY'],
    [
      'show tag values exact cardinality on d from m with key = k',
      'SHOW TAG VALUES EXACT CARDINALITY ON "d" FROM "m" WITH KEY = "k"',
    ],
  ])('reads %j', (text, printed) => {
    const parsed = parseQuery(text);
    expect(parsed.ok ? parsed.value.map(printStatement) : parsed.error.message).toEqual([printed]);
  });

  it('puts values in the place of their names, never a part of the text', () => {
    const text = `SELECT a FROM m WHERE b = $text AND c > $number AND d = $"odd name" AND e = $flag LIMIT $count`;
    const parameters = new Map<string, string | number | bigint | boolean>([
      ['text', `x' OR 'a' = 'a`],
      ['number', -0.5],
      ['odd name', '-.('],
      ['flag', true],
      ['count', 3n],
    ]);
    const parsed = parseQuery(text, parameters);
    expect(parsed.ok ? parsed.value.map(printStatement) : parsed.error.message).toEqual([
      `SELECT "a" FROM "m" WHERE "b" = 'x\\' OR \\'a\\' = \\'a' AND "c" > -0.5 AND "d" = '-.(' AND "e" = true LIMIT 3`,
    ]);
    expect(parseQuery('SELECT a FROM m WHERE b = $gone')).toMatchObject({
      error: { message: 'error parsing query: missing parameter: gone at line 1, char 27' },
    });
  });

  it('takes patterns, durations and names for what they are said to be', () => {
    const text = 'SELECT $"f (1)" FROM $m WHERE b =~ $re AND time > now() - $d AND $t > 5 GROUP BY time($d), $t';
    const parameters = new Map<string, BoundValue>([
      ['f (1)', { kind: 'identifier', text: 'x" FROM "y' }],
      ['m', { kind: 'regex', text: 'a/b' }],
      ['re', { kind: 'regex', text: '^(/|\\.)$' }],
      ['d', { kind: 'duration', text: '5s' }],
      ['t', { kind: 'identifier', text: 'now' }],
    ]);
    const parsed = parseQuery(text, parameters);
    expect(parsed.ok ? parsed.value.map(printStatement) : parsed.error.message).toEqual([
      'SELECT "x\\" FROM \\"y" FROM /a\\/b/ WHERE "b" =~ /^(\\/|\\.)$/ AND time > now() - 5s AND "now" > 5 GROUP BY time(5s), "now"',
    ]);
    expect(parseQuery('SELECT a FROM m WHERE time > $t()', parameters)).toMatchObject({ ok: false });
  });

  it.each(['/x', '/x\ny/'])('refuses the regular expression %j, which does not end on its line', (regex) => {
    expect(parseQuery(`SELECT a FROM m WHERE b =~ ${regex}`)).toMatchObject({
      ok: false,
      error: { kind: 'syntax', message: 'error parsing query: found BADREGEX, expected regex at line 1, char 28' },
    });
  });
});

describe('a query that is too much', () => {
  const chain = (operator: string, count: number): string =>
    `SELECT x FROM m WHERE ${Array.from({ length: count }, (_, i) => `a = '${i}'`).join(` ${operator} `)}`;
  const nested = (count: number): string => `SELECT x FROM m WHERE ${'('.repeat(count)}a = '1'${')'.repeat(count)}`;

  it.each([
    ['20,000 parentheses', nested(20_000)],
    ['parentheses that do not end', `SELECT x FROM m WHERE ${'('.repeat(500_000)}`],
    ['parentheses around a time', `SELECT x FROM m WHERE time > ${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
    ['subqueries in subqueries', `SELECT x FROM ${'(SELECT x FROM '.repeat(20_000)}m${')'.repeat(20_000)}`],
    ['20,000 conditions joined by OR', chain('OR', 20_000)],
    ['20,000 conditions joined by AND', chain('AND', 20_000)],
  ])('is refused, not fatal: %s', (_name, text) => {
    expect(parseQuery(text)).toMatchObject({
      ok: false,
      error: {
        kind: 'syntax',
        message: expect.stringMatching(/more than (200 levels of brackets|5000 conditions)/) as string,
      },
    });
  });

  it.each([
    ['parentheses', nested(190)],
    ['conditions', chain('OR', 4900)],
    ['statements', Array.from({ length: 5 }, () => chain('AND', 4900)).join('; ')],
  ])('is not one with many %s', (_name, text) => {
    expect(parseQuery(text)).toMatchObject({ ok: true });
  });

  it.each([
    ['a word', `SELECT x FROM m ${'y'.repeat(5_000_000)}`],
    ['a text', `SELECT x FROM m WHERE a = 1 '${'y'.repeat(100_000)}'`],
    ['a text without an end', `SELECT x FROM m WHERE a = '${'y'.repeat(100_000)}`],
    ['a number', `SELECT x FROM m LIMIT ${'9'.repeat(100_000)}`],
    ['a function', `SELECT ${'y'.repeat(100_000)}(x) FROM m`],
    ['a time', `SELECT x FROM m WHERE time > '${'y'.repeat(100_000)}'`],
    ['a column', `SELECT x FROM m WHERE a = ${'y'.repeat(100_000)}`],
    ['a regular expression', `SELECT x FROM m WHERE a =~ /${'y'.repeat(100_000)}`],
  ])('is not quoted in full: %s', (_name, text) => {
    const parsed = parseQuery(text);
    expect(parsed.ok ? undefined : parsed.error.message.length).toBeLessThan(500);
  });
});
