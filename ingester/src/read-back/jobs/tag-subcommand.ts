import { list, option } from '../../config/option.js';
import { anyText, keyValue, nonEmptyText } from '../../config/value-types.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const TAG = defineReadingSubcommand({
  name: 'tag',
  summary: 'Tag a job, also long after it has ended.',
  argument: {
    form: '<job>',
    help: 'the job with this id',
    further: { form: '[key=value...]', help: 'its tags' },
    completes: ['job'],
  },
  printsRows: false,
  own: {
    title: 'Which job, and what else:',
    options: {
      remove: list('--remove <name>', nonEmptyText, { help: 'take this tag away; repeat it for more' }),
      user: option('--user <name>', anyText, {
        help: "owner of the job; '' if it has none",
        shownDefault: 'you',
        isOwn: true,
        completes: 'user',
      }),
    },
  },
  examples: [
    'joblens tag 123 experiment=sweep baseline=yes',
    'joblens tag 123 --remove baseline',
    'joblens compare --tag experiment=sweep',
  ],
  remarks: `
Other tags of the job stay, and so does its state. A tag of the same name is
replaced. A job that still runs and tells its tags again has the last word.
The token must be one that may write.

Exit code: 0; 1 when there is no such job of yours, or the store cannot be
written; 2 when the options are wrong.`,
  findMistake({ remove }, _settings, [, ...tags]) {
    const wrong = tags.find((tag) => !keyValue.parse(tag).ok);
    if (wrong !== undefined) return `a tag must be KEY=VALUE; got ${JSON.stringify(wrong)}`;
    return tags.length + remove.length === 0 ? 'say which tags: KEY=VALUE, or --remove NAME' : undefined;
  },
  async read(reading, own, [job = '', ...tags]) {
    const { tagJob } = await import('./tag.js');
    return tagJob(reading, own, job, tags);
  },
});
