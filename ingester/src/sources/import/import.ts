import { realpath } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { countOf } from '@joblens/core/words/counts';
import type { JobDescription } from '@joblens/core/schema/job-point';
import { formatDestination } from '../../config/format-destination.js';
import { fillJobPrefix, readCluster } from '../../config/job-prefix.js';
import { findStateFolder } from '../../config/merge-settings.js';
import { readConfigFile } from '../../config/read-config-file.js';
import { parseKeyValue } from '../../config/value-types.js';
import type { Delivery } from '../../delivery/delivery.js';
import { createProgress, type Progress } from '../../read-back/shell/progress.js';
import type { SessionOptions } from '../../session/session-options.js';
import { openConfiguredDelivery } from '../../session/session.js';
import { ImportError, type Importer } from './job/importer.js';
import { ImportedJobs } from './job/imported-jobs.js';
import { ImportedPoints } from './job/imported-points.js';
import { LeftOut } from './job/left-out.js';
import { fingerprintSource, isAddress, nameOfSource } from './job/source-file.js';
import { StoppedImport } from './stopped-import.js';

const LOOK_MS = 50;
const EXIT_STOPPED = 130;

interface ImportOptions extends SessionOptions {
  readonly importer: Importer;
  readonly source: string;
  /** The job is there already: nothing is said of what it is and when it ran. */
  readonly isAttached: boolean;
  readonly offsetNs: bigint | undefined;
  readonly timeKey: string | undefined;
}

/** Imports one source. Returns the exit code. */
export async function importSource(options: ImportOptions): Promise<number> {
  const { settings, host, report, importer, source } = options;
  // No job runs beside it that needs the memory (main.ts): to collect garbage that often would take half of the time.
  setFlagsFromString('--heap-growing-percent=0 --semi-space-growth-factor=2');
  const description = await describe(options);
  if (description === undefined) return 1;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.onSignal(signal, () => stop.abort());
  const delivery = await openConfiguredDelivery(options, 'job', 'imported');
  if (delivery === undefined) return 1;

  const stopped = await findStopped(options);
  const skippedPoints = await stopped.read();
  if (skippedPoints > 0) report.info(`going on where the import of ${source} was stopped`);
  const leftOut = new LeftOut();
  const points = new ImportedPoints({
    ...{ delivery, clock: host.clock, skippedPoints },
    onFault: (message) => leftOut.add('points that cannot be stored', message),
  });
  const jobs = new ImportedJobs({
    ...{
      points,
      leftOut,
      description,
      isAttached: options.isAttached,
      maxTables: settings.limits.maxTables ?? Infinity,
    },
    main: { job: nameJob(options), user: settings.source.user },
    warn: (message) => report.warn(message),
  });
  const failure = await read(options, { jobs, points, leftOut, signal: stop.signal });
  const isStopped = stop.signal.aborted;
  if (!isStopped && failure === undefined) {
    jobs.end(importer.kind, source, leftOut.count);
    await points.flush(stop.signal, true);
    await untilSent(delivery, options, stop.signal);
  }
  const isSent = await delivery.close(settings.options.drainTimeoutMs);
  const goesOn = isStopped && isSent && !isAddress(source);
  await keepPlace(stopped, goesOn, points);
  if (failure !== undefined) report.error(failure);
  else sayEnd(options, jobs, leftOut, { isStopped, goesOn, points: points.queuedPoints });
  if (isStopped) return EXIT_STOPPED;
  return isSent && failure === undefined ? 0 : 1;
}

/** A source that was read to its end begins anew, and so does one that may have changed. */
function keepPlace(stopped: StoppedImport, goesOn: boolean, { queuedPoints }: ImportedPoints): Promise<void> {
  return goesOn ? stopped.keep(queuedPoints) : stopped.forget();
}

interface Made {
  readonly jobs: ImportedJobs;
  readonly points: ImportedPoints;
  readonly leftOut: LeftOut;
  readonly signal: AbortSignal;
}

/** Reads the source. Returns why it cannot be read, in one line. */
async function read(options: ImportOptions, { jobs, points, leftOut, signal }: Made): Promise<string | undefined> {
  const { importer, source, offsetNs, timeKey, host, report } = options;
  let progress: Progress | undefined;
  try {
    const readSource = await importer.load();
    await readSource({
      ...{ source, offsetNs, timeKey, job: jobs.main, leftOut, report, signal },
      environment: host.environment,
      openJob: (job, user) => jobs.open(job, user),
      async advance(readBytes, sizeBytes) {
        progress ??= createProgress(host, sizeBytes, 'bytes');
        progress.show(readBytes);
        await points.flush(signal);
      },
    });
    return undefined;
  } catch (error) {
    if (error instanceof ImportError && signal.aborted) return undefined;
    if (error instanceof ImportError) return `nothing more is imported: ${error.message}`;
    throw error;
  } finally {
    progress?.end();
  }
}

/** What the options say of the job: nothing of the job that this process itself may be in. */
async function describe({ settings, report }: ImportOptions): Promise<JobDescription | undefined> {
  const { name, tag: tags, config: path } = settings.options;
  const config = path === undefined ? undefined : await readConfigFile(path);
  if (config?.ok === false) {
    report.error(`nothing is imported: ${config.error}`);
    return undefined;
  }
  return {
    ...(name !== undefined && { name }),
    ...(tags.length > 0 && { tags: Object.fromEntries(tags.map(parseKeyValue)) }),
    ...(config !== undefined && { config: config.value }),
  };
}

function nameJob({ settings, source, host }: ImportOptions): string {
  const { job, jobPrefix } = settings.options;
  return job ?? fillJobPrefix(jobPrefix, readCluster(host.environment)) + nameOfSource(source);
}

async function findStopped(options: ImportOptions): Promise<StoppedImport> {
  const { settings, host, importer, source, offsetNs, timeKey } = options;
  const { destination } = settings;
  const where = destination === undefined ? '' : formatDestination(destination);
  const bucket = destination?.kind === 'influxdb' ? destination.connection.bucket : '';
  const path = await realpath(source).catch(() => source);
  return new StoppedImport(findStateFolder(host.environment, host.machine), [
    ...[importer.kind, path, await fingerprintSource(source), String(offsetNs), timeKey, where, bucket],
    ...[nameJob(options), settings.source.user, settings.limits.maxTables, options.isAttached],
  ]);
}

/** Waits while the destination takes points: an import may be more than what is sent in the time of --drain-timeout. */
async function untilSent(delivery: Delivery, { host }: ImportOptions, signal: AbortSignal): Promise<void> {
  const { queue, sending } = delivery;
  const progress = createProgress(host, queue.waitingPoints, 'points sent');
  const total = queue.waitingPoints;
  while (queue.waitingPoints > 0 && sending.isHealthy && !signal.aborted) {
    progress.show(total - queue.waitingPoints);
    await host.clock.sleep(LOOK_MS, signal);
  }
  progress.end();
}

interface Outcome {
  readonly isStopped: boolean;
  /** The same command goes on there. */
  readonly goesOn: boolean;
  readonly points: number;
}

function sayEnd(options: ImportOptions, jobs: ImportedJobs, leftOut: LeftOut, outcome: Outcome): void {
  const { isStopped, goesOn, points } = outcome;
  const { host, settings, report, source } = options;
  const out = leftOut.describe();
  const made = `${jobs.describe()}, ${countOf(points, 'point')}`;
  const line = isStopped
    ? `stopped the import of ${source} after ${made}: the same command ${goesOn ? 'goes on from there' : 'begins anew, and doubles nothing'}`
    : `imported ${source}: ${made}${out === undefined ? '' : `; left out: ${out}`}`;
  if (settings.destination?.kind === 'stdout') report.info(line);
  else host.writeStdout(`${line}\n`);
}
