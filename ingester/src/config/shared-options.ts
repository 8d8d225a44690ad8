import { LOG_FORMATS, LOG_LEVELS } from '../host/report.js';
import { MODES } from '../rules/options/log-modes.js';
import { list, option, type OptionGroup, type Options, toggle, type Values } from './option.js';
import {
  anyText,
  duration,
  formatChoice,
  keyValue,
  limit,
  nonEmptyText,
  oneOf,
  positive,
  serverUrl,
  token,
} from './value-types.js';

/** The options that several subcommands share, in the groups of their `--help`. */

const MIB = 2 ** 20;

function group<O extends Options>(title: string, options: O): OptionGroup<O> {
  return { title, options };
}

const JOB = group('The job:', {
  job: option('--job <id>', nonEmptyText, {
    completes: 'job',
    help: 'its id',
    shownDefault: 'from Slurm or Kubernetes, else host, time and process id',
  }),
  user: option('--user <name>', nonEmptyText, {
    completes: 'user',
    help: 'its owner',
    shownDefault: 'SLURM_JOB_USER, else you',
  }),
  jobPrefix: option('--job-prefix <text>', anyText, {
    help: 'put in front of every id except that of --job, e.g. alpha/, or {cluster}/ for the name of the Slurm cluster',
    variables: ['JOBLENS_JOB_PREFIX'],
    default: '',
  }),
  name: option('--name <text>', anyText, { help: 'its name' }),
  tag: list('--tag <key=value>', keyValue, { help: 'a tag; repeat it for more' }),
  experiment: option('--experiment <name>', nonEmptyText, { help: 'the experiment that it is a run of: a tag' }),
  group: option('--group <name>', nonEmptyText, { help: 'what it has in common with other runs of it: a tag' }),
  note: option('--note <text>', nonEmptyText, { help: 'what you want to remember of it' }),
  config: option('--config <file>', anyText, { help: 'its configuration, JSON or YAML' }),
});

/** The same for `watch`, where each file names its job. */
export const FILE_JOBS = group('The jobs:', {
  ...JOB.options,
  job: { ...JOB.options.job, help: 'one job for all files', shownDefault: 'each file names its job' },
  user: { ...JOB.options.user, help: 'their owner', shownDefault: 'the owner of the file' },
});

/** The same for `import`, where the file names the job. */
export const IMPORTED_JOB = group('The job:', {
  ...JOB.options,
  job: { ...JOB.options.job, shownDefault: 'the name of the file' },
  jobPrefix: { ...JOB.options.jobPrefix, help: 'put in front of the id, except that of --job' },
});

export const OPT_IN = group('Whether and what to log:', {
  optin: option('--optin <file>', anyText, { help: 'the opt-in file', shownDefault: '~/.logoptin' }),
  mode: option('--mode <mode>', oneOf(MODES), { help: `opt in here instead of in the file: ${formatChoice(MODES)}` }),
});

/** For the end of the `--help` of subcommands that log. */
export const OPT_IN_HELP = `Nothing is logged unless the owner of the job opts in, either with a file
~/.logoptin or with --mode. The file may be empty, or YAML with
mode: ${MODES.join(' | ')}, nonfinite: log | metadata, and
metadata: a list of kinds of lines (docs/metadata-kinds.md).`;

/** The same where somebody else may have wrapped the job. */
const OPT_IN_OR_QUIET = group(OPT_IN.title, {
  ...OPT_IN.options,
  quiet: toggle('--quiet', {
    help: 'say nothing when there is no opt-in; for those who wrap the jobs of others',
  }),
  watcher: option('--watcher <whether>', oneOf(['yes', 'no']), {
    help: 'yes: a watch --slurm logs here, and has what goes into a pipe; no: that is logged in any case (docs/slurm.md)',
    variables: ['JOBLENS_WATCHER'],
  }),
});

export const DESTINATION = group('Where to write:', {
  url: option('--url <address>', serverUrl, { help: 'address of InfluxDB', variables: ['INFLUX_HOST'] }),
  token: option('--token <token>', token(), {
    help: 'token; prefer the variable, since others can see options in the process list',
    variables: ['JOBLENS_TOKEN', 'INFLUX_TOKEN'],
    isSecret: true,
  }),
  org: option('--org <name>', anyText, { help: 'organisation, for InfluxDB 2.x', variables: ['INFLUX_ORG'] }),
  bucket: option('--bucket <name>', anyText, { help: 'bucket', variables: ['INFLUX_BUCKET'], default: 'joblens' }),
  database: option('--database <name>', anyText, {
    help: 'the same for InfluxDB 1.x; INFLUX_USER and INFLUX_PASSWORD log in',
  }),
  influxUser: option(undefined, anyText, { help: 'user of InfluxDB 1.x', variables: ['INFLUX_USER'] }),
  influxPassword: option(undefined, anyText, {
    help: 'password of that user',
    variables: ['JOBLENS_PASSWORD', 'INFLUX_PASSWORD'],
    isSecret: true,
  }),
  api: option('--api <version>', oneOf(['auto', 'v1', 'v2']), {
    help: 'v1 for InfluxDB 1.x, v2 for 2.x and 3.x',
    default: 'auto',
  }),
  rewrites: option('--rewrites <whether>', oneOf(['auto', 'yes', 'no']), {
    help: 'whether a point that is written again replaces the one before; auto asks the store (docs/promises.md)',
    variables: ['JOBLENS_REWRITES'],
    default: 'auto',
  }),
  unnamedStore: option('--unnamed-store <what>', oneOf(['ask', 'trust']), {
    help: 'whether an answer 204 without the name of a store counts as stored: ask it, or trust it (docs/promises.md)',
    variables: ['JOBLENS_UNNAMED_STORE'],
    default: 'ask',
  }),
  page: option(undefined, serverUrl, {
    help: 'address of Grafana, for the link to a job that run and pipe print',
    variables: ['JOBLENS_PAGE'],
  }),
  rejected: option('--rejected <file>', anyText, {
    help: 'file for the points that InfluxDB rejects',
    shownDefault: 'in ~/.local/state/joblens',
  }),
});

const {
  api: _api,
  page: _page,
  rejected: _rejected,
  rewrites: _rewrites,
  unnamedStore: _unnamedStore,
  ...CONNECTION
} = DESTINATION.options;

/** The same for subcommands that only read. */
export const STORE = group('Where to read:', CONNECTION);

/** The same for subcommands that set a server up. */
export const SERVER = group('The server:', CONNECTION);

/** How subcommands that read rows print them (read-back/reading-subcommand.ts). */
/** Options of CSV. */
export const RAW = {
  raw: toggle('--raw', { help: 'CSV with texts as stored: a spreadsheet may run them, a terminal obey them' }),
};

export const PRINTING = group('How to print:', {
  json: toggle('--json', { help: 'JSON lines: one object on each line' }),
  csv: toggle('--csv', { help: 'CSV, with the names of the columns first' }),
  ...RAW,
});

export const OUT = group('Instead of a server:', {
  out: option('--out <file>', anyText, { help: 'write line protocol to a file, or - for standard output' }),
  bufferBytes: option('--buffer <mib>', positive(MIB), {
    help: 'memory for points that wait to be written there, MiB',
    default: '32',
  }),
});

export const SPOOL = group('Points that wait for the server, on disk:', {
  spool: option('--spool <dir>', anyText, {
    help: 'folder of the spool',
    variables: ['JOBLENS_SPOOL'],
    shownDefault: '~/.local/state/joblens/spool',
  }),
  spoolSize: option('--spool-size <mib>', positive(MIB), { help: 'how large it may grow, MiB', default: '1024' }),
  drainTimeoutMs: option('--drain-timeout <s>', duration('seconds', { least: 0 }), {
    help: 'how long to wait at the end until they are sent, seconds; for a server that is away, half a second',
    default: '10',
  }),
});

const THROUGHPUT = {
  limitBytes: option('--limit-bytes <mb>', limit(1e6), { help: 'MB read per second, 0: no limit', default: '20' }),
  limitLines: option('--limit-lines <n>', limit(), {
    help: 'lines read per second, 0: no limit',
    default: '100000',
  }),
  maxTables: option('--max-tables <n>', limit(), {
    help: 'sets of keys whose rows are tables of their own, 0: no limit; further rows are stored as text',
    default: '1000',
  }),
};

const LIMITS = group('Limits:', {
  ...THROUGHPUT,
  onFull: option('--on-full <what>', oneOf(['drop', 'block']), {
    help: 'when there is no room for more points: drop and count them, or block the job',
    default: 'drop',
  }),
});

export const FILE_LIMITS = group('Limits, for each job:', THROUGHPUT);

export const TABLE_LIMITS = group('Limits:', { maxTables: THROUGHPUT.maxTables });

export const OTHER = group('Other:', {
  siteFile: option(undefined, anyText, {
    help: "the site's settings, or off; by default /etc/joblens/joblens.yaml (docs/install.md)",
    variables: ['JOBLENS_SITE_FILE'],
  }),
  logLevel: option('--log-level <level>', oneOf(LOG_LEVELS), {
    help: `how much is said on stderr: ${formatChoice(LOG_LEVELS)}`,
    variables: ['JOBLENS_LOG_LEVEL'],
    default: 'info',
  }),
  logFormat: option('--log-format <format>', oneOf(LOG_FORMATS), {
    help: `${formatChoice(LOG_FORMATS)}, one object per line`,
    default: 'text',
  }),
});

/** All of them. A subcommand may leave some out; these have their defaults. */
export const SHARED_OPTIONS = {
  ...JOB.options,
  ...OPT_IN_OR_QUIET.options,
  ...DESTINATION.options,
  ...PRINTING.options,
  ...OUT.options,
  ...SPOOL.options,
  ...LIMITS.options,
  ...OTHER.options,
};

/** The values of all shared options, as they were given or by default. */
export type SharedValues = Values<typeof SHARED_OPTIONS>;

/** The groups of `run` and `pipe`. */
export const JOB_GROUPS = [JOB, OPT_IN_OR_QUIET, DESTINATION, OUT, SPOOL, LIMITS, OTHER];

/** Variables for joblens alone: they are hidden from the command that `run` starts. */
export const OWN_SECRET_VARIABLES: readonly string[] = [DESTINATION.options.token, DESTINATION.options.influxPassword]
  .flatMap(({ variables = [] }) => variables)
  .filter((variable) => variable.startsWith('JOBLENS_'));
