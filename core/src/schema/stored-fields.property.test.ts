import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { BUCKET_STATS } from '../table/bucket-fold.js';
import { createTableStats, foldRow } from '../table/table-stats.js';
import type { FieldValue, Point } from '../point/point.js';
import { createBucketPoints } from './bucket-point.js';
import { createHeartbeatPoint, HEARTBEAT_GRIDS } from './heartbeat-point.js';
import { createEventPoint, createJobPoint, createTagsPoint } from './job-point.js';
import { createLabelPoint, createNoLabelPoint } from './label-point.js';
import { createLogPoints, MAX_STRING_BYTES } from './log-point.js';
import { createMetadataPoints, createSeriesPoint } from './metadata-point.js';
import type { JobSource } from './measurements.js';
import { createSharePoint } from './share-point.js';
import { createSpanLevelPoint } from './span-level-point.js';
import { createSpanPoint } from './span-point.js';
import { createStandstillPoint } from './standstill-point.js';
import { findFieldFault, findStoredType, STORED_FIELDS } from './stored-fields.js';
import { createTextPoints } from './text-point.js';
import { createTransitionPoint } from './transition-point.js';

const name = fc.oneof(
  fc.constantFrom('data', 'topic', 'job', 'line', 'time', 'bucket_rows', 'a-b.c', "it's (1)", '_x', '', 'constructor'),
  fc.constantFrom('__proto__', 'toString', 'valueOf'),
  fc.string({ unit: 'binary', maxLength: 4 })
);
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
const text = fc.oneof(name, fc.constant('a "line"'));
const line = fc.oneof(
  { weight: 20, arbitrary: text },
  { weight: 1, arbitrary: fc.constant('x'.repeat(MAX_STRING_BYTES + 1)) }
);
const value = fc.oneof(number, text);
const source: fc.Arbitrary<JobSource> = fc.record(
  { job: name, user: name, task: name },
  { requiredKeys: ['job', 'user'] }
);
const some = { requiredKeys: [] };
const timeNs = 1_700_000_000_000_000_000n;
const timeMs = 1_700_000_000_000;

const description = fc
  .record(
    {
      ...{
        name: text,
        state: text,
        reason: text,
        command: text,
        queue: text,
        account: text,
        host: text,
        workdir: text,
      },
      ...{ schedulerId: text, config: text, manifest: text, note: text },
      ...{ progress: number, remainingS: number, nodes: number, exitCode: number, requestedCpus: number },
      ...{ requestedGpus: number, requestedMemoryBytes: number, timeLimitS: number, usedMemoryBytes: number },
      ...{ submittedMs: number, startedMs: number, endedMs: number },
      tags: fc.dictionary(fc.oneof(name, fc.constantFrom('experiment', 'group')), text, { maxKeys: 3 }),
    },
    some
  )
  .map((parts) => ({ note: '', ...parts }));
const heartbeat = fc.record(
  {
    ...{ state: text, account: text, writer: text, watcher: text },
    ...{ startedMs: number, progress: number, remainingS: number, nodes: number, cpus: number, gpus: number },
  },
  some
);
const transition = fc.record(
  {
    ...{ origin: fc.constantFrom('slurm' as const, 'job' as const), toState: text, fromState: text, account: text },
    ...{ name: text, nodes: number, cpus: number, gpus: number, waitS: number, runtimeS: number, startedMs: number },
    data: text,
  },
  { requiredKeys: ['origin', 'toState'] }
);
const span = fc.record(
  { job: name, user: name, id: text, name: text, category: name, worker: name, durationMs: number, json: text },
  { requiredKeys: ['job', 'user', 'id', 'name'] }
);
const row = fc.array(fc.tuple(name, value), { maxLength: 4 }).map((keys) => new Map(keys));

/** All that Joblens writes of a job, by each of the functions that make points. */
const points: fc.Arbitrary<readonly Point[]> = fc.oneof(
  fc.tuple(source, description).map(([of, parts]) => [createJobPoint(of, parts, timeNs)]),
  fc.tuple(source, name).map(([of, tag]) => [createTagsPoint(of, { [tag]: 'x' }, ['group', 'experiment'], timeNs)]),
  fc
    .tuple(source, number, fc.option(number, { nil: undefined }))
    .map(([of, silentS, stalledS]) => [createStandstillPoint(of, { silentS, stalledS }, timeNs)]),
  fc
    .tuple(source, fc.constantFrom(...HEARTBEAT_GRIDS), heartbeat)
    .map(([of, grid, parts]) => [createHeartbeatPoint(of, grid, timeMs, parts)]),
  fc.tuple(source, transition).map(([of, parts]) => [createTransitionPoint(of, parts, timeNs)]),
  fc
    .tuple(source, text, fc.dictionary(name, fc.jsonValue() as fc.Arbitrary<null>, { maxKeys: 4 }))
    .map(([of, topic, data]) => [createEventPoint(of, { topic, fromState: topic, data }, timeNs)]),
  fc
    .tuple(source, name, text)
    .map(([of, key, label]) => [
      createLabelPoint(of, { key, value: label }, timeMs),
      createNoLabelPoint(of, { key, value: label }, timeMs),
    ]),
  fc.tuple(source, line, fc.option(line, { nil: undefined })).map(([of, plain, ansi]) =>
    createLogPoints(of, {
      stream: 'stdout',
      kind: 'output',
      line: plain,
      timeNs,
      ...(ansi !== undefined && { ansi }),
    })
  ),
  fc.tuple(source, name, line).map(([of, called, content]) => createTextPoints(of, called, content, timeNs)),
  fc.tuple(source, row).map(([of, keys]) => createMetadataPoints(of, 'a,b', keys, timeNs, new Map([['big', 2 ** 60]]))),
  fc.tuple(source, row).map(([of, keys]) => {
    const stats = createTableStats();
    foldRow(stats, keys);
    const names = [...keys.keys()];
    const paths = new Map(names.map((key) => [key, [key, 'b']]));
    return [createSeriesPoint(of, { series: 'a', keys: names, stats, x: names[0], rows: 1, paths, timeNs })];
  }),
  fc
    .tuple(source, fc.array(name, { maxLength: 3 }), number, fc.array(number, { minLength: 12, maxLength: 12 }))
    .map(([of, keys, rows, values]) =>
      createBucketPoints(of, { series: 'a', keys }, { level: 1, rows, timeNs, values: [NaN, ...values] })
    ),
  fc
    .tuple(source, name, fc.constantFrom('shared' as const, 'unshared' as const, 'offered' as const))
    .map(([of, whom, word]) => [createSharePoint(of, whom, word, timeNs)]),
  span.map((one) => [createSpanPoint({ ...one, startNs: timeNs })]),
  fc.tuple(source, number).map(([of, sum]) => [
    createSpanLevelPoint(
      of,
      {
        category: 'a',
        worker: '',
        width: 0,
        slotMs: timeMs,
        starts: sum,
        net: sum,
        moment: sum,
        busyNet: sum,
        busyMoment: sum,
      },
      0n
    ),
  ])
);

const ANY_VALUES: readonly FieldValue[] = [1, 1n, true, 'x'];

test('finds no fault in any point that Joblens writes, and one wherever the type of a field differs', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(points, fc.nat(), (written, choice) => {
      for (const point of written) {
        const fault = findFieldFault(point);
        if (fault !== undefined) expect([point, fault]).toEqual([point, undefined]);
        const names = [...point.fields.keys()];
        for (const field of names) seen.add(`${point.measurement}.${field}`);
        const field = names[choice % names.length] ?? '';
        const type = typeof point.fields.get(field);
        for (const other of ANY_VALUES.filter((one) => typeof one !== type)) {
          const changed = { ...point, fields: new Map([...point.fields, [field, other]]) };
          const found = findFieldFault(changed);
          if (found?.kind !== 'type' || found.field !== field) expect([changed, found]).toEqual([changed, field]);
        }
      }
    }),
    { numRuns: randomCases(3_000) }
  );
  const known = Object.entries(STORED_FIELDS).flatMap(([measurement, { named }]) =>
    Object.keys(named).map((field) => `${measurement}.${field}`)
  );
  expect(known.filter((field) => !seen.has(field))).toEqual([]);
});

test.each([
  ['job', { state: 'RUNNING', exit_code: 1 }, undefined],
  ['job', { exit_code: 1n }, { kind: 'type', field: 'exit_code', expected: 'number' }],
  ['job', { exit_code: true }, { kind: 'type', field: 'exit_code', expected: 'number' }],
  ['job', { state: 1 }, { kind: 'type', field: 'state', expected: 'text' }],
  ['job', { State: 'RUNNING' }, { kind: 'unknown', field: 'State' }],
  ['job', { constructor: 'x' }, { kind: 'unknown', field: 'constructor' }],
  ['job_event', { data: 1 }, { kind: 'type', field: 'data', expected: 'text' }],
  ['job_event', { 'a-b.c': 'x' }, { kind: 'type', field: 'a-b.c', expected: 'number' }],
  ['job_metadata', { "it's (1)": 'x' }, { kind: 'type', field: "it's (1)", expected: 'number' }],
  ['job_metadata', { toString: 1 }, undefined],
  ['job_metadata_text', { loss: 1 }, { kind: 'type', field: 'loss', expected: 'text' }],
  ['job_metadata_bucket', { loss: 1, bucket_rows: 1n }, { kind: 'type', field: 'bucket_rows', expected: 'number' }],
  ['cpu', { usage: 1n, busy: true }, undefined],
  ['toString', { length: 1n }, undefined],
])('of %s with %j says %j', (measurement, fields: Readonly<Record<string, FieldValue>>, fault) => {
  expect(findFieldFault({ measurement, fields: new Map(Object.entries(fields)) })).toEqual(fault);
});

test('knows a fixed field of a bucket by its name, and the keys beside it by their type', () => {
  expect(findStoredType('job_metadata_bucket', 'bucket_rows')).toBe('number');
  expect(findStoredType('job_metadata_text', BUCKET_STATS[0])).toBe('text');
  expect(findStoredType('job_log', 'loss')).toBeUndefined();
});

test('has no field that the page on what is stored does not name', () => {
  const page = readFileSync(join(__dirname, '../../../docs/schema.md'), 'utf8');
  const missing = Object.values(STORED_FIELDS)
    .flatMap(({ named }) => Object.keys(named))
    .filter((field) => !page.includes(`\`${field}\``));
  expect(missing).toEqual([]);
});
