import { readStory, storyQuery, type TaskTransition } from '@joblens/core/ask/events/story';
import { listRows, listSeries } from '@joblens/core/ask/reading/result-rows';
import { type Column, createTimeColumn } from '../shell/column.js';
import { DEFAULT_TRANSITIONS, needsCutNote } from '../shell/cut-list.js';
import { createRangeFilter } from './event-options.js';
import type { PointInTime } from '../shell/point-in-time.js';
import type { Reading } from '../shell/reading.js';

export interface StoryCommand {
  readonly job: readonly string[];
  readonly user: readonly string[];
  readonly after: PointInTime | undefined;
  readonly before: PointInTime | undefined;
  readonly limit: number;
}

/** Prints the story of keys, oldest first. Returns the exit code. */
export async function printStory(reading: Reading, command: StoryCommand, keys: readonly string[]): Promise<number> {
  const { ask, createPrinter, fail, refuse, report, output, host } = reading;
  const filter = createRangeFilter(command, host.clock.nowMs());
  if (!filter.ok) return refuse(filter.error);
  const { limit } = command;
  // One more tells whether there are more.
  const results = await ask([storyQuery({ keys, filter: filter.value, limit: limit + 1 })]);
  if (!results.ok) return fail(results.error);
  const isCut = listSeries(results.value[0]).flatMap(listRows).length > limit;
  const transitions = readStory(results.value[0], keys).slice(0, limit);
  await createPrinter(STORY_COLUMNS).print(transitions);
  if (needsCutNote({ isCut, limit, defaultLimit: DEFAULT_TRANSITIONS, isTerminal: output.isTerminal })) {
    report.info(`the oldest ${limit} transitions were read, and there are newer ones; give --limit 0 for all`);
  } else if (output.isTerminal && transitions.length === 0) report.info(describeNone(command, keys));
  return 0;
}

function describeNone({ job, after, before }: StoryCommand, keys: readonly string[]): string {
  const isDefault = job.length === 0 && after === undefined && before === undefined;
  const [when, advice] = isDefault
    ? [' of the last 24 hours', '; give --after 7d, for example, to look further back']
    : [];
  return `no transition${when ?? ''} tells of ${keys.join(' or ')}${advice ?? ''}`;
}

const STORY_COLUMNS: readonly Column<TaskTransition>[] = [
  createTimeColumn('time', ({ timeNs }) => timeNs),
  { name: 'job', value: ({ job }) => job, isMinor: true, rank: 2 },
  { name: 'user', value: ({ user }) => user, isDetail: true },
  { name: 'key', value: ({ key }) => key },
  { name: 'start', value: ({ start }) => start },
  { name: 'finish', value: ({ finish }) => finish },
  {
    name: 'recommendations',
    value: ({ recommendations }) => recommendations,
    shown: ({ recommendations }) =>
      Object.entries(recommendations)
        .map(([key, state]) => (state === '' ? key : `${key}: ${state}`))
        .join(', '),
    shrinks: true,
    isMinor: true,
  },
  { name: 'stimulus_id', value: ({ stimulusId }) => stimulusId, isMinor: true, rank: 1, shrinks: true },
];
