import { OTHER } from '../../config/shared-options.js';
import { defineSubcommand } from '../../session/subcommand.js';

export const DASK_PLUGIN = defineSubcommand({
  name: 'dask-plugin',
  summary: 'Print the plugin with which a Dask scheduler logs what it does to joblens serve.',
  shared: [OTHER],
  examples: [
    'joblens dask-plugin > joblens_dask.py',
    'JOBLENS_URL=http://127.0.0.1:8186 dask scheduler --preload joblens_dask.py',
  ],
  remarks: `
The plugin logs transitions, events by topic, spans of tasks and the coming and
going of workers, each run of the scheduler as a job of its own (docs/dask.md).
It needs Python's standard library alone, and reads the scheduler's environment:

  JOBLENS_URL           address of joblens serve (http://127.0.0.1:8186)
  JOBLENS_SERVE_TOKEN   its token, if it asks for one
  JOBLENS_JOB           id of the job (dask-, host, time and process id)
  JOBLENS_WITHIN_JOB    id of a job that is logged already, e.g. by joblens run
  JOBLENS_USER          owner of the job (SLURM_JOB_USER, else you)
  JOBLENS_NAME          name of the job (SLURM_JOB_NAME, else dask)
  JOBLENS_DASK_SPOOL    folder for what is not sent at the scheduler's end
                        (~/.local/state/joblens/dask)

Exit code: 0; 2 when the options are wrong.`,
  async start({ host }) {
    const { default: source } = await import('./plugin-source.js');
    host.writeStdout(source);
    return 0;
  },
});
