import { toggle } from '../config/option.js';
import { DESTINATION, OPT_IN, OTHER, SPOOL } from '../config/shared-options.js';
import { defineSubcommand } from '../session/subcommand.js';

export const DOCTOR = defineSubcommand({
  name: 'doctor',
  summary: 'Check opt-in, spool, connection, token, clock, Slurm and the index of InfluxDB 1.x, and say what to do.',
  own: {
    title: 'What to check:',
    options: {
      site: toggle('--site', { help: 'how the site is set up, too: its file, Slurm, the watch, what would log twice' }),
      json: toggle('--json', { help: 'JSON lines: one object for each check' }),
    },
  },
  shared: [OPT_IN, DESTINATION, SPOOL, OTHER],
  examples: ['joblens doctor', 'joblens doctor --site --json', 'INFLUX_HOST=http://influxdb:8086 joblens doctor'],
  remarks: `
Prints one line per check: ok, warn or fail, what was found, and what to do.

--site also checks, from any node: the site's file and who may read its token,
whether a plain user finds joblens, what of joblens is in effect in Slurm, the
unit and the newest heartbeats of the watch, and whether two ways would log one
job twice. Run it as root where the token is closed to others.

Exit code: 0; 1 when something fails; 2 when the options are wrong.`,
  async start(session, { site, json }) {
    const { doctor } = await import('./doctor.js');
    return doctor(session, { isOfSite: site, isJson: json });
  },
});
