import type { Command } from 'commander';
import { Option } from 'commander';
import { DEFAULTS, mergeSettings } from '../config/merge-settings.js';
import type { TypedOptions } from '../config/settings.js';
import type { Host } from '../host/host.js';
import { createReporter } from '../host/report.js';
import type { Output } from '../delivery/output.js';
import type { SessionOptions } from '../session/session.js';
import type { FileDiscovery } from '../sources/watch/file-discovery.js';
import { EXIT_USAGE } from './exit-codes.js';
import { DOCTOR_HELP, DRAIN_HELP, PIPE_HELP, RUN_HELP, SERVE_HELP, WATCH_HELP } from './help.js';
import type { OptionGroup } from './shared-options.js';
import { addJobOptions, addOptions, addWatchOptions, OPTION_GROUPS } from './shared-options.js';

const RUN_OPTIONS: OptionGroup = {
  title: 'The output of the command:',
  options: [
    new Option(
      '--separate',
      'log two streams even if stdout and stderr go to one place; the order between them is given up'
    ),
  ],
};

const PIPE_OPTIONS: OptionGroup = {
  title: 'Standard input:',
  options: [
    new Option('--stream <name>', 'which stream it is').choices(['stdout', 'stderr']).default('stdout'),
    new Option('--tee', 'copy it to standard output'),
  ],
};

const WATCH_OPTIONS: OptionGroup = {
  title: 'What to follow:',
  options: [
    new Option('--slurm', 'all jobs that Slurm runs, of users who have opted in'),
    new Option('--slurm-interval <s>', `how often to ask Slurm, seconds (default ${DEFAULTS.slurmIntervalSeconds})`),
    new Option(
      '--quiet-timeout <s>',
      `when to take the last line of an unchanged file as complete, seconds (default ${DEFAULTS.quietTimeoutSeconds})`
    ),
    new Option(
      '--health <address>',
      `address of /health and /metrics: HOST:PORT, PORT or off (JOBLENS_HEALTH, default: ${DEFAULTS.watchHealth})`
    ),
  ],
};

const SERVE_OPTIONS: OptionGroup = {
  title: 'Where points come in; each is HOST:PORT, PORT (this machine only) or off:',
  options: [
    new Option('--http <address>', `POST /write and /api/v2/write (default: ${DEFAULTS.serveHttp})`),
    new Option('--udp <address>', `datagrams of one or more lines (default: ${DEFAULTS.serveUdp})`),
    new Option('--tcp <address>', `lines (default: ${DEFAULTS.serveTcp})`),
    new Option('--health <address>', `GET /health and /metrics (JOBLENS_HEALTH, default: ${DEFAULTS.serveHealth})`),
    new Option(
      '--allow-host <name>',
      'a host name that HTTP clients use for it, e.g. that of a proxy; repeat it for more'
    ).argParser((name, names?: string[]) => [...(names ?? []), name]),
    new Option('--keep-types', 'keep integers and booleans (default: numbers become floats, everything else text)'),
  ],
};

/** Adds a command to the program. What it runs is loaded only then: the command must start fast. */
type AddCommand = (program: Command, host: Host, setExitCode: (code: number) => void) => void;

export const addRunCommand: AddCommand = (program, host, setExitCode) => {
  addJobOptions(program.command('run'), RUN_OPTIONS)
    .description('Run a command and log its output, which passes through untouched; exit as it exits.')
    .argument('<command...>', 'the command and its arguments, after --')
    .passThroughOptions()
    .addHelpText('after', RUN_HELP)
    .action(async ([command, ...args]: string[], options: TypedOptions & { separate?: true }) => {
      const start = async (session: SessionOptions): Promise<number> => {
        const { run } = await import('../sources/run/run.js');
        const isSeparate = options.separate === true;
        return run({ ...session, isQuiet: options.quiet === true, command: command ?? '', args, isSeparate });
      };
      setExitCode(await withSettings(options, host, start));
    });
};

export const addPipeCommand: AddCommand = (program, host, setExitCode) => {
  addJobOptions(program.command('pipe'), PIPE_OPTIONS)
    .description('Log standard input.')
    .addHelpText('after', PIPE_HELP)
    .action(async (options: TypedOptions & { stream: 'stdout' | 'stderr'; tee?: true }) => {
      const start = async (session: SessionOptions): Promise<number> => {
        if (options.tee === true && options.out === '-') {
          host.writeStderr('joblens: --tee and --out - both write to standard output; give --out FILE\n');
          return EXIT_USAGE;
        }
        const { pipe } = await import('../sources/pipe/pipe.js');
        const isQuiet = options.quiet === true;
        return pipe({ ...session, isQuiet, stream: options.stream, isTee: options.tee === true });
      };
      setExitCode(await withSettings(options, host, start));
    });
};

export const addWatchCommand: AddCommand = (program, host, setExitCode) => {
  addWatchOptions(program.command('watch'), WATCH_OPTIONS)
    .description('Follow job output files, and new ones as they appear, until SIGTERM or Ctrl+C.')
    .argument('[path...]', 'files, folders, or patterns with * ? [ ] in quotes')
    .addHelpText('after', WATCH_HELP)
    .action(async (paths: string[], options: TypedOptions) => {
      const start = async (session: SessionOptions): Promise<number> => {
        if (paths.length === 0 && !session.settings.watch.isSlurm) {
          host.writeStderr('joblens: nothing to follow: give files, folders or patterns, or --slurm\n');
          return EXIT_USAGE;
        }
        const [{ watch }, { createOwnerFinder }, { discoverSlurmJobs }] = await Promise.all([
          import('../sources/watch/watch.js'),
          import('../sources/watch/owner.js'),
          import('../sources/slurm/discover-jobs.js'),
        ]);
        const { job: typedJob, user: typedUser } = options;
        const createDiscovery = session.settings.watch.isSlurm
          ? (output: Output): FileDiscovery => discoverSlurmJobs(session, output)
          : undefined;
        return watch({ ...session, paths, createDiscovery, findOwner: createOwnerFinder(), typedJob, typedUser });
      };
      setExitCode(await withSettings(options, host, start));
    });
};

export const addServeCommand: AddCommand = (program, host, setExitCode) => {
  const { destination, out, spool, other } = OPTION_GROUPS;
  addOptions(program.command('serve'), SERVE_OPTIONS, destination, out, spool, other)
    .description(
      'Receive line protocol on HTTP, UDP and TCP, keep it on disk, and send it on, until SIGTERM or Ctrl+C.'
    )
    .addHelpText('after', SERVE_HELP)
    .action(async (options: TypedOptions) => {
      const start = async (session: SessionOptions): Promise<number> => {
        const { http, udp, tcp, token } = session.settings.serve;
        if (http === undefined && udp === undefined && tcp === undefined) {
          host.writeStderr('joblens: nothing to receive: leave one of --http, --udp and --tcp on\n');
          return EXIT_USAGE;
        }
        if (token === '') {
          host.writeStderr('joblens: JOBLENS_SERVE_TOKEN is empty: set it to a token, or unset it to ask for none\n');
          return EXIT_USAGE;
        }
        const { serve } = await import('../sources/serve/serve.js');
        return serve(session);
      };
      setExitCode(await withSettings(options, host, start));
    });
};

export const addDrainCommand: AddCommand = (program, host, setExitCode) => {
  const { destination, spool, other } = OPTION_GROUPS;
  addOptions(program.command('drain'), destination, spool, other)
    .description('Send the points that an earlier joblens left in the spool.')
    .addHelpText('after', DRAIN_HELP)
    .action(async (options: TypedOptions) => {
      const start = async (session: SessionOptions): Promise<number> => {
        const { drain } = await import('../operate/drain.js');
        return drain(session);
      };
      setExitCode(await withSettings(options, host, start));
    });
};

export const addDoctorCommand: AddCommand = (program, host, setExitCode) => {
  const { optIn, destination, spool, other } = OPTION_GROUPS;
  addOptions(program.command('doctor'), optIn, destination, spool, other)
    .description(
      'Check opt-in, spool, connection, token, clock, Slurm and the index of InfluxDB 1.x, and say what to do.'
    )
    .addHelpText('after', DOCTOR_HELP)
    .action(async (options: TypedOptions) => {
      const start = async (session: SessionOptions): Promise<number> => {
        const { doctor } = await import('../operate/doctor.js');
        return doctor(session);
      };
      setExitCode(await withSettings(options, host, start));
    });
};

/** Starts with the settings that the options make with the environment; says in one line when they are not valid. */
async function withSettings(
  options: TypedOptions,
  host: Host,
  start: (session: SessionOptions) => Promise<number>
): Promise<number> {
  const settings = mergeSettings(options, host.environment, host.machine);
  if (!settings.ok) {
    host.writeStderr(`joblens: ${settings.error}\n`);
    return EXIT_USAGE;
  }
  const { logLevel: level, logFormat: format } = settings.value;
  const { clock, writeStderr: writeText } = host;
  const report = createReporter({ level, format, clock, writeText });
  const exitCode = await start({ settings: settings.value, host, report });
  report.flush();
  return exitCode;
}
