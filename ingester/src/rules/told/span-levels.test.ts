import { listSlotShares } from '@joblens/core/spans/slot-shares';
import { findLevelWidthMs } from '@joblens/core/spans/span-levels';
import { parseJobState } from '../../pipeline/job-state.js';
import { createFakeClock } from '../../testing/fake-clock.js';
import { createPipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { storePoints } from '../../testing/stored-points.js';
import { MAX_WAITING_SPANS } from './span-levels.js';

const NOW_MS = 1_700_000_000_000;
const SPANS = 3 * MAX_WAITING_SPANS + 7;

/** A span of a lane that is busy half the time, as a job prints it. */
const printSpan = (i: number): string => {
  const start = (NOW_MS - 3_000_000 + i * 400) / 1000;
  return `/LOGCOMMAND ${JSON.stringify({ span: { id: i, worker: 'w (1)', start, duration_s: 0.2 } })}\n`;
};

/** What is stored of a job that prints spans and is killed now and then. */
async function logSpans(spans: number, killedAfter: readonly number[]): Promise<ReturnType<typeof storePoints>> {
  const clock = createFakeClock();
  let test = createPipelineUnderTest({ isResumable: true, clock });
  const [texts, values]: [string[], string[]] = [[], []];
  const collect = (): void => {
    texts.push(test.text());
    values.push(...test.records.flatMap(({ states }) => states.map(({ value }) => value)));
  };
  for (let i = 0; i < spans; i += 100) {
    const indices = Array.from({ length: Math.min(100, spans - i) }, (_, k) => i + k);
    await test.write('stdout', indices.map(printSpan).join(''));
    if (!killedAfter.some((at) => at >= i && at < i + 100)) continue;
    test.pipeline.commit();
    collect();
    const state = parseJobState(values);
    test = createPipelineUnderTest({ isResumable: true, clock, ...(state && { state }) });
  }
  test.end();
  collect();
  return storePoints(texts.join(''));
}

/** The sums of the slots of a level, as the store adds their parts up. */
function addUp(points: ReturnType<typeof storePoints>, level: number) {
  const sums = new Map<
    number,
    { slotMs: number } & Record<'starts' | 'net' | 'moment' | 'busyNet' | 'busyMoment', number>
  >();
  for (const { measurement, tags, fields, timeNs } of points) {
    if (measurement !== 'job_span_level' || tags.get('span_level') !== String(level)) continue;
    const widthMs = findLevelWidthMs(level);
    const slotMs = Math.floor(Number(timeNs / 1_000_000n) / widthMs) * widthMs;
    const known = sums.get(slotMs) ?? { slotMs, starts: 0, net: 0, moment: 0, busyNet: 0, busyMoment: 0 };
    known.starts += Number(fields.get('starts') ?? 0);
    known.net += Number(fields.get('net'));
    known.moment += Number(fields.get('moment') ?? 0);
    known.busyNet += Number(fields.get('busy_net') ?? 0);
    known.busyMoment += Number(fields.get('busy_moment') ?? 0);
    sums.set(slotMs, known);
  }
  return [...sums.values()].sort((a, b) => a.slotMs - b.slotMs);
}

it.each([
  ['without a restart', []],
  ['with an ingester that is killed', [50, 2000, 2100, 4090, 6140]],
])('folds the spans of a long job, %s', async (_how, killedAfter) => {
  const points = await logSpans(SPANS, killedAfter);
  expect(points.filter(({ measurement }) => measurement === 'job_span')).toHaveLength(SPANS);
  const slots = addUp(points, 3);
  expect(slots.reduce((sum, { starts }) => sum + starts, 0)).toBe(SPANS);
  expect(slots.reduce((sum, { net }) => sum + net, 0)).toBe(0);
  const widthMs = findLevelWidthMs(3);
  const range = { widthMs, fromMs: NOW_MS - 4_000_000, toMs: NOW_MS, net: 0, busyNet: 0 };
  const shares = listSlotShares(slots, range).slice(1, -1);
  expect(shares.length).toBeGreaterThan(500);
  for (const { busy, running } of shares) {
    expect(busy).toBeCloseTo(0.5, 0);
    expect(running).toBeCloseTo(busy, 5);
  }
});

it('writes no level that saves nothing, and none for a job with few spans', async () => {
  const levelsOf = async (spans: number): Promise<unknown[]> => {
    const points = await logSpans(spans, []);
    const levels = points.filter(({ measurement }) => measurement === 'job_span_level');
    return [...new Set(levels.map(({ tags }) => tags.get('span_level')))].sort();
  };
  expect(await levelsOf(MAX_WAITING_SPANS - 1)).toEqual([]);
  // A span in 400 ms: slots of 64 ms would be more than the spans.
  expect(await levelsOf(MAX_WAITING_SPANS)).toEqual(['2', '3', '4', '5', '6', '7']);
});
