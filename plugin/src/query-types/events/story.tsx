import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { printStatement } from '@joblens/core/influxql/print';
import { readStory, storyQuery, type TaskTransition } from '@joblens/core/ask/events/story';
import { InlineField, Input } from '@grafana/ui';
import React from 'react';
import { map, type Observable, switchMap } from 'rxjs';
import { createCustomMeta, type EventsMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';
import { toMs } from '../../frames/times.js';
import { fillInFields } from '../parts/change-query.js';
import { LimitField, useDraft } from '../parts/editor-fields.js';
import { JOB_LINK } from './event-frames.js';
import { createEventFilter, type EventFilterQuery, fillInEventFilter, listFilterParts } from '../parts/event-filter.js';
import { EventFilterFields, type FilterPart } from '../parts/EventFilterFields.js';
import type { JobRange } from '../memory/job-range-memory.js';
import { createRangeFields, findJobRanges } from '../jobs/job-ranges.js';
import { LABEL_WIDTH } from '../parts/NameSelect.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type QueryType,
  readLimit,
  type RunContext,
} from '../parts/query-type.js';

export interface StoryQuery extends EventFilterQuery {
  /** The key of a task, or the id of a stimulus; a variable with several values asks for each. Explore sets `key`. */
  taskKey?: string;
}

const DEFAULT_TRANSITIONS = 1000;

/** Every transition of the tasks of a job that a key took part in, as Dask's `story`. */
export const story: QueryType<StoryQuery> = {
  label: 'Story',
  description: 'Every transition of one task within jobs, and those that ask for it',
  isRunnable: ({ taskKey = '' }) => taskKey.trim() !== '',
  run,
  describe: (query) => describeParts('story', query.taskKey, ...listFilterParts(query)),
  fillIn: (query, scopedVars, templates) =>
    fillInEventFilter(fillInFields(query, ['taskKey'], scopedVars, templates), scopedVars, templates),
  Editor,
};

function run(query: StoryQuery, context: RunContext): Observable<DataFrame[]> {
  const keys = fillIn(query.taskKey, context);
  if (keys.length === 0) throw new RangeError('A story needs the key of a task: choose one');
  const limit = readLimit(query.limit, DEFAULT_TRANSITIONS);
  const statement = storyQuery({ keys, filter: createEventFilter(query, context), limit: limit + 1 });
  return context.client.query([statement]).pipe(
    switchMap(([result]) => {
      const found = readStory(result, keys);
      const transitions = found.slice(0, limit);
      const story = { refId: query.refId, transitions, isLimited: found.length > limit };
      return findJobRanges(transitions, context).pipe(
        map((readRange) => [createStoryFrame({ ...story, readRange, executedQuery: printStatement(statement) })])
      );
    })
  );
}

interface StoryAnswer {
  readonly refId: string;
  /** Oldest first. */
  readonly transitions: readonly TaskTransition[];
  /** There are more. */
  readonly isLimited: boolean;
  readonly readRange: (transition: TaskTransition) => JobRange;
  readonly executedQuery: string;
}

/** One row a transition. */
function createStoryFrame({ refId, transitions, isLimited, readRange, executedQuery }: StoryAnswer): DataFrame {
  const meta: EventsMeta = { kind: 'events', tsNs: transitions.map(({ timeNs }) => String(timeNs)), jobColumn: 'job' };
  const field = (
    name: string,
    type: FieldType,
    read: (transition: TaskTransition) => string | number | null,
    config = {}
  ) => ({ name, type, values: transitions.map(read), config });
  return toDataFrame({
    refId,
    name: 'story',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta(meta),
      notices: isLimited ? [createNotice(`The oldest ${transitions.length} transitions; there are newer ones.`)] : [],
    },
    fields: [
      field('time', FieldType.time, ({ timeNs }) => toMs(timeNs)),
      field('key', FieldType.string, ({ key }) => key),
      field('start', FieldType.string, ({ start }) => start),
      field('finish', FieldType.string, ({ finish }) => finish),
      field('recommendations', FieldType.string, ({ recommendations }) => formatRecommendations(recommendations)),
      field('stimulus_id', FieldType.string, ({ stimulusId }) => stimulusId ?? null),
      field('job', FieldType.string, ({ job }) => job, { links: [JOB_LINK] }),
      field('user', FieldType.string, ({ user }) => user),
      ...createRangeFields(transitions.map(readRange)),
    ],
  });
}

/** `sum-1 → waiting, sum-2 → processing`. */
function formatRecommendations(recommendations: TaskTransition['recommendations']): string | null {
  const asked = Object.entries(recommendations).map(([key, state]) => (state === '' ? key : `${key} → ${state}`));
  return asked.length === 0 ? null : asked.join(', ');
}

const PARTS: readonly FilterPart[] = ['jobs', 'users', 'after', 'before'];

function Editor(props: EditorProps<StoryQuery>): React.ReactElement {
  const { query, change } = props;
  const [key, setKey] = useDraft(query.taskKey ?? '');
  return (
    <>
      <InlineField label="Key" labelWidth={LABEL_WIDTH} tooltip="Of a task, or of a stimulus; variables are allowed">
        <Input
          id={`${query.refId}-key`}
          aria-label="Key"
          width={50}
          value={key}
          placeholder="inc-66f2"
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          onBlur={() => change({ taskKey: key.trim() === '' ? undefined : key })}
        />
      </InlineField>
      <EventFilterFields {...props} parts={PARTS} />
      <LimitField {...props} defaultLimit={DEFAULT_TRANSITIONS} />
    </>
  );
}
