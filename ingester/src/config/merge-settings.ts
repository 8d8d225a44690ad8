import { join } from 'node:path';
import { ok, type Result } from '@joblens/core/result/result';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Environment, Machine } from '../host/host.js';
import { type JobIdentity, readJobIdentity } from './job-identity.js';
import { fillJobPrefix, readCluster } from './job-prefix.js';
import { readOptions, type TypedOptions } from './option.js';
import type { Destination, OptInSource, Settings } from './settings.js';
import { SHARED_OPTIONS, type SharedValues } from './shared-options.js';
import { parseKeyValue } from './value-types.js';

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Merges the shared options with the environment and the scheduler's variables into the settings, all but the secrets.
 * The error is one line for the user.
 */
export function mergeSettings(
  typed: TypedOptions,
  environment: Environment,
  machine: Machine
): Result<Omit<Settings, 'secrets'>, string> {
  const read = readOptions(SHARED_OPTIONS, typed, environment);
  if (!read.ok) return read;
  const values = read.value;
  const identity = readJobIdentity(environment, machine);
  const source = mergeSource(values, identity, readCluster(environment));
  const stateFolder = findStateFolder(environment, machine);
  const optIn = chooseOptIn(values, machine);
  const destination = chooseDestination(values);
  return ok({
    options: values,
    source,
    isScheduled: identity.from !== 'shell',
    transitionOrigin: identity.from === 'slurm' ? 'slurm-job' : 'job',
    isLeader: source.task === undefined || source.task === '0',
    description: describeJob(values, identity),
    optIn,
    isWatched: decideWatched(values, identity, isForWatch(optIn, destination)),
    destination,
    limits: { bytesPerSecond: values.limitBytes, linesPerSecond: values.limitLines, maxTables: values.maxTables },
    spool: { root: values.spool ?? join(stateFolder, 'spool'), maxBytes: values.spoolSize },
    rejectedPath: values.rejected ?? defaultRejectedPath(source.job, stateFolder),
  });
}

function mergeSource({ job, user, jobPrefix }: SharedValues, identity: JobIdentity, cluster?: string): JobSource {
  const { task } = identity;
  return {
    job: job ?? fillJobPrefix(jobPrefix, cluster) + identity.job,
    user: user ?? identity.user,
    ...(task === undefined ? {} : { task }),
  };
}

/** Whether it is known without a look that a `watch` logs what goes into a pipe. */
function decideWatched({ watcher }: SharedValues, { from }: JobIdentity, isForWatch: boolean): boolean | undefined {
  if (watcher === 'no') return false;
  return watcher === 'yes' && from === 'slurm' && isForWatch ? true : undefined;
}

function describeJob(
  { name, note, tag, experiment, group }: SharedValues,
  identity: JobIdentity
): Settings['description'] {
  const named = Object.entries({ experiment, group }).filter((one): one is [string, string] => one[1] !== undefined);
  const tags = [...tag.map(parseKeyValue), ...named];
  return {
    ...identity.description,
    ...(name !== undefined && { name }),
    ...(note !== undefined && { note }),
    ...(tags.length > 0 && { tags: Object.fromEntries(tags) }),
  };
}

function chooseOptIn({ mode, optin }: SharedValues, { homeFolder }: Machine): OptInSource {
  if (mode !== undefined) return { kind: 'mode', mode };
  if (optin !== undefined) return { kind: 'file', path: optin, isExplicit: true };
  return { kind: 'file', path: join(homeFolder, '.logoptin'), isExplicit: false };
}

/** A watch asks the owner's own file alone, and writes to the store. */
function isForWatch(optIn: OptInSource, destination: Destination | undefined): boolean {
  return optIn.kind === 'file' && !optIn.isExplicit && destination?.kind === 'influxdb';
}

function chooseDestination(values: SharedValues): Destination | undefined {
  const { out, url, token, org, influxUser: user, influxPassword: password } = values;
  if (out === '-') return { kind: 'stdout' };
  if (out !== undefined) return { kind: 'file', path: out };
  if (url === undefined) return undefined;
  return {
    kind: 'influxdb',
    connection: {
      url,
      bucket: values.database ?? values.bucket,
      api: values.api,
      timeoutMs: REQUEST_TIMEOUT_MS,
      ...(values.rewrites === 'auto' ? {} : { rewrites: values.rewrites === 'yes' }),
      ...(values.unnamedStore === 'trust' && { trustsUnnamed: true }),
      ...(token === undefined ? {} : { token }),
      ...(org === undefined ? {} : { org }),
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
    },
  };
}

/** Where the user's programs keep their state (XDG Base Directory Specification). */
export function findStateFolder(environment: Environment, { homeFolder }: Pick<Machine, 'homeFolder'>): string {
  return join(environment['XDG_STATE_HOME']?.trim() || join(homeFolder, '.local', 'state'), 'joblens');
}

/** A file for each job. */
function defaultRejectedPath(job: string, folder: string): string {
  return join(folder, `rejected-${job.replace(/[^\w.-]/g, '_').slice(0, 100)}.lp`);
}
