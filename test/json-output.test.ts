import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createEventPoint, createJobPoint } from '@joblens/core/schema/job-point';
import { createMetadataPoints } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { SUBCOMMANDS } from '../ingester/src/cli/subcommands.js';
import { describeWith } from './components.js';
import { writeStoredJobs } from './engines/stored-jobs.js';
import { type Influxdb, startInfluxdb } from './influxdb.js';
import { joblens } from './joblens-command.js';

const DOCS = join(__dirname, '..', 'docs');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const { $defs, ...schema } = JSON.parse(readFileSync(join(DOCS, 'json-schemas.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Schema>>;
};

const RANGE = '--after 2023-11-14 --before WRITTEN';
const EVENTS_RANGE = '--after 2023-11-14T22:00:00Z --before 2023-11-14T23:00:00Z';

/** A job of which all is known that a scheduler and measurements tell. */
const MEASURED = { job: 'measured (1)', user: 'ann' };

function createMeasuredJob(nowMs: number): readonly Point[] {
  const [nowNs, startedNs] = [nowMs, nowMs - 60_000].map((timeMs) => BigInt(timeMs) * 1_000_000n);
  const used = ['age_s', 'cpu_cores', 'memory_bytes', 'gpu0_percent', 'gpu0_memory_bytes'].map(
    (key) => `system.${key}`
  );
  const asked = { requestedCpus: 4, requestedGpus: 1, requestedMemoryBytes: 2 ** 30, timeLimitS: 3600 };
  const described = { name: 'n', command: 'c', host: 'h', workdir: '/w', queue: 'long', nodes: 2, account: 'physics' };
  const state = {
    state: 'RUNNING',
    progress: 0.5,
    remainingS: 60,
    submittedMs: nowMs - 90_000,
    startedMs: nowMs - 60_000,
  };
  const signal = { name: 'python', severity: 'error', message: 'ValueError', place: 'train.py:17', count: 1 };
  return [
    createJobPoint(MEASURED, { ...asked, ...described, ...state }, startedNs ?? 0n),
    createEventPoint(MEASURED, { topic: 'signal', data: signal }, nowNs ?? 0n),
    ...createMetadataPoints(MEASURED, createSeriesName(used), new Map(used.map((key) => [key, 1])), nowNs ?? 0n),
  ];
}

/** Commands by the schemas of what they print with --json. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  jobs: [`jobs ${RANGE} --limit 0`, `jobs train mpi bare 101 configured "${MEASURED.job}"`],
  'jobs --by-state': [`jobs ${RANGE} --by-state`],
  log: ['log train --both', 'log mpi'],
  metadata: ['metadata train -n 50', 'metadata mpi', 'metadata bare -n 3', 'metadata train --table val_loss'],
  'metadata --tables': ['metadata train --tables', 'metadata mpi --tables', 'metadata bare --tables'],
  events: [`events ${RANGE}`, 'events --job train', `events ${EVENTS_RANGE} --topic runtimes`],
  'events --topics': [`events ${RANGE} --topics`],
  story: [`story inc-1 ${RANGE}`],
  compare: ['compare train mpi bare 101', `compare --tag experiment=real ${RANGE}`],
  'compare experiments': ['compare'],
  'compare --by': [`compare --tag experiment=real ${RANGE} --by experiment`],
  diff: ['diff train mpi bare --all', 'diff train 101'],
  why: ['why "bad (1)"', 'why alone'],
  'reproduce --check': ['reproduce "good (1)" --check'],
  'report job': ['report job train', 'report job 101', `report job "${MEASURED.job}"`, 'report job "bad (1)"'],
  'report spans': ['report spans "traced (1)"'],
  'report throughput': [
    ...[`report throughput ${EVENTS_RANGE}`, `report throughput ${EVENTS_RANGE} --from-state RUNNING`],
    `report states ${EVENTS_RANGE}`,
  ],
  'report utilization': [`report utilization ${EVENTS_RANGE} --weight cpus`, `report nodes ${EVENTS_RANGE}`],
  'report --each': [`report throughput ${EVENTS_RANGE} --each`, `report utilization ${EVENTS_RANGE} --each`],
  'report waits': [`report waits ${EVENTS_RANGE}`],
  'report waits --each': [`report waits ${EVENTS_RANGE} --each`],
  'report usage': [`report usage ${EVENTS_RANGE}`],
  'report nodes --failures': [`report nodes --failures ${RANGE}`],
  suggest: ['suggest train'],
  doctor: ['doctor', 'doctor --site'],
};

/** The output of a process of many that has failed. */
const DEATH = [
  '[rank5]: Traceback (most recent call last):',
  '[rank5]:   File "/a.py", line 17',
  "[rank5]: KeyError: 'x'",
];

/** No job of this suite died silently, had several tasks or nodes, or was in the accounting of a scheduler. */
const NOT_SEEN: readonly string[] = [
  ...[
    'report job: aliveUntilMs',
    'report usage: account',
    'why: elsewhere',
    'why: elsewhere: host',
    'why: elsewhere: others',
  ],
  ...['report job', 'why'].flatMap((name) =>
    ['localRank', 'node', 'pid', 'task'].map((part) => `${name}: firstFailure: process: ${part}`)
  ),
];

function splitWords(command: string): readonly string[] {
  return (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

describeWith(['influxd'], 'what the commands print with --json', () => {
  let influxdb: Influxdb;
  let writtenAt = '';
  const seen = new Set<string>();
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    await writeStoredJobs(influxdb.url, influxdb.url);
    const config = '/LOGCOMMAND {"config": {"lr": 0.1, "names": ["a b", null]}}';
    const options = ['--mode', 'enabled', '--job', 'configured', '--tag', 'experiment=real', '--metrics'];
    await joblens(['run', ...options, '--', 'sh', '-c', `echo '${config}'; echo '{"progress": 0.5}'`], influxdb.url);
    const fail = (job: string, name: string, lines: readonly string[], exitCode: number) => {
      const options = [
        '--mode',
        'enabled',
        '--job',
        job,
        '--name',
        name,
        '--reproduce',
        'basic',
        '--tag',
        `a=${exitCode}`,
      ];
      const command = ['sh', '-c', 'printf "%s\\n" "$@"; exit "$0"', String(exitCode), ...lines];
      return joblens(['run', ...options, '--', ...command], influxdb.url);
    };
    await fail('good (1)', 'train -a', ['done'], 0);
    await fail('bad (1)', 'train -a', [...DEATH, 'NCCL WARN Watchdog caught collective operation timeout'], 1);
    await fail('alone', 'x', ['over'], 3);
    const points = createMeasuredJob(Date.now()).map(formatPoint).join('\n');
    await fetch(`${influxdb.url}/write?db=joblens&precision=ns`, { method: 'POST', body: points });
    writtenAt = new Date().toISOString();
  });
  afterAll(() => influxdb.stop());

  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  ajv.addSchema({ ...schema, $defs }, 'all');

  /** The values that a command prints: one, or one on each line. */
  async function readOutput(command: string, isWhole: boolean): Promise<readonly unknown[]> {
    const { stdout, stderr } = await joblens(
      [...splitWords(command.replace('WRITTEN', writtenAt)), '--json'],
      influxdb.url
    );
    const texts = isWhole ? [stdout] : stdout.split('\n').filter((line) => line !== '');
    expect({ command, stderr, texts }).not.toEqual({ command, stderr, texts: [] });
    return texts.map((text) => JSON.parse(text) as unknown);
  }

  function noteSeen(name: string, value: unknown, { properties = {}, items }: Schema): void {
    if (Array.isArray(value)) for (const each of value) noteSeen(name, each, items ?? {});
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        seen.add(`${name}: ${key}`);
        noteSeen(`${name}: ${key}`, member, properties[key] ?? {});
      }
    }
  }

  function listProperties(name: string, { properties = {}, items }: Schema): readonly string[] {
    const inner = items === undefined ? [] : listProperties(name, items);
    const own = Object.entries(properties).flatMap(([key, each]) => [
      `${name}: ${key}`,
      ...listProperties(`${name}: ${key}`, each),
    ]);
    return [...own, ...inner];
  }

  const cases = Object.entries(COMMANDS).flatMap(([name, commands]) => commands.map((command) => [command, name]));

  it.each(cases)('joblens %s is what the schema "%s" says', async (command = '', name = '') => {
    const validate = ajv.getSchema(`all#/$defs/${encodeURIComponent(name)}`);
    for (const value of await readOutput(command, ['report job', 'suggest', 'why'].includes(name))) {
      const isValid = validate?.(value);
      expect({ value, isValid, errors: validate?.errors }).toEqual({ value, isValid: true, errors: null });
      noteSeen(name, value, $defs[name] ?? {});
    }
  });

  it('has all that the schemas name', () => {
    const { time: _, ...outputs } = $defs;
    const named = Object.entries(outputs).flatMap(([name, each]) => listProperties(name, each));
    expect(named.filter((property) => !seen.has(property)).sort()).toEqual([...NOT_SEEN].sort());
  });

  it('has a schema in the docs for each command with --json', () => {
    const page = readFileSync(join(DOCS, 'json.md'), 'utf8');
    const { time: _, ...outputs } = $defs;
    expect(Object.keys(COMMANDS)).toEqual(Object.keys(outputs));
    expect(Object.keys(outputs).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const withJson = SUBCOMMANDS.filter(({ groups }) => groups.some(({ options }) => 'json' in options));
    const covered = new Set(Object.keys(COMMANDS).map((name) => name.split(' ')[0]));
    expect(withJson.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
  });
});
