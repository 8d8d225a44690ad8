import { OTHER } from '../config/shared-options.js';
import { defineSubcommand } from '../session/subcommand.js';

export const SELF_TEST = defineSubcommand({
  name: 'self-test',
  summary: 'Run and log a small job, and check what came out: whether what is installed here works.',
  shared: [OTHER],
  examples: ['joblens self-test'],
  remarks: `
Needs no settings, no server and no opt-in, and leaves nothing behind. Prints one
line per check. \`joblens doctor\` checks the settings and the server.

Exit code: 0; 1 when something fails; 2 when the options are wrong.`,
  async start(session) {
    const { selfTest } = await import('./self-test.js');
    return selfTest(session);
  },
});
