import type { DataFrame, SelectableValue } from '@grafana/data';
import { InlineField, Input, RadioButtonGroup } from '@grafana/ui';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { JobFields, LimitField, useDraft } from '../parts/editor-fields.js';
import { type EventFilterQuery, fillInEventFilter, listFilterParts } from '../parts/event-filter.js';
import { EventFilterFields, type FilterPart } from '../parts/EventFilterFields.js';
import { createMarksFrame, MARK_FINDERS, type MarkKind } from './job-marks.js';
import { LABEL_WIDTH } from '../parts/NameSelect.js';
import { describeParts, type EditorProps, type QueryType, readLimit, type RunContext } from '../parts/query-type.js';
import { readFailureTable } from './failures.js';
import { readCounts, readEventList, readTopicList } from './read-events.js';

type EventKind = MarkKind | 'all' | 'failures' | 'topics' | 'counts';

export interface EventsQuery extends EventFilterQuery {
  event?: EventKind;
  /** Which ones are taken where there are more than the limit, and the order of the rows. */
  order?: 'asc' | 'desc';
}

const DEFAULT_EVENTS = 100;
/** A query that an older version saved has none. */
const DEFAULT_EVENT: EventKind = 'states';

/** What happened to jobs: for annotations, whose regions reach from a job's start to its end, and for tables. */
export const events: QueryType<EventsQuery> = {
  label: 'Events',
  description: 'Everything that happened to jobs, their starts and ends, signals, notices, or lines that hold a text',
  isRunnable: ({ event, text = '' }) => event !== 'lines' || text.trim() !== '',
  run,
  describe: (query) => {
    const { event = DEFAULT_EVENT, text, job, user } = query;
    if (!isMarkKind(event))
      return describeParts(event === 'all' ? 'events' : `events: ${event}`, ...listFilterParts(query));
    return describeParts('events', event === 'lines' ? text : event, job, user);
  },
  fillIn: fillInEventFilter,
  Editor,
};

function isMarkKind(kind: EventKind): kind is MarkKind {
  return Object.keys(MARK_FINDERS).includes(kind);
}

function run(query: EventsQuery, context: RunContext): Observable<DataFrame[]> {
  const limit = readLimit(query.limit, DEFAULT_EVENTS);
  const kind = query.event ?? DEFAULT_EVENT;
  const isAnnotation = '__annotation' in context.scopedVars;
  if (kind === 'all') return readEventList(query, limit, context, isAnnotation);
  if (kind === 'failures') return readFailureTable(query, limit, context);
  if (kind === 'topics') return readTopicList(query, context);
  if (kind === 'counts') return readCounts(query, context);
  const asked = MARK_FINDERS[kind](query, context, limit);
  return asked.pipe(map((found) => [createMarksFrame(query.refId, found, isAnnotation)]));
}

const EVENT_CHOICES: Array<SelectableValue<EventKind>> = [
  {
    value: 'all',
    label: 'All',
    description: 'One row an event: changes of state, signals, and what jobs log themselves',
  },
  { value: 'failures', label: 'Failures', description: 'The newest jobs that failed, with the reason' },
  { value: 'counts', label: 'Counts', description: 'How many events of each topic, over time' },
  { value: 'topics', label: 'Topics', description: 'One row a topic, with the number of its events' },
  { value: 'states', label: 'Starts and ends', description: 'A region from the start of each job to its end' },
  { value: 'signals', label: 'Signals', description: 'What the output of jobs says went wrong' },
  { value: 'notices', label: 'Notices', description: 'Lines that Joblens wrote into the log itself' },
  { value: 'lines', label: 'Lines with a text' },
];

const ORDER_CHOICES: Array<SelectableValue<'asc' | 'desc'>> = [
  { value: 'desc', label: 'Newest first' },
  { value: 'asc', label: 'Oldest first' },
];

const FAILURE_PARTS: readonly FilterPart[] = ['users', 'toStates', 'after', 'before'];
const FILTER_PARTS: readonly FilterPart[] = [
  ...(['jobs', 'users', 'topics', 'fromStates', 'toStates', 'tags', 'schedulerIds'] as const),
  ...(['after', 'before', 'text'] as const),
];

function Editor(props: EditorProps<EventsQuery>): React.ReactElement {
  const { query, change } = props;
  const kind = query.event ?? DEFAULT_EVENT;
  return (
    <>
      <InlineField label="Events" labelWidth={LABEL_WIDTH}>
        <RadioButtonGroup options={EVENT_CHOICES} value={kind} onChange={(event) => change({ event })} />
      </InlineField>
      {isMarkKind(kind) ? (
        <JobFields {...props} />
      ) : (
        <EventFilterFields {...props} parts={kind === 'failures' ? FAILURE_PARTS : FILTER_PARTS} />
      )}
      {kind === 'lines' && <LineText {...props} />}
      {kind === 'all' && (
        <InlineField label="Order" labelWidth={LABEL_WIDTH} tooltip="Also which ones are taken, if there are too many">
          <RadioButtonGroup
            options={ORDER_CHOICES}
            value={query.order ?? 'desc'}
            onChange={(order) => change({ order })}
          />
        </InlineField>
      )}
      {kind !== 'topics' && kind !== 'counts' && <LimitField {...props} defaultLimit={DEFAULT_EVENTS} />}
    </>
  );
}

function LineText({ query, change }: EditorProps<EventsQuery>): React.ReactElement {
  const [text, setText] = useDraft(query.text ?? '');
  return (
    <InlineField label="Text" labelWidth={LABEL_WIDTH} tooltip="As it stands in the line; variables are allowed">
      <Input
        id={`${query.refId}-text`}
        width={50}
        value={text}
        placeholder="Traceback"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => change({ text: text === '' ? undefined : text })}
      />
    </InlineField>
  );
}
