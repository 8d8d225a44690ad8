import { option } from '../../config/option.js';
import { limit } from '../../config/value-types.js';
import { WHEN_AND_WHOSE } from './event-options.js';
import { DEFAULT_TRANSITIONS } from '../shell/cut-list.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const STORY = defineReadingSubcommand({
  name: 'story',
  summary: 'Tell what happened to a task within a job: its transitions, and those that recommend them.',
  argument: { form: '<key...>', help: 'keys of tasks, or ids of stimuli' },
  own: {
    title: 'Where to look:',
    options: {
      ...WHEN_AND_WHOSE,
      limit: option('--limit <n>', limit(), {
        help: 'the most transitions to read, 0: no limit',
        default: String(DEFAULT_TRANSITIONS),
      }),
    },
  },
  examples: ['joblens story "(\'sum\', 0)" --job dask-1', 'joblens story inc-1 --after 7d --json'],
  remarks: `
A job writes its transitions as events of topic transitions (docs/events.md),
with Dask's own parts: key, start, finish, recommendations, stimulus_id.

Exit code: 0, also when there is no such key; 1 when the store cannot be read;
2 when the options are wrong.`,
  async read(reading, own, keys) {
    const { printStory } = await import('./story.js');
    return printStory(reading, own, keys);
  },
});
