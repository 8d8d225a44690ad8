import { OTHER } from '../config/shared-options.js';
import { toggle } from '../config/option.js';
import { defineSubcommand } from '../session/subcommand.js';

export const SUGGEST = defineSubcommand({
  name: 'suggest',
  summary: 'Find numbers in the output of a job that could become graphs, and say how.',
  argument: { form: '<file>', help: 'what a job printed, or - for standard input' },
  own: { title: 'What to print:', options: { json: toggle('--json', { help: 'print JSON, with all rows' }) } },
  shared: [OTHER],
  examples: ['joblens suggest slurm-123.out', 'joblens suggest --json train.log | jq .[0].rows'],
  remarks: `
Reads the last 64 MiB of the file as a console would show them. Prints the
patterns with numbers that repeat most, and for the best of them the lines of
~/.logoptin that make it metadata. Nothing leaves this machine.

Exit code: 0; 1 when the file cannot be read or has no such pattern; 2 when the
options are wrong.`,
  async start(session, { json }, [path = '-']) {
    const { suggestFrom } = await import('./suggest.js');
    return suggestFrom(session.host, { path, isJson: json, onFault: (message) => session.report.error(message) });
  },
});
