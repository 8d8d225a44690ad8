import { DESTINATION, OTHER, SPOOL } from '../config/shared-options.js';
import { defineSubcommand } from '../session/subcommand.js';

export const DRAIN = defineSubcommand({
  name: 'drain',
  summary: 'Send the points that an earlier joblens left in the spool.',
  shared: [DESTINATION, SPOOL, OTHER],
  examples: ['joblens drain', 'joblens drain --url http://influxdb:8086 --spool /scratch/spool'],
  remarks: `
Points that run, pipe, watch or serve could not send wait in the spool folder.
This command sends them. So does the next joblens that writes to the same server
and bucket. It gives up when the server has taken none for the time of
--drain-timeout; the rest stays.

Exit code: 0; 1 when points are left; 2 when the options are wrong.`,
  async start(session) {
    const { drain } = await import('./drain.js');
    return drain(session);
  },
});
