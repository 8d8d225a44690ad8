import { toggle } from '../../config/option.js';
import { JOB_GROUPS, OPT_IN_HELP } from '../../config/shared-options.js';
import { defineSubcommand } from '../../session/subcommand.js';

export const RUN = defineSubcommand({
  name: 'run',
  summary: 'Run a command and log its output, which passes through untouched; exit as it exits.',
  argument: { form: '<command...>', help: 'the command and its arguments, after --', takesTheRest: true },
  own: {
    title: 'The output of the command:',
    options: {
      separate: toggle('--separate', {
        help: 'log two streams even if stdout and stderr go to one place; the order between them is given up',
      }),
    },
  },
  shared: JOB_GROUPS,
  examples: [
    'joblens run -- python train.py --epochs 10',
    'joblens run --mode metadata --name resnet --tag lr=0.1 -- ./train',
    'joblens run --mode enabled --out points.lp -- make',
    'srun joblens run -- python train.py',
  ],
  remarks: `
${OPT_IN_HELP}

Output and signals pass through untouched. If stdout and stderr go to one file,
pipe or terminal, they are logged as one stream, stdout, in the order in which
they come. --separate logs two streams and gives up that order, in the file too.
Output of a process that the command leaves behind still passes through; it is
logged until nothing has come for a quarter of a second, for a second at most.
A token or password that the job prints is stored as ***.

Messages go to stderr, one line each: what is logged, where to, and what went
wrong. Without an opt-in, one line says that nothing is logged; --quiet leaves
it out, e.g. in a prolog.

Logging never changes the exit code. Exit code: the command's own; 128+N when
signal N ended it, 127 when it was not found, 126 when it is not executable, 2
when the options are wrong.`,
  async start(session, { separate }, [command = '', ...args]) {
    const { run } = await import('./run.js');
    return run({ ...session, command, args, isSeparate: separate });
  },
});
