import { Command, CommanderError, Option } from 'commander';
import { DEFAULTS, mergeSettings } from '../config/merge-settings.js';
import type { TypedOptions } from '../config/settings.js';
import type { Host } from '../host.js';
import { createReporter, LOG_FORMATS, LOG_LEVELS } from '../report.js';
import type { SessionOptions } from '../session.js';
import { PIPE_HELP, PROGRAM_HELP, RUN_HELP, WATCH_HELP } from './help.js';

const EXIT_OK = 0;
const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/** Runs `joblens` with these arguments (without the program's name); resolves to the exit code. */
export async function runCommandLine(args: readonly string[], host: Host): Promise<number> {
  let exitCode = EXIT_OK;
  const setExitCode = (code: number): void => void (exitCode = code);
  const program = createProgram(host, setExitCode);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    host.writeStderr(`joblens: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT_FAILURE;
  }
}

function createProgram(host: Host, setExitCode: (code: number) => void): Command {
  const start = async (options: TypedOptions, task: (session: SessionOptions) => Promise<number>): Promise<void> => {
    const session = openSettings(options, host);
    setExitCode(session === undefined ? EXIT_USAGE : await task(session));
  };
  const program = new Command('joblens')
    .description('See what cluster jobs print, and how the numbers in it develop, inside Grafana.')
    .version('0.1.0')
    .enablePositionalOptions()
    .addHelpText('after', PROGRAM_HELP);
  // Commands take over these settings, so they come first.
  program.exitOverride();
  program.configureOutput({ writeOut: host.writeStdout, writeErr: host.writeStderr });

  addSharedOptions(program.command('run'))
    .description('Run a command, pass its output through untouched, log it; exit as it exits.')
    .argument('<command...>', 'the command and its arguments, after --')
    .passThroughOptions()
    .addHelpText('after', RUN_HELP)
    .action(([command, ...args]: string[], options: TypedOptions) =>
      start(options, async (session) => {
        const { run } = await import('../sources/run/run.js');
        return run({ ...session, command: command ?? '', args });
      })
    );

  addSharedOptions(program.command('pipe'))
    .description('Log standard input.')
    .addOption(new Option('--stream <name>', 'the stream that it is').choices(['stdout', 'stderr']).default('stdout'))
    .option('--tee', 'copy standard input to standard output')
    .addHelpText('after', PIPE_HELP)
    .action((options: TypedOptions & { stream: 'stdout' | 'stderr'; tee?: true }) =>
      start(options, async (session) => {
        if (options.tee === true && options.out === '-') {
          host.writeStderr('joblens: --tee and --out - both write to standard output; give --out FILE\n');
          return EXIT_USAGE;
        }
        const { pipe } = await import('../sources/pipe/pipe.js');
        return pipe({ ...session, stream: options.stream, isTee: options.tee === true });
      })
    );

  addSharedOptions(program.command('watch'))
    .description('Follow job output files, also ones that appear later, until SIGTERM or Ctrl+C.')
    .argument('<path...>', 'files, folders, or patterns with * ? [ ] in quotes')
    .addHelpText('after', WATCH_HELP)
    .action((paths: string[], options: TypedOptions) =>
      start(options, async (session) => {
        const [{ watch }, { createOwnerFinder }] = await Promise.all([
          import('../sources/watch/watch.js'),
          import('../sources/watch/owner.js'),
        ]);
        const { job: typedJob, user: typedUser } = options;
        return watch({ ...session, paths, findOwner: createOwnerFinder(), typedJob, typedUser });
      })
    );
  return program;
}

/** The settings that the options make with the environment; undefined, and one line said, when they are not valid. */
function openSettings(options: TypedOptions, host: Host): SessionOptions | undefined {
  const settings = mergeSettings(options, host.environment, host.machine);
  if (settings.ok) {
    const report = createReporter({
      level: settings.value.logLevel,
      format: settings.value.logFormat,
      nowMs: () => host.clock.nowMs(),
      writeText: host.writeStderr,
    });
    return { settings: settings.value, host, report };
  }
  host.writeStderr(`joblens: ${settings.error}\n`);
  return undefined;
}

function addSharedOptions(command: Command): Command {
  return command
    .optionsGroup('The job:')
    .option('--job <id>', 'its id (default: from Slurm or Kubernetes, else host, time and process id)')
    .option('--user <name>', 'its owner (default: SLURM_JOB_USER, else you)')
    .option('--name <text>', 'its name')
    .option('--tag <key=value>', 'a tag; may be given several times', (tag, tags?: string[]) => [...(tags ?? []), tag])
    .option('--config <file>', 'its configuration, JSON or YAML')
    .optionsGroup('Whether and what to log:')
    .option('--optin <file>', 'the opt-in file (default: ~/.logoptin)')
    .option('--mode <mode>', 'opt in here, in place of the file: enabled, metadata or disabled')
    .optionsGroup('Where to:')
    .option('--out <file>', 'line protocol to a file, or - for standard output')
    .option('--url <address>', 'address of InfluxDB (INFLUX_HOST)')
    .option('--token <token>', 'token; others can see options in the process list, so better INFLUX_TOKEN')
    .option('--org <name>', 'organisation, for InfluxDB 2.x (INFLUX_ORG)')
    .option('--bucket <name>', `bucket (INFLUX_BUCKET, default ${DEFAULTS.bucket})`)
    .option(
      '--database <name>',
      'the same by its name in InfluxDB 1.x; user and password: INFLUX_USER, INFLUX_PASSWORD'
    )
    .option('--api <version>', 'v1 for InfluxDB 1.x, v2 for 2.x and 3.x (default: auto)')
    .optionsGroup('Limits:')
    .option('--limit-bytes <mb>', `MB read in a second (default ${DEFAULTS.limitMegabytesPerSecond})`)
    .option('--limit-lines <n>', `lines read in a second (default ${DEFAULTS.limitLinesPerSecond})`)
    .option('--spool <dir>', 'where points wait on disk (default: ~/.local/state/joblens/spool)')
    .option('--spool-size <mib>', `how many may wait there, MiB (default ${DEFAULTS.spoolMebibytes})`)
    .addOption(
      new Option('--on-full <what>', 'when there is no room: drop and count points, or block the job')
        .choices(['drop', 'block'])
        .default('drop')
    )
    .option('--buffer <mib>', `memory for points that wait for --out, MiB (default ${DEFAULTS.bufferMebibytes})`)
    .option(
      '--drain-timeout <s>',
      `how long to wait for unsent points at the end (default ${DEFAULTS.drainTimeoutSeconds})`
    )
    .option('--rejected <file>', 'where points that InfluxDB rejects are kept (default: in ~/.local/state/joblens)')
    .optionsGroup('Other:')
    .option('--log-level <level>', `${LOG_LEVELS.join(', ')} (default: warn)`)
    .option('--log-format <format>', `${LOG_FORMATS.join(' or ')} (default: text)`);
}
