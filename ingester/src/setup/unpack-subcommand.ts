import { suggestNearest } from '@joblens/core/console/find-nearest';
import { toggle } from '../config/option.js';
import { OTHER } from '../config/shared-options.js';
import { defineSubcommand } from '../session/subcommand.js';
import { SetupError } from './parts/changes.js';

const WHAT = ['grafana', 'slurm', 'compose'] as const;
type What = (typeof WHAT)[number];

export const UNPACK = defineSubcommand({
  name: 'unpack',
  summary: 'Write the files for Grafana, Slurm or docker compose into a folder of yours.',
  argument: {
    form: '<what>',
    words: WHAT,
    help: WHAT.join(', '),
    further: { form: '<folder>', help: 'where to write them' },
  },
  own: {
    title: 'How to write:',
    options: {
      overwrite: toggle('--overwrite', { help: 'replace files that are other; by default nothing is then written' }),
      dryRun: toggle('--dry-run', { help: 'say what would be written, and write nothing' }),
    },
  },
  shared: [OTHER],
  examples: [
    'joblens unpack grafana /usr/share/joblens-grafana',
    'joblens unpack slurm /tmp/slurm --dry-run',
    'joblens unpack compose joblens && cd joblens && docker compose up --build --detach',
    'joblens unpack grafana /usr/share/joblens-grafana --overwrite   # after an upgrade',
  ],
  remarks: `
grafana  plugins/joblens-app, dashboards and provisioning
slurm    units of systemd, job_submit.lua and a page that says how to use them
compose  docker-compose.yml with InfluxDB, Grafana with the plugin, an ingester
         and a demo job, and all that its images are made of

Prints the path of each file: written, replaced, or kept where it is the same.
Files of yours beside them stay.

Exit code: 0; 1 when a file could not be written, or is other and --overwrite
was not given; 2 when the options are wrong.`,
  findMistake(_own, _settings, [what = '', folder = '', ...more]) {
    const isKnown = WHAT.some((each) => each === what);
    if (isKnown && folder !== '' && more.length === 0) return undefined;
    const meant = isKnown ? '' : suggestNearest(what, WHAT);
    return `give what to unpack (${WHAT.join(', ')}), and the folder to write to${meant}`;
  },
  async start({ host, report }, own, [what, folder = '']) {
    const { unpack } = await import('./unpack/unpack.js');
    try {
      unpack(host, what as What, folder, own);
      return 0;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      report.error(error.message);
      return 1;
    }
  },
});
