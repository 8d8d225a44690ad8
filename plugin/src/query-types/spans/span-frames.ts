import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import type { LaneShare } from '@joblens/core/ask/spans/folded-spans';
import type { SpanCurveKind, SpanCurves } from '@joblens/core/ask/spans/span-curves';
import type { SpansView } from '@joblens/core/ask/spans/read-spans';
import { type SpanRecord, toSpanMs } from '@joblens/core/ask/spans/single-spans';
import { createCustomMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';
import { JOB_LINK } from '../events/event-frames.js';
import { createStepFrame } from '../parts/step-frames.js';

interface SpansAnswer {
  readonly refId: string;
  readonly view: SpansView;
  readonly executedQuery: string;
}

interface Column<Row> {
  readonly name: string;
  readonly type: FieldType;
  readonly read: (row: Row) => string | number | null;
  readonly config?: object;
}

const SPAN_COLUMNS: ReadonlyArray<Column<SpanRecord>> = [
  { name: 'start', type: FieldType.time, read: ({ timeNs }) => toSpanMs(timeNs) },
  { name: 'end', type: FieldType.time, read: findEndMs },
  { name: 'name', type: FieldType.string, read: ({ name }) => name },
  { name: 'category', type: FieldType.string, read: ({ category }) => category },
  { name: 'worker', type: FieldType.string, read: ({ worker }) => worker },
  { name: 'job', type: FieldType.string, read: ({ job }) => job, config: { links: [JOB_LINK] } },
  { name: 'user', type: FieldType.string, read: ({ user }) => user },
  { name: 'id', type: FieldType.string, read: ({ id }) => id },
  { name: 'data', type: FieldType.string, read: ({ data }) => data ?? null },
  { name: 'duration', type: FieldType.number, read: ({ durationMs }) => durationMs ?? null, config: { unit: 'ms' } },
];

const SHARE_COLUMNS: ReadonlyArray<Column<LaneShare>> = [
  { name: 'start', type: FieldType.time, read: ({ startMs }) => startMs },
  { name: 'end', type: FieldType.time, read: ({ endMs }) => endMs },
  { name: 'category', type: FieldType.string, read: ({ category }) => category },
  { name: 'worker', type: FieldType.string, read: ({ worker }) => worker },
  { name: 'job', type: FieldType.string, read: ({ job }) => job },
  { name: 'user', type: FieldType.string, read: ({ user }) => user },
  { name: 'busy', type: FieldType.number, read: ({ busy }) => busy, config: { unit: 'percentunit', min: 0, max: 1 } },
  { name: 'running', type: FieldType.number, read: ({ running }) => running, config: { min: 0 } },
  { name: 'count', type: FieldType.number, read: ({ count }) => count, config: { min: 0 } },
];

/** One frame: a row a span or, where they are too many, a row a lane and slot of time. */
export function createSpansFrame({ refId, view, executedQuery }: SpansAnswer): DataFrame {
  const isSingle = view.kind === 'single';
  const notice = findNotice(view);
  return toDataFrame({
    refId,
    name: 'spans',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta({ kind: isSingle ? 'spans' : 'folded-spans' }),
      notices: notice === undefined ? [] : [createNotice(notice)],
    },
    fields: isSingle ? createFields(SPAN_COLUMNS, view.spans) : createFields(SHARE_COLUMNS, view.shares),
  });
}

interface CurvesFrame {
  readonly refId: string;
  readonly curve: SpanCurveKind;
  readonly executedQuery: string;
}

/** One frame: a column for each category or worker. */
export function createSpanCurvesFrame(frame: CurvesFrame, { curves, readSpans }: SpanCurves): DataFrame {
  const { refId, curve, executedQuery } = frame;
  const config = { min: 0, ...(curve === 'bytes' && { unit: 'bytes' }) };
  const columns = [...curves].map(([name, steps]) => ({ name: name === '' ? UNNAMED : name, steps, config }));
  const notices = readSpans === undefined ? [] : [`Only the newest ${readSpans} spans count: choose a shorter range.`];
  return createStepFrame({ refId, name: curve, columns, notices, executedQuery });
}

/** A span may have no category and no worker. */
const UNNAMED = '(none)';

function createFields<Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]) {
  return columns.map(({ name, type, read, config = {} }) => ({ name, type, values: rows.map(read), config }));
}

/** An open span has no end; of one whose start is not known, the finish is all there is. */
function findEndMs({ timeNs, part, durationMs = 0 }: SpanRecord): number | null {
  return part === 'start' ? null : toSpanMs(timeNs) + durationMs;
}

function findNotice(view: SpansView): string | undefined {
  if (view.kind === 'single') return view.isCut ? 'There are more spans that began before the range.' : undefined;
  const { spans, readSpans } = view;
  if (readSpans === undefined) return undefined;
  return `The newest ${readSpans} of ${spans} spans are folded, as these have no levels: choose a shorter range.`;
}
