import { list, option, toggle } from '../../config/option.js';
import { keyValue, limit, nonEmptyText, oneOf } from '../../config/value-types.js';
import { WHEN_AND_WHOSE } from './event-options.js';
import { DEFAULT_ROWS } from '../shell/cut-list.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const EVENTS = defineReadingSubcommand({
  name: 'events',
  summary: 'Show what happened to jobs: changes of state, signals, and what they logged themselves.',
  own: {
    title: 'Which events:',
    options: {
      ...WHEN_AND_WHOSE,
      tag: list('--tag <key=value>', keyValue, { help: 'of jobs with this tag; repeat it: all must match' }),
      schedulerId: list('--scheduler-id <id>', nonEmptyText, { help: 'of the job with this id of the scheduler' }),
      topic: list('--topic <topic>', nonEmptyText, {
        help: 'of this topic, in order as logged; repeat it for more',
        completes: 'topic',
      }),
      fromState: list('--from-state <state>', nonEmptyText, {
        help: 'changes from this state, in small letters too',
        completes: 'past-state',
      }),
      toState: list('--to-state <state>', nonEmptyText, {
        help: 'changes to this state, in small letters too',
        completes: 'past-state',
      }),
      text: option('--text <text>', nonEmptyText, { help: 'with this text in data, in any case' }),
      limit: option('--limit <n>', limit(), { help: 'the most events, 0: no limit', default: String(DEFAULT_ROWS) }),
      order: option('--order <order>', oneOf(['newest', 'oldest']), {
        help: 'which come first, and are kept at the limit',
        shownDefault: 'newest',
      }),
      follow: toggle('--follow', { help: 'wait for more, until interrupted' }),
      topics: toggle('--topics', { help: 'show all topics and how many events they have instead' }),
    },
  },
  examples: [
    'joblens events --to-state FAILED --after 7d',
    'joblens events --job 123 --job 124',
    'joblens events --tag experiment=foo --after 2026-11-01 --before 2026-12-01',
    'joblens events --topic runtimes --json | jq .data.seconds',
    'joblens events --topics --after 7d',
    'joblens events --user ann --follow',
  ],
  remarks: `
All filters must match. If you repeat one, any of its values will do; tags must
all match. A time is 2h or 1d12h (ago), today, yesterday, 14:30 or ISO 8601,
local where it says no offset.

Topics are state (changes of state), signal (errors in the output) and those
that jobs log themselves: print('/LOGCOMMAND {"event": {"topic": "runtimes",
"data": {"step": 1}}}').

Exit code: 0, also when there are no such events; 1 when the store cannot be
read; 2 when the options are wrong.`,
  findMistake({ topics, follow }) {
    return topics && follow ? 'give --topics or --follow, not both' : undefined;
  },
  async read(reading, own) {
    const { printEvents } = await import('./events.js');
    return printEvents(reading, own);
  },
});
