import { FACT_KINDS, RESULT_STATS } from '@joblens/core/ask/comparison/compare-jobs';
import { list, option, toggle } from '../../config/option.js';
import { nonEmptyText, oneOf } from '../../config/value-types.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';
import { findFormMistake, MARKDOWN } from './markdown-option.js';

export const DIFF = defineReadingSubcommand({
  name: 'diff',
  summary: 'Show what differs between jobs: code, seeds, packages, configuration, data, machine, outcome, numbers.',
  argument: {
    form: '<job>',
    help: 'a job, whenever it ran',
    further: { form: '<other...>', help: 'the jobs to compare it with' },
    completes: ['job', 'job'],
  },
  own: {
    title: 'What to show:',
    options: {
      all: toggle('--all', { help: 'what is equal, too' }),
      only: list('--only <kind>', oneOf(FACT_KINDS), {
        help: 'this kind of fact; repeat it for more',
      }),
      stat: option('--stat <what>', oneOf(RESULT_STATS), { help: 'which of the numbers of a key', default: 'last' }),
      user: list('--user <name>', nonEmptyText, { help: 'jobs of this user; repeat it for more', completes: 'user' }),
      markdown: MARKDOWN,
    },
  },
  examples: [
    'joblens diff 123 124',
    'joblens diff 123 124 125 --only config --only result',
    'joblens diff 123 124 --json | jq -r .what',
  ],
  remarks: `
One row a fact, one column a job. What more often explains another result comes
first: code, seeds, packages, configuration with tags and command, input data,
the machine, how the job ended, its numbers. Numbers are the last ones of each key; --stat min or max shows others.

Where several users have a job of one id, "ID of user NAME" names one of them.

Exit code: 0 when nothing differs, 1 when something does; 2 when a job is not
stored, or the store cannot be read; 2 when the options are wrong.`,
  // Agents ask without arguments, whose number the shell's reader would count.
  findMistake: (own, { options }, jobs) =>
    findFormMistake(own, options) ?? (jobs.length < 2 ? 'name two jobs, or more' : undefined),
  async read(reading, own, jobs) {
    const { printDiff } = await import('./diff.js');
    return printDiff(reading, own, jobs);
  },
});
