import { join } from 'node:path';
import type { JobSource, Result } from '@joblens/core';
import { ok } from '@joblens/core';
import type { Environment, Machine } from '../host/host.js';
import type { JobIdentity } from './job-identity.js';
import { readJobIdentity } from './job-identity.js';
import type { TypedOptions, Values } from './option.js';
import { readOptions } from './option.js';
import type { Destination, OptInSource, Settings } from './settings.js';
import { SHARED_OPTIONS } from './shared-options.js';

const REQUEST_TIMEOUT_MS = 10_000;

type SharedValues = Values<typeof SHARED_OPTIONS>;

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
  const source = mergeSource(values, identity);
  const stateFolder = findStateFolder(environment, machine);
  return ok({
    source,
    typed: { job: values.job, user: values.user },
    jobPrefix: values.jobPrefix,
    isScheduled: identity.from !== 'shell',
    isLeader: source.task === undefined || source.task === '0',
    description: describeJob(values, identity),
    configPath: values.config,
    optIn: chooseOptIn(values, machine),
    isQuiet: values.quiet,
    destination: chooseDestination(values),
    limits: { bytesPerSecond: values.limitBytes, linesPerSecond: values.limitLines },
    bufferBytes: values.buffer,
    spool: { root: values.spool ?? join(stateFolder, 'spool'), maxBytes: values.spoolSize },
    onFull: values.onFull,
    drainTimeoutMs: values.drainTimeout,
    rejectedPath: values.rejected ?? defaultRejectedPath(source.job, stateFolder),
    logLevel: values.logLevel,
    logFormat: values.logFormat,
  });
}

function mergeSource({ job, user, jobPrefix }: SharedValues, identity: JobIdentity): JobSource {
  const { task } = identity;
  return {
    job: job ?? jobPrefix + identity.job,
    user: user ?? identity.user,
    ...(task === undefined ? {} : { task }),
  };
}

function describeJob({ name, tag: tags }: SharedValues, identity: JobIdentity): Settings['description'] {
  const pairs = tags.map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)] as const);
  return {
    ...identity.description,
    ...(name === undefined ? {} : { name }),
    ...(pairs.length === 0 ? {} : { tags: Object.fromEntries(pairs) }),
  };
}

function chooseOptIn({ mode, optin }: SharedValues, { homeFolder }: Machine): OptInSource {
  if (mode !== undefined) return { kind: 'mode', mode };
  if (optin !== undefined) return { kind: 'file', path: optin, isExplicit: true };
  return { kind: 'file', path: join(homeFolder, '.logoptin'), isExplicit: false };
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
      ...(token === undefined ? {} : { token }),
      ...(org === undefined ? {} : { org }),
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
    },
  };
}

/** Where the user's programs keep their state (XDG Base Directory Specification). */
function findStateFolder(environment: Environment, { homeFolder }: Machine): string {
  return join(environment['XDG_STATE_HOME']?.trim() || join(homeFolder, '.local', 'state'), 'joblens');
}

/** A file for each job. */
function defaultRejectedPath(job: string, folder: string): string {
  return join(folder, `rejected-${job.replace(/[^\w.-]/g, '_').slice(0, 100)}.lp`);
}
