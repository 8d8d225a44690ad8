import type { Command } from 'commander';
import { Option } from 'commander';
import { DEFAULTS } from '../config/merge-settings.js';
import { LOG_FORMATS, LOG_LEVELS } from '../host/report.js';

/** Options under one title of --help. */
export interface OptionGroup {
  readonly title: string;
  readonly options: readonly Option[];
}

/** Made anew for each group: an option belongs to one. */
const createJobDetails = () => [
  new Option(
    '--job-prefix <text>',
    'put in front of every id except that of --job, e.g. alpha/ for a cluster (JOBLENS_JOB_PREFIX)'
  ),
  new Option('--name <text>', 'its name'),
  new Option('--tag <key=value>', 'a tag; repeat it for more').argParser((tag, tags?: string[]) => [
    ...(tags ?? []),
    tag,
  ]),
  new Option('--config <file>', 'its configuration, JSON or YAML'),
];

const createThroughput = () => [
  new Option('--limit-bytes <mb>', `MB read per second (default ${DEFAULTS.limitMegabytesPerSecond}; 0: no limit)`),
  new Option('--limit-lines <n>', `lines read per second (default ${DEFAULTS.limitLinesPerSecond}; 0: no limit)`),
];

/** The options that commands share, in the groups of their --help. */
export const OPTION_GROUPS = {
  job: {
    title: 'The job:',
    options: [
      new Option('--job <id>', 'its id (default: from Slurm or Kubernetes, else host, time and process id)'),
      new Option('--user <name>', 'its owner (default: SLURM_JOB_USER, else you)'),
      ...createJobDetails(),
    ],
  },
  fileJobs: {
    title: 'The jobs:',
    options: [
      new Option('--job <id>', 'one job for all files (default: each file names its job)'),
      new Option('--user <name>', 'their owner (default: the owner of the file)'),
      ...createJobDetails(),
    ],
  },
  optIn: {
    title: 'Whether and what to log:',
    options: [
      new Option('--optin <file>', 'the opt-in file (default: ~/.logoptin)'),
      new Option('--mode <mode>', 'opt in here instead of in the file: enabled, metadata or disabled'),
    ],
  },
  destination: {
    title: 'Where to write:',
    options: [
      new Option('--url <address>', 'address of InfluxDB (INFLUX_HOST)'),
      new Option(
        '--token <token>',
        'token; prefer JOBLENS_TOKEN or INFLUX_TOKEN, since others can see options in the process list'
      ),
      new Option('--org <name>', 'organisation, for InfluxDB 2.x (INFLUX_ORG)'),
      new Option('--bucket <name>', `bucket (INFLUX_BUCKET, default ${DEFAULTS.bucket})`),
      new Option('--database <name>', 'the same for InfluxDB 1.x; INFLUX_USER and INFLUX_PASSWORD log in'),
      new Option('--api <version>', 'v1 for InfluxDB 1.x, v2 for 2.x and 3.x (default: auto)'),
      new Option('--rejected <file>', 'file for the points that InfluxDB rejects (default: in ~/.local/state/joblens)'),
    ],
  },
  out: {
    title: 'Instead of a server:',
    options: [
      new Option('--out <file>', 'write line protocol to a file, or - for standard output'),
      new Option(
        '--buffer <mib>',
        `memory for points that wait to be written there, MiB (default ${DEFAULTS.bufferMebibytes})`
      ),
    ],
  },
  spool: {
    title: 'Points that wait for the server, on disk:',
    options: [
      new Option('--spool <dir>', 'folder of the spool (JOBLENS_SPOOL, default: ~/.local/state/joblens/spool)'),
      new Option('--spool-size <mib>', `how large it may grow, MiB (default ${DEFAULTS.spoolMebibytes})`),
      new Option(
        '--drain-timeout <s>',
        `how long to wait at the end until they are sent, seconds (default ${DEFAULTS.drainTimeoutSeconds})`
      ),
    ],
  },
  limits: {
    title: 'Limits:',
    options: [
      ...createThroughput(),
      new Option('--on-full <what>', 'when there is no room for more points: drop and count them, or block the job')
        .choices(['drop', 'block'])
        .default('drop'),
    ],
  },
  fileLimits: { title: 'Limits, for each job:', options: createThroughput() },
  other: {
    title: 'Other:',
    options: [
      new Option(
        '--log-level <level>',
        `how much is said on stderr: ${LOG_LEVELS.join(', ')} (JOBLENS_LOG_LEVEL, default: info)`
      ),
      new Option('--log-format <format>', `${LOG_FORMATS.join(' or ')}, one object per line (default: text)`),
    ],
  },
} as const satisfies Record<string, OptionGroup>;

export function addOptions(command: Command, ...groups: readonly OptionGroup[]): Command {
  for (const { title, options } of groups) {
    command.optionsGroup(title);
    for (const option of options) command.addOption(option);
  }
  return command.addHelpOption(new Option('-h, --help', 'print this').helpGroup(OPTION_GROUPS.other.title));
}

/** The options of `run` and `pipe`, behind those of the command itself. */
export function addJobOptions(command: Command, ...own: readonly OptionGroup[]): Command {
  const { job, optIn, destination, out, spool, limits, other } = OPTION_GROUPS;
  const quiet = new Option('--quiet', 'say nothing when there is no opt-in; for those who wrap the jobs of others');
  return addOptions(
    command,
    ...own,
    job,
    { ...optIn, options: [...optIn.options, quiet] },
    destination,
    out,
    spool,
    limits,
    other
  );
}

/** The options of `watch`, behind those of the command itself. */
export function addWatchOptions(command: Command, own: OptionGroup): Command {
  const { fileJobs, optIn, destination, out, spool, fileLimits, other } = OPTION_GROUPS;
  return addOptions(command, own, fileJobs, optIn, destination, out, spool, fileLimits, other);
}
