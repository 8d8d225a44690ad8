import { option, toggle } from '../../config/option.js';
import { createSignalCompiler } from '../../rules/signals/compile-signal.js';
import { nonEmptyText, notNegative } from '../../config/value-types.js';
import { USER_OF_JOB } from '../shell/job-options.js';
import { pointInTime } from '../shell/point-in-time.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const LOG = defineReadingSubcommand({
  name: 'log',
  summary: 'Print the log of a job, from its first line or the last ones, and follow it.',
  argument: { form: '<job>', help: 'the job with this id', completes: ['job'] },
  own: {
    title: 'Which lines:',
    options: {
      ...USER_OF_JOB,
      follow: toggle('-f, --follow', { help: 'print new lines, too, until the job ends' }),
      lines: option('-n, --lines <n>', notNegative(), { help: 'only the last n lines', shownDefault: 'all' }),
      stderr: toggle('--stderr', { help: 'what it printed on stderr instead of stdout' }),
      both: toggle('--both', { help: 'stdout and stderr, in order' }),
      task: option('--task <n>', nonEmptyText, { help: 'of this task only' }),
      grep: option('--grep <regex>', nonEmptyText, {
        help: 'lines that match this regular expression (RE2; (?i) in front ignores case)',
      }),
      since: option('--since <time>', pointInTime, { help: 'lines from this time on' }),
      times: toggle('--times', { help: 'put the time in front of each line' }),
      color: toggle('--color', { help: 'keep colours in a pipe, for less -R' }),
    },
  },
  examples: [
    'joblens log 123',
    'joblens log 123 --follow -n 20',
    "joblens log 123 --both --grep '(?i)error|warning' --times",
    'joblens log 123 --color | less -R',
    'joblens log 123 --since 2h --json | jq -r .line',
  ],
  remarks: `
Prints the log as a console would show it: of a progress bar, its last state.
Lines of a job with several tasks begin with the task. On a terminal, --follow
redraws lines that change; elsewhere it prints a line once it stays the same for
two seconds. A time is 2h (ago), yesterday, 14:30 or ISO 8601.

Exit code: 0; 1 when there is no such job, or it cannot be read; 2 when the
options are wrong.`,
  findMistake({ stderr, both, grep }) {
    if (stderr && both) return 'give --stderr or --both, not both of them';
    if (grep === undefined) return undefined;
    const compiled = createSignalCompiler()(grep);
    return compiled.ok ? undefined : `--grep: ${compiled.error}`;
  },
  async read(reading, own, [job = '']) {
    const { printLog } = await import('./log.js');
    return printLog(reading, own, job);
  },
});
