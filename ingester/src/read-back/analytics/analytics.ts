import {
  type AnalyticsAnswer,
  type AnalyticsReport,
  describeOpenRuns,
  type UsageAnswer,
} from '@joblens/core/ask/analytics/analytics-answer';
import { DAY_MS, HOUR_MS, MINUTE_MS, NS_PER_MS } from '@joblens/core/numbers/time-units';
import { ok, type Result } from '@joblens/core/result/result';
import type { TimeWindow } from '@joblens/core/analytics/transition';
import type { Weight } from '@joblens/core/analytics/utilization';
import { isForgottenName } from '@joblens/core/ask/reading/forgotten-jobs';
import { isWastedState } from '@joblens/core/words/states';
import { formatDuration } from '@joblens/core/words/duration';
import { readAnalytics } from '@joblens/core/ask/analytics/analytics';
import { parseKeyValue } from '../../config/value-types.js';
import { addTotal, EACH_WAIT_COLUMNS, USAGE_COLUMNS, WAIT_COLUMNS } from './analytics-columns.js';
import { createCurveTable, createEachTable } from './curve-tables.js';
import type { Column } from '../shell/column.js';
import { findRange, type PointInTime } from '../shell/point-in-time.js';
import { runReading } from '../shell/run-reading.js';
import { listStateCases } from '../shell/state-cases.js';
import type { Reading } from '../shell/reading.js';

export interface AnalyticsCommand {
  readonly report: AnalyticsReport;
  readonly user: readonly string[];
  readonly job: readonly string[];
  /** `key=value` each. */
  readonly tag: readonly string[];
  readonly schedulerId: readonly string[];
  readonly toState: readonly string[];
  readonly fromState: readonly string[];
  readonly after: PointInTime | undefined;
  readonly before: PointInTime | undefined;
  readonly weight: Weight | undefined;
  /** In milliseconds. */
  readonly step: number | undefined;
  readonly each: boolean;
}

const MAX_ROWS = 24;
const MAX_STEPS = 20_000;
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY_MS),
];
/** The mean and the peak of a row come from so many parts of it, where the store adds up. */
const PARTS_OF_ROW = 12;

/** Prints one of the reports over all jobs of a range. Returns the exit code. */
export async function printAnalytics(reading: Reading, command: AnalyticsCommand): Promise<number> {
  const window = findWindow(command, reading.host.clock.nowMs());
  if (!window.ok) return reading.refuse(window.error);
  const stepMs = command.step ?? chooseStep(window.value);
  const tooFine = command.report === 'usage' ? undefined : refuseStep(window.value, stepMs);
  if (tooFine !== undefined) return reading.refuse(tooFine);
  const answer = await runReading(reading.ask, readAnalytics(createRequest(command, window.value, stepMs)));
  if (!answer.ok) return reading.fail(answer.error);
  await printAnswer(reading, command, answer.value, { window: window.value, stepMs });
  for (const remark of listRemarks(answer.value, reading.output.isTerminal)) reading.report.info(remark);
  return 0;
}

function findWindow(command: AnalyticsCommand, nowMs: number): Result<TimeWindow, string> {
  const range = findRange(command, nowMs, DAY_MS);
  if (!range.ok) return range;
  const [fromMs, toMs] = [range.value.fromNs, range.value.toNs].map((timeNs) => Number(timeNs / NS_PER_MS));
  // Nobody knows what runs later than now.
  return ok({ fromMs: Math.min(fromMs ?? 0, nowMs), toMs: Math.min(toMs ?? 0, nowMs) });
}

function chooseStep({ fromMs, toMs }: TimeWindow): number {
  const lengthMs = toMs - fromMs;
  return (
    STEPS_MS.find((stepMs) => lengthMs <= (MAX_ROWS - 1) * stepMs) ?? Math.ceil(lengthMs / MAX_ROWS / DAY_MS) * DAY_MS
  );
}

/** A table of more rows helps nobody, and costs the store and this process much. */
function refuseStep({ fromMs, toMs }: TimeWindow, stepMs: number): string | undefined {
  const rows = Math.ceil((toMs - fromMs) / stepMs);
  if (rows <= MAX_STEPS) return undefined;
  const enough = formatDuration(Math.ceil((toMs - fromMs) / MAX_STEPS / 1000) * 1000);
  return `that --step makes ${rows} rows of the range, and at most ${MAX_STEPS} are printed; give --step ${enough} or more, or a shorter range`;
}

function createRequest(
  { report, user, job, tag, schedulerId, toState, fromState, weight }: AnalyticsCommand,
  window: TimeWindow,
  stepMs: number
): Parameters<typeof readAnalytics>[0] {
  const isCurve = report !== 'waits' && report !== 'usage' && stepMs % PARTS_OF_ROW === 0;
  return {
    ...{ report, window, stepMs: isCurve ? stepMs / PARTS_OF_ROW : stepMs },
    filter: {
      users: user,
      jobs: job,
      tags: Object.fromEntries(tag.map(parseKeyValue)),
      schedulerIds: schedulerId,
      toStates: listStateCases(toState),
      fromStates: listStateCases(fromState),
    },
    ...(weight !== undefined && { weight }),
  };
}

interface Shape {
  readonly window: TimeWindow;
  readonly stepMs: number;
}

async function printAnswer(
  { createPrinter, format }: Reading,
  { report, each }: AnalyticsCommand,
  answer: AnalyticsAnswer,
  { window, stepMs }: Shape
): Promise<void> {
  const print = async <Row>({
    columns,
    rows,
  }: {
    readonly columns: readonly Column<Row>[];
    readonly rows: readonly Row[];
  }) => {
    await createPrinter(columns).print(rows);
  };
  switch (answer.kind) {
    case 'steps':
      return each
        ? print(createEachTable(answer.curves))
        : print(createCurveTable(report, answer.curves, window, stepMs));
    case 'waits':
      return each && answer.waits !== undefined
        ? print({ columns: EACH_WAIT_COLUMNS, rows: answer.waits.filter(({ job }) => !isForgottenName(job)) })
        : print({ columns: WAIT_COLUMNS, rows: answer.bins });
    case 'usage':
      return print({ columns: USAGE_COLUMNS, rows: format === 'table' ? addTotal(answer.usage) : answer.usage });
  }
}

function listRemarks(answer: AnalyticsAnswer, isTerminal: boolean): string[] {
  const isCut = 'there are more jobs than were read: the oldest are missing; choose a shorter range';
  const remarks = [...(answer.isCut ? [isCut] : []), ...describeOpenRuns(answer)];
  return [...remarks, ...(isTerminal ? describeAnswer(answer) : [])];
}

function describeAnswer(answer: AnalyticsAnswer): string[] {
  if (isEmpty(answer)) return ['no such job changed its state or ran in that range; give --after 7d, for example'];
  if (answer.kind === 'usage') return [describeWaste(answer)];
  return answer.kind === 'waits' && !answer.isExact
    ? ['medians and 90 % are about right: there are too many jobs to read the wait of each']
    : [];
}

function isEmpty(answer: AnalyticsAnswer): boolean {
  switch (answer.kind) {
    case 'steps':
      return answer.curves.size === 0;
    case 'waits':
      return answer.bins.length === 0;
    case 'usage':
      return answer.usage.length === 0;
  }
}

function describeWaste({ usage }: UsageAnswer): string {
  const sum = (rows: UsageAnswer['usage']): number => rows.reduce((total, { nodeHours }) => total + nodeHours, 0);
  const total = sum(usage);
  const share = total === 0 ? 0 : (100 * sum(usage.filter(({ state }) => isWastedState(state)))) / total;
  return `${share.toFixed(1)} % of the node hours are wasted: their jobs failed, were cancelled or ran out of time`;
}
