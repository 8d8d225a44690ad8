import { foldSpans, type LaneShare } from '@joblens/core/ask/spans/folded-spans';
import { readSpansView, type SpansView, type SpansViewRequest } from '@joblens/core/ask/spans/read-spans';
import type { SpanRecord } from '@joblens/core/ask/spans/single-spans';
import { averageSteps } from '@joblens/core/analytics/steps';
import { namesQuery, readNames } from '@joblens/core/ask/jobs/names';
import type { Reading } from '@joblens/core/ask/reading/reading';
import { readSpanCurves } from '@joblens/core/ask/spans/span-curves';
import { createSpanPoint } from '@joblens/core/schema/span-point';
import { describeWith } from './components.js';
import { createInfluxqlClient, readAll } from './influxql-client.js';
import { joblens } from './joblens-command.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { createPoints, createStoredSpans, SPANS_FROM_MS } from './stored-spans.js';

const SPANS = createStoredSpans();
const LAST_MS = SPANS_FROM_MS + 400_000;
const OPEN_MS = SPANS_FROM_MS + 100_000;

type Narrowing = Partial<Omit<SpansViewRequest, 'fromNs' | 'toNs'>>;

/** All spans, as the store would give them. */
const RECORDS = SPANS.map((span): SpanRecord => {
  const { job, user, category = '', worker = '', id, name, durationMs, part = 'whole' } = span;
  const isOpen = durationMs === undefined && part === 'whole';
  const timeNs = createSpanPoint(span).timeNs;
  return { timeNs, part: isOpen ? 'start' : part, durationMs, job, user, category, worker, id, name, data: undefined };
});

describeWith(['influxd'], 'spans in both stores', () => {
  let pair: Pair;
  beforeAll(async () => {
    // Another job has no levels.
    const others = createStoredSpans(6000).map((span) => createSpanPoint({ ...span, job: 'bare', worker: "o'hara" }));
    pair = await startFilledPair([...createPoints(SPANS), ...others]);
  });
  afterAll(() => pair.stop());

  /** What both stores give. */
  async function ask<Answer>(createReading: () => Reading<Answer>, normalize: (answer: Answer) => Answer) {
    const { influxdb, embedded } = await pair.both((url) => readAll(createInfluxqlClient(url), createReading()));
    expect(normalize(embedded)).toEqual(normalize(influxdb));
    return normalize(influxdb);
  }

  function createRequest(more: Narrowing, fromMs: number, toMs: number): SpansViewRequest {
    const times = { fromNs: BigInt(fromMs) * 1_000_000n, toNs: BigInt(toMs) * 1_000_000n };
    return { filter: { job: 'traced (1)' }, points: 500, nowMs: LAST_MS, ...times, ...more };
  }

  const read = (more: Narrowing, fromMs: number, toMs: number): Promise<SpansView> =>
    ask(() => readSpansView(createRequest(more, fromMs, toMs)), sortShares);

  it('are folded where they are many, as a look at each span tells', async () => {
    const view = await read({}, SPANS_FROM_MS - 100_000, LAST_MS);
    if (view.kind !== 'folded') throw new Error('not folded');
    expect(view).toMatchObject({ spans: SPANS.length, widthMs: 1024 });
    const [fromNs, toNs] = [BigInt(SPANS_FROM_MS - 100_000) * 1_000_000n, BigInt(LAST_MS) * 1_000_000n];
    const shares = foldSpans(RECORDS, { filter: {}, fromNs, toNs }, view.widthMs, LAST_MS);
    expectSameShares(view.shares, shares);
    const busiest = view.shares.filter(({ category }) => category === 'io').map(({ busy, running }) => [busy, running]);
    expect(busiest).toContainEqual([1, 1]);
  });

  it.each([
    ['before an open span', 70_000],
    ['and what was open then', 110_000],
  ])('know what ran before the range, %s', async (_what, afterMs) => {
    const fromMs = SPANS_FROM_MS + afterMs;
    const view = await read({}, fromMs, LAST_MS);
    if (view.kind !== 'folded') throw new Error('not folded');
    const [fromNs, toNs] = [BigInt(fromMs) * 1_000_000n, BigInt(LAST_MS) * 1_000_000n];
    expectSameShares(view.shares, foldSpans(RECORDS, { filter: {}, fromNs, toNs }, view.widthMs, LAST_MS));
    expect(view.shares.filter(({ category }) => category === 'io')).not.toEqual([]);
  });

  it('come by themselves where they are few, with those that reach into the range', async () => {
    const [fromMs, toMs] = [SPANS_FROM_MS + 101_020, SPANS_FROM_MS + 102_020];
    const view = await read({}, fromMs, toMs);
    if (view.kind !== 'single') throw new Error('not single');
    const touching = RECORDS.filter(({ timeNs, part, durationMs = 0 }) => {
      const startMs = Number(timeNs / 1000n) / 1000;
      return startMs <= toMs && (part === 'start' || startMs + durationMs >= fromMs);
    });
    const ids = ({ id }: SpanRecord): string => id;
    expect(view.spans.map(ids).sort()).toEqual(touching.map(ids).sort());
    expect(view.spans.map(ids)).toEqual(expect.arrayContaining(['long', 'open']));
    expect(view.spans.find(({ id }) => id === 'open')).toMatchObject({ part: 'start', data: '{"n":1}' });
  });

  it.each([
    ['a category', { category: 'io' }, ['load', 'save']],
    ['none', { category: '', worker: '' }, ['lost']],
    ['a part of a name', { text: 'RARE "' }, Array.from({ length: 8 }, (_, i) => `rare "${i * 1000}"`)],
  ])('are found by %s', async (_what, filter, names) => {
    const view = await read({ filter: { job: ['traced (1)'], ...filter } }, SPANS_FROM_MS - 100_000, LAST_MS);
    if (view.kind !== 'single') throw new Error('not single');
    expect(view.spans.map(({ name }) => name).sort()).toEqual(names);
  });

  it.each([
    ['many', SPANS_FROM_MS + 70_000, LAST_MS],
    ['few', SPANS_FROM_MS + 101_020, SPANS_FROM_MS + 102_020],
  ])('have curves of how many run at once, where they are %s', async (_what, fromMs, toMs) => {
    const { curves, readSpans } = await ask(
      () => readSpanCurves('workers', createRequest({}, fromMs, toMs)),
      (answer) => answer
    );
    expect([[...curves.keys()], readSpans]).toEqual([['', 'tcp://10.0.0.1:80', 'w-1'], undefined]);
    for (const [worker, steps] of curves) {
      const overlaps = RECORDS.filter((span) => span.worker === worker && span.part !== 'finish').map((span) => {
        const startMs = Number(span.timeNs / 1000n) / 1000;
        return Math.max(
          0,
          Math.min(toMs, startMs + (span.durationMs ?? LAST_MS - startMs)) - Math.max(fromMs, startMs)
        );
      });
      const expected = overlaps.reduce((sum, overlapMs) => sum + overlapMs, 0) / (toMs - fromMs);
      // A slot that the range begins in counts whole.
      expect(averageSteps(steps, { fromMs, toMs })).toBeCloseTo(expected, 1);
    }
  });

  it('are summed up by category and name in the shell', async () => {
    const report = async (...args: readonly string[]) => {
      const { influxdb, embedded } = await pair.both((url) => joblens(['report', 'spans', ...args], url));
      expect(embedded).toEqual(influxdb);
      return influxdb;
    };
    const { code, stdout } = await report('traced (1)', '--json');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const longest = Math.max(...SPANS.map(({ durationMs = 0 }) => durationMs)) / 1000;
    expect([code, rows.length]).toEqual([0, 8 + 2 + 3]);
    expect(rows.find(({ name }) => name === 'load')).toEqual({
      ...{ category: 'io', name: 'load', spans: 1, unfinished: 0 },
      ...{ min_s: longest, mean_s: longest, max_s: longest, sum_s: longest },
    });
    expect(rows.find(({ name }) => name === 'lost')).toEqual({ category: '', name: 'lost', spans: 0, unfinished: 1 });
    const inc = rows.filter(({ name }) => name === 'inc').map(({ spans }) => Number(spans));
    expect(inc.reduce((sum, spans) => sum + spans, 0)).toBe(8000 - 8);
    const unknown = await report('no such job');
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('no job no such job');
    expect((await report()).stderr).toContain('give the word spans and one id: joblens report spans 123');
  });

  it.each([
    ['categories', {}, ['com pute', 'io']],
    ['workers', { job: 'bare' }, ["o'hara"]],
  ] as const)('have names of %s to choose from (%j)', async (kind, request, expected) => {
    const { influxdb, embedded } = await pair.both(async (url) =>
      readNames(kind, await createInfluxqlClient(url).ask(...namesQuery({ kind, ...request })))
    );
    expect([influxdb, embedded]).toEqual([expected, expected]);
  });

  it('of all jobs are looked for a day back, those of a named job as far as they go', async () => {
    const dayMs = 86_400_000;
    const findOpen = async (filter: SpansViewRequest['filter'], laterMs: number) => {
      const fromMs = LAST_MS + laterMs;
      const view = await read({ filter, nowMs: fromMs }, fromMs, fromMs + 1000);
      return view.kind === 'single' && view.spans.some(({ id, job }) => id === 'open' && job === 'traced (1)');
    };
    expect([await findOpen({}, dayMs / 2), await findOpen({ job: [] }, 2 * dayMs)]).toEqual([true, false]);
    expect(await findOpen({ job: ['traced (1)'] }, 2 * dayMs)).toBe(true);
  });

  it('without levels are folded by reading them', async () => {
    const view = await read({ filter: { job: 'bare' } }, SPANS_FROM_MS - 100_000, LAST_MS);
    if (view.kind !== 'folded') throw new Error('not folded');
    expect(view.readSpans).toBeUndefined();
    expect(new Set(view.shares.map(({ worker }) => worker))).toEqual(new Set(["o'hara"]));
    // The open one runs to the end.
    expect(view.shares.filter(({ category }) => category === 'io').at(-1)?.endMs).toBeGreaterThanOrEqual(LAST_MS);
  });
});

function sortShares(view: SpansView): SpansView {
  if (view.kind === 'single') return view;
  const keyOf = ({ category, worker, startMs }: LaneShare): string => JSON.stringify([category, worker, startMs]);
  return { ...view, shares: view.shares.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
}

/** Stretches in which nothing starts or ends may be cut in different ways: so each slot is looked at. */
function expectSameShares(found: readonly LaneShare[], expected: readonly LaneShare[]): void {
  expect(expected.length).toBeGreaterThan(100);
  for (const share of expected) {
    const middleMs = (share.startMs + share.endMs) / 2;
    const same = found.find(
      ({ category, worker, startMs, endMs }) =>
        category === share.category && worker === share.worker && startMs <= middleMs && endMs > middleMs
    );
    expect(same).toMatchObject({ count: share.count });
    // When an open span starts within a slot is not known.
    const isOpening = share.category === 'io' && Math.abs(OPEN_MS - middleMs) < 1024;
    if (isOpening) expect(Math.abs((same?.running ?? NaN) - share.running)).toBeLessThanOrEqual(1);
    else expect(same?.running).toBeCloseTo(share.running, 4);
    expect(same?.busy).toBeCloseTo(share.busy, 4);
  }
}
