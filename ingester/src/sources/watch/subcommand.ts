import { option, toggle } from '../../config/option.js';
import {
  DESTINATION,
  FILE_JOBS,
  FILE_LIMITS,
  OPT_IN,
  OPT_IN_HELP,
  OTHER,
  OUT,
  SPOOL,
} from '../../config/shared-options.js';
import { absolutePathOrOff, duration, listenAddress } from '../../config/value-types.js';
import type { Delivery } from '../../delivery/delivery.js';
import { defineSubcommand } from '../../session/subcommand.js';
import type { FileDiscovery } from '../file-discovery.js';
import type { SourceFaults } from '../guard/source-faults.js';
import { DEFAULT_HOOK_FILE } from '../../config/hook-file.js';

export const WATCH = defineSubcommand({
  name: 'watch',
  summary: 'Follow job output files, and new ones as they appear, until SIGTERM or Ctrl+C.',
  argument: { form: '[path...]', help: 'files, folders, or patterns with * ? [ ] in quotes' },
  own: {
    title: 'What to follow:',
    options: {
      slurm: toggle('--slurm', { help: 'all jobs that Slurm runs, of users who have opted in' }),
      slurmIntervalMs: option('--slurm-interval <s>', duration('seconds', { above: 0 }), {
        help: 'how often to ask Slurm, seconds',
        default: '2',
      }),
      hookFile: option('--hook-file <file>', absolutePathOrOff, {
        help: "where slurmctld's hooks tell of jobs that start and end: with them Slurm is asked less often; off: ask only",
        variables: ['JOBLENS_HOOK_FILE'],
        default: DEFAULT_HOOK_FILE,
      }),
      metrics: toggle('--metrics', {
        help: 'with --slurm on a node: log the CPU, memory, I/O and GPUs that each job uses there, too',
      }),
      metricsIntervalMs: option('--metrics-interval <s>', duration('seconds', { least: 1 }), {
        help: 'how often, seconds',
        default: '10',
      }),
      quietTimeoutMs: option('--quiet-timeout <s>', duration('seconds', { above: 0 }), {
        help: 'when to take the last line of an unchanged file as complete, seconds',
        default: '600',
      }),
      merged: toggle('--merged', {
        help: 'stdout and stderr of each job share its file, as with 2>&1',
      }),
      beside: toggle('--beside', {
        help: 'log jobs that another joblens logs, too; by default they are left to it',
      }),
      health: option('--health <address>', listenAddress, {
        help: 'address of /health and /metrics: HOST:PORT, PORT or off',
        variables: ['JOBLENS_HEALTH'],
        default: '127.0.0.1:8093',
      }),
    },
  },
  shared: [FILE_JOBS, OPT_IN, DESTINATION, OUT, SPOOL, FILE_LIMITS, OTHER],
  examples: [
    'joblens watch slurm-123.out',
    "joblens watch /scratch/logs '/home/*/jobs/slurm-*.out'",
    'joblens watch --slurm',
    'joblens watch --slurm --metrics',
  ],
  remarks: `
${OPT_IN_HELP}
Each job needs the opt-in of its own owner. It is decided once for each job,
when it is first seen; --mode or --optin at a later start decide anew.

The job is named by the file: slurm-123.out is job 123, slurm-123_4.out is job
123_4, and any other file is a job with the file's name. A file that ends in
.err is the job's stderr. The user is the owner of the file. With --merged, JSON
that a program prints where a bar of its stderr stands is metadata, too, as with
joblens run; --slurm knows by itself which jobs have one file for both.

Files are read from their start. After a restart, reading continues where it
stopped: the position is kept with the points in the spool. One watch at a time
can use a spool folder.

A file whose job joblens run logs, or that another watch follows, is left to it
while its heartbeats come (docs/promises.md).

GET /health answers 200, or 503 with the reasons. GET /metrics is for Prometheus.

Exit code: 0; 1 when something that should have been logged was not; 2 when the
options are wrong.`,
  findMistake({ slurm, metrics }, _settings, paths) {
    if (metrics && !slurm) return '--metrics needs --slurm: a file does not tell which processes write it';
    if (paths.length > 0 || slurm) return undefined;
    return 'nothing to follow: give files, folders or patterns, or --slurm';
  },
  async start(
    session,
    { slurm, slurmIntervalMs: intervalMs, quietTimeoutMs, merged: isMerged, beside: isBeside, health, ...own },
    paths
  ) {
    const metricsIntervalMs = own.metrics ? own.metricsIntervalMs : undefined;
    const [{ watch }, { createOwnerFinder, nameByNumber }, { discoverSlurmJobs, findIdPrefix }] = await Promise.all([
      import('./watch.js'),
      import('./jobs/owner.js'),
      import('../slurm/discover-jobs.js'),
    ]);
    const { host, report } = session;
    const findOwner = createOwnerFinder({
      ...{ environment: host.environment, monotonicMs: () => host.clock.monotonicMs() },
      warn: (message) => report.warn(message),
    });
    const idPrefix = slurm ? await findIdPrefix(session) : '';
    const settings = {
      intervalMs,
      metricsIntervalMs,
      findUser: nameByNumber(findOwner),
      hookFile: own.hookFile,
      idPrefix,
    };
    const createDiscovery = slurm
      ? (delivery: Delivery, faults: SourceFaults): FileDiscovery =>
          discoverSlurmJobs(session, { delivery, faults }, settings)
      : undefined;
    return watch({ ...session, paths, isMerged, createDiscovery, findOwner, quietTimeoutMs, isBeside, health });
  },
});
