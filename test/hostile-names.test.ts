import { createEventPoint, createJobPoint, type JsonValue } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import type { Point } from '@joblens/core/point/point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { joblens, onTerminal } from './joblens-command.js';

const NOW_MS = Date.now();
const START_MS = NOW_MS - 600_000;
const NS_PER_MS = 1_000_000n;
const startNs = BigInt(START_MS) * NS_PER_MS;

/** Sets a title, clears the screen, turns the direction of text, tells a C1 control; and is very long. */
const EVIL = '\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u2066\u009b31m\r\n\t\u2028';
/** The same in JSON that may be shown anywhere. */
const ESCAPED = String.raw`\u001b]0;owned\u0007\u001b[2J\u202egnp.exe\u2066\u009b31m\r\n\t\u2028`;
const LONG = `${EVIL}${'a\u0301漢'.repeat(3_000)}${EVIL}`;
/** A tag value; InfluxDB takes no longer series key. */
const TAG = `${EVIL}${'b'.repeat(9_000)}`;
const SHORT_TAG = `${EVIL}c`;

/** Numbers that a double does not hold, in an order that objects do not keep. */
const DIGITS = '{"n":9007199254740993,"1":[1e999,-0,-12345678901234567890]}';

const JOB = 'plain';
const SOURCE: JobSource = { job: JOB, user: SHORT_TAG };
const NAMED: JobSource = { job: TAG, user: 'ann' };

function createTransition(key: string): JsonValue {
  return { key, start: LONG, finish: EVIL, recommendations: { [EVIL]: LONG, __proto__: EVIL }, stimulus_id: EVIL };
}

/** A text as a word of a shell. */
function inShell(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"$(printf '${bytes.join('')}')"`;
}

function createPoints(source: JobSource): Point[] {
  const keys = [SHORT_TAG, `2 ${SHORT_TAG}`];
  const series = createSeriesName(keys);
  const stats = createTableStats();
  const row = new Map<string, number | string>([
    [SHORT_TAG, 1],
    [`2 ${SHORT_TAG}`, LONG],
  ]);
  foldRow(stats, row);
  const description = {
    ...{ name: LONG, state: LONG, reason: LONG, queue: LONG, host: LONG, command: LONG, workdir: LONG },
    ...{ startedMs: START_MS, endedMs: START_MS + 1000, schedulerId: LONG, tags: { [SHORT_TAG]: LONG } },
  };
  const state = { topic: 'state', fromState: SHORT_TAG, toState: SHORT_TAG, data: { reason: LONG } };
  return [
    createJobPoint(source, description, startNs),
    createEventPoint(source, state, startNs),
    createEventPoint(source, { topic: SHORT_TAG, data: { [EVIL]: LONG } }, startNs + 1n),
    createEventPoint(source, { topic: 'transitions', data: createTransition('task (1)') }, startNs + 3n),
    createEventPoint(source, { topic: 'transitions', data: createTransition(SHORT_TAG) }, startNs + 4n),
    createEventPoint(source, { topic: 'digits', data: {}, json: DIGITS }, startNs + 2n),
    createTransitionPoint(source, { origin: 'job', fromState: SHORT_TAG, toState: 'FAILED' }, startNs),
    ...createMetadataPoints(source, series, row, startNs),
    createSeriesPoint(source, { series, keys, stats, x: SHORT_TAG, rows: 1, timeNs: startNs }),
    ...createLogPoints(
      { ...source, task: SHORT_TAG },
      { stream: 'stdout', kind: 'output', line: EVIL, ansi: LONG, timeNs: startNs }
    ),
    ...createLogPoints({ ...source, task: '2' }, { stream: 'stdout', kind: 'output', line: 'x', timeNs: startNs }),
  ];
}

/** But line feeds, which end lines, and colours. */
const CONTROL = /(?!\x1b\[[\d;]*m)[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u; // eslint-disable-line no-control-regex

describeWith(['influxd'], 'names and texts of others, on a terminal', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair([...createPoints(SOURCE), ...createPoints(NAMED)]);
  });
  afterAll(() => pair.stop());

  it.each([
    ['jobs'],
    ['jobs --json'],
    ['jobs --csv'],
    ['jobs --by-state'],
    ['events'],
    ['events --json'],
    ['events --csv'],
    [`metadata ${JOB}`],
    [`metadata ${JOB} --json`],
    [`metadata ${JOB} --csv`],
    [`metadata ${JOB} --tables`],
    // On a slow machine, it draws how far it is on stderr.
    [`export ${JOB} 2>/dev/null`],
    [`export ${JOB} --format csv 2>/dev/null`],
    [`plot ${JOB}`],
    [`log ${JOB}`],
    [`log ${JOB} --times`],
    [`report job ${JOB}`],
    [`report job ${JOB} --json`],
    ['report states'],
    ['report usage'],
    ['report waits'],
    [`story 'task (1)' --job ${JOB}`],
    [`story 'task (1)' --job ${JOB} --json`],
    [`story SHORT_TAG --job ${JOB}`],
    [`delete ${JOB} --user x`],
    // It asks first, and names what it found.
    [`delete ${JOB} --user SHORT_TAG`],
    ['delete TAG --user ann'],
  ])('%s controls nothing, and turns no text', async (command) => {
    const typed = command.replace('SHORT_TAG', inShell(SHORT_TAG)).replace(/\bTAG/, inShell(TAG));
    for (const width of [40, 120]) {
      const lines = await onTerminal(width, typed, pair.influxdb.url);
      expect(lines.join('')).not.toBe('');
      for (const line of lines)
        expect([CONTROL.exec(line)?.[0], /RangeError|TypeError/.exec(line)]).toEqual([undefined, null]);
    }
  });

  it.each([
    ['jobs', '--json'],
    ['events', '--json'],
    ['metadata', JOB, '--json'],
    ['report', 'job', JOB, '--json'],
  ])('%s %s keeps them as they are for programs', async (...args) => {
    const { influxdb, embedded } = await pair.both((url) => joblens(args, url));
    for (const { code, stdout } of [influxdb, embedded]) {
      expect(code).toBe(0);
      expect(stdout).toContain(ESCAPED);
      expect(JSON.parse(`"${ESCAPED}"`)).toBe(EVIL);
    }
  });

  it.each([
    ['jobs'],
    ['jobs', '--json'],
    ['jobs', '--csv'],
    ['events'],
    ['events', '--csv'],
    ['metadata', JOB],
    ['metadata', JOB, '--csv'],
    ['export', JOB],
    ['export', JOB, '--format', 'csv'],
    ['report', 'job', JOB],
    ['report', 'job', JOB, '--json'],
    ['jobs', '--by-state'],
    ['metadata', JOB, '--tables'],
    ['log', JOB],
    ['log', JOB, '--times'],
    ['log', JOB, '--csv'],
    ['plot', JOB],
    ['story', 'task (1)', '--job', JOB],
    ['story', 'task (1)', '--job', JOB, '--csv'],
    ['report', 'states'],
    ['report', 'states', '--csv'],
    ['report', 'usage', '--csv'],
    ['report', 'spans', JOB, '--csv'],
    ['suggest', JOB],
    ['suggest', JOB, '--json'],
    ['compare', JOB, 'TAG'],
    ['compare', JOB, '--csv'],
    ['compare', JOB, '--markdown'],
    ['diff', JOB, 'TAG'],
    ['diff', JOB, 'TAG', '--csv'],
    ['diff', JOB, 'TAG', '--markdown'],
    ['why', JOB],
    ['why', JOB, '--json'],
  ])('%s %s %s %s controls nothing behind a pipe', async (...args) => {
    const words = args.map((word) => (word === 'TAG' ? TAG : word));
    const { influxdb, embedded } = await pair.both((url) => joblens(words, url));
    for (const { stdout, stderr } of [influxdb, embedded]) {
      const printed = stdout + stderr;
      expect(printed).not.toMatch(/^$|RangeError|TypeError/);
      expect(/(?![\t\n])[\p{Cc}\u2028\u202e\u2066]/u.exec(printed)?.[0]).toBeUndefined();
    }
  });

  it('gives CSV as it is stored where one asks for it', async () => {
    const { influxdb, embedded } = await pair.both((url) => joblens(['metadata', JOB, '--csv', '--raw'], url));
    for (const { code, stdout } of [influxdb, embedded]) {
      expect([code, stdout.includes('\x1b[2J'), stdout.includes('\u202e')]).toEqual([0, true, true]);
    }
  });

  it.each([
    ['events --topic digits --json', `"data":${DIGITS}`],
    ['events --topic digits --csv', DIGITS.replaceAll('"', '""')],
    ['events --topic digits', DIGITS],
  ])('%s shows the numbers of an event as they were printed', async (command, shown) => {
    const { influxdb, embedded } = await pair.both((url) => joblens(command.split(' '), url));
    for (const { code, stdout } of [influxdb, embedded]) {
      expect(code).toBe(0);
      expect(stdout).toContain(shown);
    }
    expect((await onTerminal(200, command, pair.influxdb.url)).join('\n')).toContain(shown);
  });
});
