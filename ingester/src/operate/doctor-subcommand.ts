import { DESTINATION, OPT_IN, OTHER, SPOOL } from '../config/shared-options.js';
import { defineSubcommand } from '../session/subcommand.js';

export const DOCTOR = defineSubcommand({
  name: 'doctor',
  summary: 'Check opt-in, spool, connection, token, clock, Slurm and the index of InfluxDB 1.x, and say what to do.',
  shared: [OPT_IN, DESTINATION, SPOOL, OTHER],
  examples: ['joblens doctor', 'INFLUX_HOST=http://influxdb:8086 joblens doctor'],
  remarks: `
Prints one line per check: ok, warn or fail, what was found, and what to do.

Exit code: 0; 1 when something fails; 2 when the options are wrong.`,
  async start(session) {
    const { doctor } = await import('./doctor.js');
    return doctor(session);
  },
});
