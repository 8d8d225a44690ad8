import type { DataFrame, SelectableValue } from '@grafana/data';
import { InlineField, InlineFieldRow, RadioButtonGroup } from '@grafana/ui';
import { readSpansView, type SpansViewRequest } from '@joblens/core/ask/spans/read-spans';
import { readSpanCurves, type SpanCurveKind } from '@joblens/core/ask/spans/span-curves';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { fillInFields } from '../parts/change-query.js';
import { JobFields, NameField, TextField } from '../parts/editor-fields.js';
import { LABEL_WIDTH } from '../parts/NameSelect.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type JoblensQuery,
  type QueryType,
  type RunContext,
} from '../parts/query-type.js';
import { runReading, withQuery } from '../parts/run-reading.js';
import { createSpanCurvesFrame, createSpansFrame } from './span-frames.js';

/** Each part may hold variables; empty means all. */
export interface SpansQuery extends JoblensQuery {
  category?: string;
  worker?: string;
  /** In the name of a span. */
  spanName?: string;
  /** A curve of them in place of the spans themselves. */
  curve?: SpanCurveKind;
}

const OWN_FIELDS = ['category', 'worker', 'spanName'] as const;
const DEFAULT_POINTS = 1000;

/** What jobs did when, and for how long. */
export const spans: QueryType<SpansQuery> = {
  label: 'Spans',
  description:
    'What jobs did when and for how long, by category and worker: each span, or what runs where they are many',
  run,
  describe: ({ job, user, category, worker, spanName, curve }) =>
    describeParts('spans', curve, job, user, category, worker, spanName),
  fillIn: (query, scopedVars, templates) => fillInFields(query, OWN_FIELDS, scopedVars, templates),
  Editor,
};

function run(query: SpansQuery, context: RunContext): Observable<DataFrame[]> {
  const request = createRequest(query, context);
  const { refId, curve } = query;
  if (curve === undefined) {
    return runReading(() => withQuery(readSpansView(request)), context).pipe(
      map(({ answer: view, executedQuery }) => [createSpansFrame({ refId, view, executedQuery })])
    );
  }
  return runReading(() => withQuery(readSpanCurves(curve, request)), context).pipe(
    map(({ answer, executedQuery }) => [createSpanCurvesFrame({ refId, curve, executedQuery }, answer)])
  );
}

function createRequest(query: SpansQuery, context: RunContext): SpansViewRequest {
  const { fromNs, toNs, nowMs, widthPx = DEFAULT_POINTS } = context;
  const [text = ''] = fillIn(query.spanName, context);
  const filter = {
    job: fillIn(query.job, context),
    user: fillIn(query.user, context),
    category: fillIn(query.category, context),
    worker: fillIn(query.worker, context),
    text,
  };
  return { filter, fromNs, toNs, nowMs, points: widthPx };
}

type Shown = SpanCurveKind | 'spans';

const SHOWN_CHOICES: Array<SelectableValue<Shown>> = [
  { value: 'spans', label: 'Spans', description: 'Each by itself, or what runs where they are many' },
  { value: 'categories', label: 'Running by category', description: 'How many run at once, a curve a category' },
  { value: 'workers', label: 'Running by worker', description: 'How many run at once, a curve a worker' },
  { value: 'bytes', label: 'Bytes', description: 'The sum of bytes in the data of those that have finished' },
];

function Editor(props: EditorProps<SpansQuery>): React.ReactElement {
  const { query, change } = props;
  return (
    <>
      <InlineFieldRow>
        <InlineField label="Show" labelWidth={LABEL_WIDTH}>
          <RadioButtonGroup<Shown>
            options={SHOWN_CHOICES}
            value={query.curve ?? 'spans'}
            onChange={(shown) => change({ curve: shown === 'spans' ? undefined : shown })}
          />
        </InlineField>
      </InlineFieldRow>
      <JobFields {...props} />
      <InlineFieldRow>
        <NameField
          {...props}
          part="category"
          kind="categories"
          label="Category"
          placeholder="All categories"
          tooltip="Its exact name, or a variable"
        />
        <NameField
          {...props}
          part="worker"
          kind="workers"
          label="Worker"
          placeholder="All workers"
          tooltip="Its exact name, or a variable"
        />
        <TextField
          {...props}
          part="spanName"
          label="Name"
          placeholder="All names"
          tooltip="A part of it, in any case"
        />
      </InlineFieldRow>
    </>
  );
}
