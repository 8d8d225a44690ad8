import { option, toggle } from '../../config/option.js';
import { JOB_GROUPS, OPT_IN_HELP } from '../../config/shared-options.js';
import { oneOf } from '../../config/value-types.js';
import { defineSubcommand } from '../../session/subcommand.js';

export const PIPE = defineSubcommand({
  name: 'pipe',
  summary: 'Log standard input.',
  own: {
    title: 'Standard input:',
    options: {
      stream: option('--stream <name>', oneOf(['stdout', 'stderr']), {
        help: 'which stream it is, stdout or stderr',
        default: 'stdout',
      }),
      tee: toggle('--tee', { help: 'copy it to standard output' }),
    },
  },
  shared: JOB_GROUPS,
  examples: [
    'some-program 2>&1 | joblens pipe',
    'some-program | joblens pipe --tee | less',
    'some-program 2> >(joblens pipe --job 7 --stream stderr) | joblens pipe --job 7',
    'joblens pipe --job 1 --mode enabled --out - < output.log',
  ],
  remarks: `
${OPT_IN_HELP}

Nothing goes to standard output unless you give --tee. Standard input is always
read to its end, so that the program that writes it is not harmed. Without an
opt-in, one line says that nothing is logged; --quiet leaves it out. Where
joblens cannot start, the input passes on to standard output.

Exit code: 0; 1 when something that should have been logged was not; 2 when the
options are wrong.`,
  findMistake({ tee }, { destination }) {
    if (!tee || destination?.kind !== 'stdout') return undefined;
    return '--tee and --out - both write to standard output; give --out FILE';
  },
  async start(session, { stream, tee }) {
    const { pipe } = await import('./pipe.js');
    return pipe({ ...session, stream, isTee: tee });
  },
});
