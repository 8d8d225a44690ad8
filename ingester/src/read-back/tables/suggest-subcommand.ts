import { toggle } from '../../config/option.js';
import { OTHER, STORE } from '../../config/shared-options.js';
import { mayBeThere } from '../../host/may-be-there.js';
import { defineSubcommand } from '../../session/subcommand.js';
import { USER_OF_JOB } from '../shell/job-options.js';

export const SUGGEST = defineSubcommand({
  name: 'suggest',
  summary: 'Find numbers in the output of a job that could become graphs, and say how.',
  argument: {
    form: '<file|job>',
    help: 'what a job printed, - for standard input, or the id of a job that is stored',
    completes: ['job'],
  },
  own: {
    title: 'What to print:',
    options: { ...USER_OF_JOB, json: toggle('--json', { help: 'print JSON, with all rows' }) },
  },
  shared: [STORE, OTHER],
  examples: ['joblens suggest slurm-123.out', 'joblens suggest 123', 'joblens suggest --json train.log | jq .[0].rows'],
  remarks: `
Reads the last 64 MiB of the file as a console would show them, or as much of
the stored output (stdout) of the job where there is no file of that name.
Prints the patterns with numbers that repeat most, and for the best of them the
lines of ~/.logoptin that make it metadata. Nothing but the question for the
job leaves this machine.

Exit code: 0; 1 when it cannot be read or has no such pattern; 2 when the
options are wrong.`,
  async start(session, { json, user }, [source = '-']) {
    const { settings, report } = session;
    if (source === '-' || mayBeThere(source)) {
      const { suggestFrom } = await import('../../operate/suggest.js');
      return suggestFrom(session.host, { path: source, isJson: json, onFault: (message) => report.error(message) });
    }
    if (settings.destination?.kind !== 'influxdb') {
      report.error(
        `there is no file ${source}; for a job of that id, set INFLUX_HOST to an address such as http://127.0.0.1:8086, or give --url`
      );
      return 1;
    }
    const { createReading } = await import('../shell/reading.js');
    const { suggestForJob } = await import('./suggest-job.js');
    return suggestForJob(createReading(session, settings.destination.connection), { user, isJson: json }, source);
  },
});
