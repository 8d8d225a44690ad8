import { list, option, toggle } from '../../config/option.js';
import { JOB_GROUPS, OPT_IN_HELP } from '../../config/shared-options.js';
import { duration, formatChoice, nonEmptyText, oneOf } from '../../config/value-types.js';
import { REPRODUCE_LEVELS } from '../../rules/options/reproduce.js';
import { defineSubcommand } from '../../session/subcommand.js';

export const RUN = defineSubcommand({
  name: 'run',
  summary: 'Run a command and log its output, which passes through untouched; exit as it exits.',
  argument: { form: '<command...>', help: 'the command and its arguments, after --', takesTheRest: true },
  own: {
    title: 'The output of the command, and what it uses:',
    options: {
      separate: toggle('--separate', {
        help: 'log two streams even if stdout and stderr go to one place; the order between them is given up',
      }),
      metrics: toggle('--metrics', {
        help: 'log what the job uses, too: CPU, memory, I/O and NVIDIA GPUs, as a table of its metadata',
      }),
      metricsIntervalMs: option('--metrics-interval <s>', duration('seconds', { least: 1 }), {
        help: 'how often, seconds',
        default: '10',
      }),
      reproduce: option('--reproduce <level>', oneOf(REPRODUCE_LEVELS), {
        help: `how much is kept of what the run is, to compare and repeat it: ${formatChoice(REPRODUCE_LEVELS)}`,
        shownDefault: 'the opt-in file, else off; basic with --experiment',
      }),
      input: list('--input <file>', nonEmptyText, {
        help: 'a file that the run depends on: its size and hash are kept, too; repeat it for more',
      }),
      dryRun: toggle('--dry-run', { help: 'run nothing; print what --reproduce would keep' }),
    },
  },
  shared: JOB_GROUPS,
  examples: [
    'joblens run -- python train.py --epochs 10',
    'joblens run --mode metadata --name resnet --tag lr=0.1 -- ./train',
    'joblens run --mode enabled --out points.lp -- make',
    'srun joblens run --metrics -- python train.py',
    'joblens run --reproduce full --input data.csv -- python train.py --seed 1',
    'joblens run --reproduce full --dry-run -- python train.py',
  ],
  remarks: `
${OPT_IN_HELP}

Output and signals pass through untouched. If stdout and stderr go to one file,
pipe or terminal, they are logged as one stream, stdout, in the order in which
they come. --separate logs two streams and gives up that order, in the file too.
Output of a process that the command leaves behind still passes through; it is
logged until nothing has come for a quarter of a second, for a second at most.
A token or password that the job prints is stored as ***.

--metrics reads the cgroup of a Slurm job or a Kubernetes pod; elsewhere, the
command and all processes that it starts.

--reproduce basic keeps hashes, names and versions: arguments, folder, git
commit and the hash of all files, packages, seeds, machine. full keeps texts,
too: the changes since the commit, new files among them, the list of packages,
the script. Secrets are masked by name and by shape. joblens reproduce JOB sets
it up again (docs/experiments.md).

The command is what it would be without joblens, and runs even where joblens
cannot start; one line on stderr then says why.

Messages go to stderr, one line each: what is logged, where to, and what went
wrong. Without an opt-in, one line says that nothing is logged; --quiet leaves
it out, e.g. in a prolog.

Logging never changes the exit code. Exit code: the command's own; 128+N when
signal N ended it, 127 when it was not found, 126 when it is not executable, 2
when the options are wrong.`,
  async start(session, own, [command = '', ...args]) {
    const { separate, metrics, metricsIntervalMs, reproduce, input: inputs, dryRun } = own;
    if (dryRun) {
      const { printRun } = await import('./dry-run.js');
      return printRun({ ...session, command, args, reproduce, inputs });
    }
    const { run } = await import('./run.js');
    return run({
      ...session,
      command,
      args,
      ...{ reproduce, inputs },
      isSeparate: separate,
      metricsIntervalMs: metrics ? metricsIntervalMs : undefined,
    });
  },
});
