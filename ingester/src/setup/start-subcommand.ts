import { negation, option } from '../config/option.js';
import { OTHER } from '../config/shared-options.js';
import { nonEmptyText, portNumber } from '../config/value-types.js';
import { defineSubcommand } from '../session/subcommand.js';
import { SetupError } from './parts/changes.js';

export const START = defineSubcommand({
  name: 'start',
  summary: 'Serve a store and the page on this machine alone, with demo jobs. No InfluxDB, no Grafana.',
  own: {
    title: 'What to start:',
    options: {
      state: option('--state <dir>', nonEmptyText, {
        help: 'folder that keeps the store and the token',
        shownDefault: '~/.local/state/joblens',
      }),
      port: option('--port <n>', portNumber, {
        help: 'port on 127.0.0.1',
        shownDefault: '3400, or the next free one',
      }),
      demo: negation('--no-demo', { help: 'no demo jobs, and no history of a demo cluster' }),
    },
  },
  shared: [OTHER],
  examples: ['joblens start', 'joblens start --no-demo --port 8080', 'joblens start --state /scratch/ann/joblens'],
  remarks: `
Prints the address of the page, and the lines that log a job of yours into it.
The address holds a token that opens all of it: keep it to yourself. Ctrl+C
ends it; what was logged stays in the state folder.

Exit code: 0 after Ctrl+C; 1 when it cannot start; 2 when the options are
wrong.`,
  async start({ host, report }, own) {
    const { startPage } = await import('./page/start-page.js');
    try {
      return await startPage(host, own);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      report.error(error.message);
      return 1;
    }
  },
});
