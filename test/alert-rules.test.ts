import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEventPoint, createJobPoint, type JobEvent } from '@joblens/core/schema/job-point';
import { createStandstillPoint, type Standstill } from '@joblens/core/schema/standstill-point';
import { createSignalEvent, type FoldedSignal } from '@joblens/core/signals/signal-fold';
import type { Point } from '@joblens/core/point/point';
import { parse } from 'yaml';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { querySeries } from './influxdb.js';

interface RuleQuery {
  readonly refId: string;
  readonly datasourceUid: string;
  readonly relativeTimeRange: { readonly from: number; readonly to: number };
  readonly model: {
    readonly query?: string;
    readonly rawQuery?: boolean;
    readonly type?: string;
    readonly expression?: string;
    readonly reducer?: string;
    readonly conditions?: readonly { readonly evaluator: { readonly type: string; readonly params: number[] } }[];
  };
}
interface Rule {
  readonly uid: string;
  readonly title: string;
  readonly condition: string;
  readonly data: readonly [RuleQuery, RuleQuery, RuleQuery];
  readonly isPaused: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const root = join(__dirname, '..');
const text = readFileSync(join(root, 'provisioning/alerting/joblens.yaml'), 'utf8');
const { groups } = parse(text) as { groups: readonly { readonly rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** The query as the backend of Grafana's InfluxDB data source sends it (pkg/tsdb/influxdb/query.go). */
function fillTimeFilter({ model, relativeTimeRange: { from, to } }: RuleQuery, nowMs: number): string {
  const filter = `time >= ${String(nowMs - from * 1000)}ms and time <= ${String(nowMs - to * 1000)}ms`;
  return String(model.query).replaceAll('$timeFilter', filter);
}

/** The jobs for which a rule fires: query, then the sum of each series, then a threshold, as Grafana evaluates it. */
async function findFiring(url: string, { data: [query, reduce, threshold] }: Rule, nowMs: number): Promise<string[]> {
  expect(reduce.model).toMatchObject({ type: 'reduce', expression: query.refId, reducer: 'sum' });
  expect(threshold.model).toMatchObject({ type: 'threshold', expression: reduce.refId });
  const [condition] = threshold.model.conditions ?? [];
  expect(condition?.evaluator.type).toBe('gt');
  const series = await querySeries(url, fillTimeFilter(query, nowMs));
  const firing: string[] = [];
  for (const { tags = {}, columns, values } of series) {
    // Grafana makes a series of each column, so a second one would have the labels of the first.
    expect(columns).toHaveLength(2);
    const sum = values.reduce((total, [, value]) => total + Number(value), 0);
    if (sum > (condition?.evaluator.params[0] ?? Infinity))
      firing.push(`${tags['job'] ?? ''} of ${tags['user'] ?? ''}`);
  }
  return firing.sort();
}

const NOW_MS = 1_700_000_000_000;
const atMinutes = (minutes: number): bigint => BigInt(NOW_MS + minutes * 60_000) * 1_000_000n;

function createJob(job: string, states: readonly string[], endedAtMinutes = -1): Point[] {
  return states.map((state, i) =>
    createJobPoint({ job, user: 'ann' }, { state }, atMinutes(endedAtMinutes - (states.length - 1 - i) * 10))
  );
}

function createSignal(job: string, name: string, signal: Partial<FoldedSignal> = {}, minutes = -1): Point {
  const timeNs = atMinutes(minutes);
  const whole = { severity: 'error', weight: 'cause', stream: 'stderr', message: name, count: 1, lastNs: timeNs };
  const event: JobEvent = createSignalEvent({ ...whole, name, timeNs, ...signal } as FoldedSignal);
  return createEventPoint({ job, user: 'ann' }, event, timeNs);
}

function createStandstill(job: string, silentMinutes: number, stalledMinutes?: number, atMinute = -1): Point {
  const stalledS = stalledMinutes === undefined ? undefined : stalledMinutes * 60;
  const standstill: Standstill = { silentS: silentMinutes * 60, stalledS };
  return createStandstillPoint({ job, user: 'ann' }, standstill, atMinutes(atMinute));
}

const POINTS: readonly Point[] = [
  ...createJob('failed', ['RUNNING', 'FAILED']),
  ...createJob('array 3_7,"x"', ['PENDING', 'RUNNING', 'OUT_OF_MEMORY']),
  ...createJob('lost', ['RUNNING', 'LOST']),
  ...createJob('too-late', ['RUNNING', 'TIMEOUT'], -30),
  ...createJob('succeeded', ['RUNNING', 'COMPLETED']),
  ...createJob('cancelled', ['RUNNING', 'CANCELLED']),
  ...createJob('running', ['RUNNING']),
  ...createJob('failed-long-ago', ['RUNNING', 'FAILED'], -90),
  createEventPoint(
    { job: 'failed', user: 'ann' },
    { topic: 'state', fromState: 'RUNNING', toState: 'FAILED', data: { severity: 'error' } },
    atMinutes(-1)
  ),
  createSignal('crashed', 'segmentation-fault', { count: 3 }),
  createSignal('crashed', 'killed', {}, -2),
  createSignal('warned', 'file-not-found', { severity: 'warning', line: '{"severity":"error","name":"loss-nan"}' }),
  createSignal('crashed-long-ago', 'killed', {}, -90),
  createSignal('diverged', 'loss-nan', { message: 'loss is NaN' }),
  createSignal('infinite', 'metric-nonfinite', { severity: 'warning', message: 'grad_norm is Infinity' }),
  createSignal('diverged-long-ago', 'loss-nan', {}, -90),
  // Each slot has its own point, and the window has one or two of them.
  createStandstill('silent', 22, undefined, -15.5),
  createStandstill('silent', 32, undefined, -5.5),
  createStandstill('not-yet-silent', 25),
  createStandstill('prints-again', 42, undefined, -10),
  createStandstill('prints-again', 0),
  createStandstill('one-task-prints', 55, 70, -1.001),
  createStandstill('one-task-prints', 2, 0),
  createStandstill('stalled', 1, 62),
  createStandstill('not-yet-stalled', 12, 50),
  createStandstill('silent-and-stalled', 61, 61),
  createStandstill('ended-silently', 70, 70, -8),
  ...createJob('ended-silently', ['RUNNING', 'COMPLETED']),
  createStandstill('ended-silently', 0, 0, -0.5),
  // Nobody has told anything for a while: Joblens ended, too.
  createStandstill('gone', 50, 80, -20),
];

const FIRING: Readonly<Record<string, readonly string[]>> = {
  'joblens-failed': ['array 3_7,"x" of ann', 'failed of ann', 'lost of ann', 'too-late of ann'],
  'joblens-signal': ['crashed of ann'],
  'joblens-nonfinite': ['diverged of ann', 'infinite of ann'],
  'joblens-silent': ['silent of ann', 'silent-and-stalled of ann'],
  'joblens-stalled': ['silent-and-stalled of ann', 'stalled of ann'],
};

describe('alert rules', () => {
  it('each has a test', () => {
    expect(rules.map(({ uid }) => uid)).toEqual(Object.keys(FIRING));
  });

  it.each(rules.map((rule) => [rule.title, rule] as const))('%s: one variable turns it off', (_title, rule) => {
    expect(rule.isPaused).toBe('$JOBLENS_ALERTS_PAUSED');
  });

  it.each(rules.map((rule) => [rule.title, rule] as const))('%s: asks for a bounded time, by tags', (_title, rule) => {
    const [query, ...expressions] = rule.data;
    expect(query.datasourceUid).toBe('joblens-influxdb');
    expect(query.model.rawQuery).toBe(true);
    expect(query.model.query).toMatch(/ (?:AND|WHERE) \$timeFilter GROUP BY "job", "user"$/);
    expect(expressions.map(({ datasourceUid }) => datasourceUid)).toEqual(['__expr__', '__expr__']);
    expect(rule.condition).toBe(expressions.at(-1)?.refId);
  });

  it.each(rules.map((rule) => [rule.title, rule] as const))('%s: names the job and links to it', (_title, rule) => {
    const { summary, description } = rule.annotations;
    expect(summary).toContain('{{ .Labels.job }} of {{ .Labels.user }}');
    expect(description).toContain('{{ externalURL }}d/joblens-job?var-job={{ .Labels.job | urlquery }}');
    // Provisioning fills `$` in labels from the environment.
    expect(JSON.stringify(rule.labels)).not.toContain('$');
  });
});

describeWith(['influxd'], 'alert rules on InfluxDB and the embedded store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(async () => {
    await pair.stop();
  });

  it.each(rules.map((rule) => [rule.title, rule] as const))('%s: fires for these jobs only', async (_title, rule) => {
    const { influxdb, embedded } = await pair.both((url) => findFiring(url, rule, NOW_MS));
    expect(influxdb).toEqual(FIRING[rule.uid]);
    expect(embedded).toEqual(FIRING[rule.uid]);
  });

  it.each(rules.map((rule) => [rule.title, rule] as const))('%s: ends an hour later', async (_title, rule) => {
    const laterMs = NOW_MS + 3_600_000;
    expect(await pair.both((url) => findFiring(url, rule, laterMs))).toEqual({ influxdb: [], embedded: [] });
  });
});
