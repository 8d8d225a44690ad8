import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import {
  createFakeInfluxdb,
  type Dialect,
  DIALECTS,
  type StoredFields,
  storeFields,
} from '../testing/fake-influxdb.js';
import { type Fault, FAULTS, startFaultProxy } from '../testing/fault-proxy.js';
import { startDelivery } from '../testing/delivery.js';

const RUNS = randomCases(60);
const MAX_BODY_BYTES = 400;
jest.setTimeout(300_000 + RUNS * 500);

const folder = mkdtempSync(join(tmpdir(), 'joblens-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Few series, times and fields, so that points rewrite each other and their order shows. */
const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', ' ', '=', ',', "'", ':', 'ü'), maxLength: 8 });
const goodPoint = fc
  .tuple(fc.constantFrom('1', '2'), fc.constantFrom('line', 'ansi'), text, fc.nat(5))
  .map(([job, field, value, time]) => `job_log,job=${job} ${field}="${value.replace(/["\\]/g, '\\$&')}" ${time}\n`);
const number = fc.tuple(fc.nat(9), fc.nat(5)).map(([loss, time]) => `job_metadata,job=1 loss=${loss} ${time}\n`);
const badSyntax = fc.nat(99).map((i) => `job_log,job=1 line= ${i}\n`);
const badType = fc.nat(99).map((i) => `job_metadata,job=1 loss="x",${i}=1 7\n`);
const longPoint = fc.nat(5).map((time) => `job_log,job=3 line="${'l'.repeat(MAX_BODY_BYTES)}" ${time}\n`);
const point = fc.oneof(
  { weight: 12, arbitrary: goodPoint },
  { weight: 4, arbitrary: number },
  { weight: 1, arbitrary: badSyntax },
  { weight: 1, arbitrary: badType },
  { weight: 1, arbitrary: longPoint }
);

const scenario = fc.record({
  records: fc.array(fc.array(point, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 8 }),
  script: fc.array(fc.constantFrom<Fault>(...FAULTS), { maxLength: 12 }),
  dialect: fc.constantFrom<Dialect>(...DIALECTS),
  isLimited: fc.boolean(),
});

/** Sends each point alone. Returns what a store then holds, and the points that it rejected. */
function sendOneByOne(points: readonly string[], isLimited: boolean): { fields: StoredFields; rejected: string[] } {
  const fields: StoredFields = new Map();
  const rejected: string[] = [];
  for (const line of points) {
    const [parsed] = parseLineProtocol(line, { precision: 'ns', defaultTimeNs: 0n }).points;
    const isTooLong = isLimited && Buffer.byteLength(line) > MAX_BODY_BYTES;
    if (parsed === undefined || typeof parsed.fields.get('loss') === 'string' || isTooLong) rejected.push(line);
    else storeFields(fields, parsed);
  }
  return { fields, rejected };
}

function readRejected(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split(/^# .*\n/m)
      .slice(1);
  } catch {
    return [];
  }
}

describe('sending through faults', () => {
  const injected = new Map<string, number>();
  it('ends with every point stored as if sent alone, or kept aside, and none lost', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ records, script, dialect, isLimited }) => {
        const influxdb = createFakeInfluxdb(dialect);
        const limit = isLimited ? { maxBodyBytes: MAX_BODY_BYTES } : {};
        const proxy = await startFaultProxy({ store: influxdb.store, ...limit });
        proxy.script = [...script];
        const rejectedPath = join(folder, `rejected-${(run += 1)}.lp`);
        const delivery = startDelivery({
          url: proxy.url,
          rejectedPath,
          timeoutMs: 40,
          limits: { maxPoints: 12, maxBytes: 2000 },
        });
        try {
          for (const points of records) delivery.append(points.join(''), points.length);
          expect(await delivery.finish(10_000)).toBe(0);
        } finally {
          await proxy.stop();
        }
        const expected = sendOneByOne(records.flat(), isLimited);
        expect(influxdb.fields).toEqual(expected.fields);
        expect(readRejected(rejectedPath).sort()).toEqual(expected.rejected.sort());
        for (const [fault, count] of proxy.injected) injected.set(fault, (injected.get(fault) ?? 0) + count);
      }),
      { numRuns: RUNS }
    );
    expect(injected.size).toBe(FAULTS.length);
  });
});
