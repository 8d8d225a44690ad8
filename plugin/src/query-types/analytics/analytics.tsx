import type { DataFrame, FieldConfig, SelectableValue } from '@grafana/data';
import { InlineField, InlineFieldRow, RadioButtonGroup } from '@grafana/ui';
import type { Weight } from '@joblens/core/analytics/utilization';
import { readAnalytics } from '@joblens/core/ask/analytics/analytics';
import {
  type AnalyticsAnswer,
  type AnalyticsReport,
  describeOpenRuns,
} from '@joblens/core/ask/analytics/analytics-answer';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { HOUR_MS, MINUTE_MS, NS_PER_MS, SECOND_MS } from '@joblens/core/numbers/time-units';
import { createUsageFrame, createWaitsFrame } from './analytics-frames.js';
import { findStateColour, formatStateName } from '@joblens/core/words/states';
import { createEventFilter, type EventFilterQuery, fillInEventFilter, listFilterParts } from '../parts/event-filter.js';
import { EventFilterFields, type FilterPart } from '../parts/EventFilterFields.js';
import { LABEL_WIDTH } from '../parts/NameSelect.js';
import { describeParts, type EditorProps, type QueryType, type RunContext } from '../parts/query-type.js';
import { runReading, withQuery } from '../parts/run-reading.js';
import { chooseStepMs } from '../parts/choose-step.js';
import { createStepFrame } from '../parts/step-frames.js';

export interface AnalyticsQuery extends EventFilterQuery {
  report?: AnalyticsReport;
  /** What a running job counts in utilization. */
  weight?: Weight;
}

const DEFAULT_REPORT: AnalyticsReport = 'utilization';
const DEFAULT_WEIGHT: Weight = 'nodes';
/** About as many as a curve has pixels, and as few as bins of waits can be seen. */
const [CURVE_BINS, WAIT_BINS] = [720, 60];

/** What the jobs of a range did together: curves that hold until their next value, and sums. */
export const analytics: QueryType<AnalyticsQuery> = {
  label: 'Analytics',
  description: 'Throughput, utilization, nodes, waits, states and usage of all jobs',
  run,
  describe: (query) => describeParts(query.report ?? DEFAULT_REPORT, ...listFilterParts(query)),
  fillIn: fillInEventFilter,
  Editor,
};

function run(query: AnalyticsQuery, context: RunContext): Observable<DataFrame[]> {
  const { report = DEFAULT_REPORT, weight = DEFAULT_WEIGHT } = query;
  const filter = createEventFilter(query, context);
  const { afterNs = context.fromNs, beforeNs = context.toNs } = filter;
  const window = {
    fromMs: Number(afterNs / NS_PER_MS),
    toMs: Math.min(Number(beforeNs / NS_PER_MS), context.nowMs),
  };
  const stepMs = chooseStepMs(context, report === 'waits' ? WAIT_BINS : CURVE_BINS);
  return runReading(() => withQuery(readAnalytics({ report, window, stepMs, filter, weight })), context).pipe(
    map(({ answer, executedQuery }) => [
      createFrame({ refId: query.refId, report, weight, executedQuery, notices: listNotices(answer, stepMs) }, answer),
    ])
  );
}

interface FrameParts {
  readonly refId: string;
  readonly report: AnalyticsReport;
  readonly weight: Weight;
  readonly notices: readonly string[];
  readonly executedQuery: string;
}

function createFrame({ report, weight, ...parts }: FrameParts, answer: AnalyticsAnswer): DataFrame {
  if (answer.kind === 'waits') return createWaitsFrame({ ...parts, name: report }, answer.bins);
  if (answer.kind === 'usage') return createUsageFrame({ ...parts, name: report }, answer.usage);
  const columns = [...answer.curves].map(([name, steps]) => ({
    steps,
    name: nameCurve(report, weight, name),
    config: createCurveConfig(report, name),
  }));
  return createStepFrame({ ...parts, name: report, columns });
}

const RUNNING_NAMES: Readonly<Record<Weight, string>> = {
  jobs: 'running jobs',
  nodes: 'used nodes',
  cpus: 'used processors',
  gpus: 'used GPUs',
};

function nameCurve(report: AnalyticsReport, weight: Weight, name: string): string {
  if (report === 'utilization') return RUNNING_NAMES[weight];
  return report === 'nodes' ? 'available nodes' : name;
}

function createCurveConfig(report: AnalyticsReport, name: string): FieldConfig {
  const isState = report === 'states' || report === 'throughput';
  const fixedColor = isState ? findStateColour(name) : undefined;
  return {
    min: 0,
    ...(isState && { displayName: formatStateName(name) }),
    ...(fixedColor !== undefined && { color: { mode: 'fixed', fixedColor } }),
    custom: report === 'states' ? STACKED : {},
  };
}

const STACKED = { lineWidth: 1, fillOpacity: 60, stacking: { mode: 'normal', group: 'A' } };

function listNotices({ isExact, isCut, ...open }: AnalyticsAnswer, stepMs: number): string[] {
  return [
    ...(isExact ? [] : [`Many jobs: exact at every ${formatStep(stepMs)}; a shorter range shows each change.`]),
    ...(isCut ? ['More changes of state than can be read: the oldest are missing. Choose a shorter range.'] : []),
    ...describeOpenRuns(open).map((clause) => `O${clause.slice(1)}.`),
  ];
}

function formatStep(stepMs: number): string {
  if (stepMs < MINUTE_MS) return `${stepMs / SECOND_MS} s`;
  return stepMs < HOUR_MS ? `${stepMs / MINUTE_MS} min` : `${stepMs / HOUR_MS} h`;
}

const REPORT_CHOICES: Array<SelectableValue<AnalyticsReport>> = [
  { value: 'utilization', label: 'Utilization', description: 'Running jobs, or what they have of the cluster' },
  { value: 'nodes', label: 'Available nodes', description: 'Nodes that the scheduler has allocated' },
  { value: 'throughput', label: 'Throughput', description: 'Jobs that have reached a state since the range began' },
  { value: 'states', label: 'States', description: 'How many jobs are in each state' },
  { value: 'waits', label: 'Waits', description: 'How long the jobs waited that began to run' },
  { value: 'usage', label: 'Usage', description: 'Hours by user, account and state, and which of them were lost' },
];

const WEIGHT_CHOICES: Array<SelectableValue<Weight>> = [
  { value: 'nodes', label: 'Nodes' },
  { value: 'jobs', label: 'Jobs' },
  { value: 'cpus', label: 'Processors' },
  { value: 'gpus', label: 'GPUs' },
];

const PARTS: readonly FilterPart[] = ['jobs', 'users', 'tags', 'schedulerIds'];
const STATE_PARTS: Readonly<Partial<Record<AnalyticsReport, readonly FilterPart[]>>> = {
  throughput: ['fromStates', 'toStates'],
  states: ['toStates'],
  usage: ['toStates'],
};

function Editor(props: EditorProps<AnalyticsQuery>): React.ReactElement {
  const { query, change } = props;
  const { report = DEFAULT_REPORT, weight = DEFAULT_WEIGHT } = query;
  return (
    <>
      <InlineFieldRow>
        <InlineField label="Report" labelWidth={LABEL_WIDTH}>
          <RadioButtonGroup options={REPORT_CHOICES} value={report} onChange={(next) => change({ report: next })} />
        </InlineField>
        {report === 'utilization' && (
          <InlineField label="Of" tooltip="What a running job counts">
            <RadioButtonGroup options={WEIGHT_CHOICES} value={weight} onChange={(next) => change({ weight: next })} />
          </InlineField>
        )}
      </InlineFieldRow>
      <EventFilterFields {...props} parts={[...PARTS, ...(STATE_PARTS[report] ?? [])]} />
    </>
  );
}
