import { join } from 'node:path';
import type { JobSource, Result } from '@joblens/core';
import { err, ok } from '@joblens/core';
import * as z from 'zod';
import type { ListenAddress } from '../net/listen.js';
import { LOG_FORMATS, LOG_LEVELS } from '../host/report.js';
import type { LogMode } from '../rules/log-config.js';
import { isLogMode } from '../rules/log-config.js';
import type { JobIdentity } from './job-identity.js';
import { readJobIdentity } from './job-identity.js';
import type { Environment, Machine } from '../host/host.js';
import type { Destination, OptInSource, Settings, TypedOptions } from './settings.js';

const MIB = 2 ** 20;

/** The defaults, with units in their names; README and --help say the same. */
export const DEFAULTS = {
  bucket: 'joblens',
  limitMegabytesPerSecond: 20,
  limitLinesPerSecond: 100_000,
  bufferMebibytes: 32,
  spoolMebibytes: 1024,
  drainTimeoutSeconds: 10,
  requestTimeoutSeconds: 10,
  slurmIntervalSeconds: 2,
  quietTimeoutSeconds: 600,
  watchHealth: '127.0.0.1:8093',
  serveHealth: '127.0.0.1:8095',
  /** As Telegraf's influxdb_listener, its documentation's example of a socket_listener, and its default one. */
  serveHttp: '127.0.0.1:8186',
  serveUdp: '127.0.0.1:8092',
  serveTcp: '127.0.0.1:8094',
} as const;

/** Meant for joblens alone: the command that it runs does not get them. */
export const OWN_SECRET_VARIABLES = ['JOBLENS_TOKEN', 'JOBLENS_PASSWORD'] as const;
const SECRET_VARIABLES = [...OWN_SECRET_VARIABLES, 'INFLUX_TOKEN', 'INFLUX_PASSWORD', 'JOBLENS_SERVE_TOKEN'] as const;

const positive = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a number above 0` })
    .positive({ error: `${name} must be a number above 0` });

const notNegative = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a number, 0 or more` })
    .nonnegative({ error: `${name} must be a number, 0 or more` });

/** `HOST:PORT`, `[IPv6]:PORT`, `PORT` of this machine alone, or `off`. */
const listenAddress = (name: string) =>
  z.string().transform((text, context): ListenAddress | undefined => {
    if (text === 'off') return undefined;
    const [, bracketed, host, port = ''] = /^(?:\[([0-9a-f:]+)\]:|([^:\s]+):)?(\d{1,5})$/i.exec(text) ?? [];
    if (port === '' || Number(port) > 65535)
      context.addIssue({ code: 'custom', message: `${name} must be HOST:PORT or off` });
    return { host: bracketed ?? host ?? '127.0.0.1', port: Number(port) };
  });

/** What stands in an HTTP header. */
const TOKEN = /^[\x21-\x7e]+( [\x21-\x7e]+)*$/;
const tokenOf = (name: string, isToken = (text: string): boolean => TOKEN.test(text)) =>
  z
    .string()
    .refine(isToken, { error: `the token (${name}) holds characters that no token has` })
    .optional();

/** The options whose values must have a form of their own; the messages are for the user. */
const VALUES = z.object({
  mode: z
    .custom<LogMode>((text) => typeof text === 'string' && isLogMode(text), {
      error: '--mode must be enabled, metadata or disabled',
    })
    .optional(),
  api: z.enum(['auto', 'v1', 'v2'], { error: '--api must be auto, v1 or v2' }).default('auto'),
  url: z
    .url({
      protocol: /^https?$/,
      error: 'the address of InfluxDB (--url or INFLUX_HOST) must begin with http:// or https://',
    })
    .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), {
      error: 'the address of InfluxDB is printed, so it must not hold a password: set INFLUX_USER and INFLUX_PASSWORD',
    })
    .optional(),
  token: tokenOf('--token, JOBLENS_TOKEN or INFLUX_TOKEN'),
  limitBytes: notNegative('--limit-bytes').default(DEFAULTS.limitMegabytesPerSecond),
  limitLines: notNegative('--limit-lines').default(DEFAULTS.limitLinesPerSecond),
  buffer: positive('--buffer').default(DEFAULTS.bufferMebibytes),
  spoolSize: positive('--spool-size').default(DEFAULTS.spoolMebibytes),
  onFull: z.enum(['drop', 'block'], { error: '--on-full must be drop or block' }).default('drop'),
  drainTimeout: z.coerce
    .number({ error: '--drain-timeout must be a number of seconds' })
    .nonnegative({ error: '--drain-timeout must be a number of seconds' })
    .default(DEFAULTS.drainTimeoutSeconds),
  slurm: z.literal(true).optional(),
  slurmInterval: positive('--slurm-interval').default(DEFAULTS.slurmIntervalSeconds),
  quietTimeout: positive('--quiet-timeout').default(DEFAULTS.quietTimeoutSeconds),
  watchHealth: listenAddress('--health (or JOBLENS_HEALTH)').prefault(DEFAULTS.watchHealth),
  serveHealth: listenAddress('--health (or JOBLENS_HEALTH)').prefault(DEFAULTS.serveHealth),
  http: listenAddress('--http').prefault(DEFAULTS.serveHttp),
  udp: listenAddress('--udp').prefault(DEFAULTS.serveUdp),
  tcp: listenAddress('--tcp').prefault(DEFAULTS.serveTcp),
  keepTypes: z.literal(true).optional(),
  serveToken: tokenOf('JOBLENS_SERVE_TOKEN', (text) => text === '' || TOKEN.test(text)),
  allowHost: z.array(z.string()).default([]),
  logLevel: z.enum(LOG_LEVELS, { error: `--log-level must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  logFormat: z.enum(LOG_FORMATS, { error: `--log-format must be one of ${LOG_FORMATS.join(', ')}` }).default('text'),
  tag: z.array(z.string().regex(/^[^=]+=/, { error: '--tag must be KEY=VALUE' })).default([]),
});

/**
 * Options before environment before defaults, checked at once. The error is one line for the user.
 * Units: --limit-bytes in MB/s, --buffer and --spool-size in MiB, --drain-timeout in seconds.
 */
export function mergeSettings(
  options: TypedOptions,
  environment: Environment,
  machine: Machine
): Result<Settings, string> {
  const getSet = (name: string): string | undefined => environment[name]?.trim();
  const get = (name: string): string | undefined => getSet(name) || undefined;
  const health = options.health ?? get('JOBLENS_HEALTH');
  const parsed = VALUES.safeParse({
    ...options,
    url: options.url ?? get('INFLUX_HOST'),
    token: options.token ?? getOwn('TOKEN', get),
    ...{ watchHealth: health, serveHealth: health, serveToken: getSet('JOBLENS_SERVE_TOKEN') },
    logLevel: options.logLevel ?? get('JOBLENS_LOG_LEVEL'),
  });
  if (!parsed.success) return err(parsed.error.issues[0]?.message ?? 'the options are not valid');
  const values = parsed.data;
  if (options.job === '' || options.user === '') return err('--job and --user must not be empty');

  const identity = readJobIdentity(environment, machine);
  const jobPrefix = options.jobPrefix ?? get('JOBLENS_JOB_PREFIX') ?? '';
  const source = mergeSource(options, jobPrefix, identity);
  return ok({
    source,
    isScheduled: identity.from !== 'shell',
    isLeader: source.task === undefined || source.task === '0',
    description: describeJob(options, values.tag, identity),
    configPath: options.config,
    optIn: chooseOptIn(options, values.mode, machine),
    destination: chooseDestination(options, values, get),
    secrets: [options.token, ...SECRET_VARIABLES.map(get)].filter((secret) => secret !== undefined),
    limits: readLimits(values),
    bufferBytes: values.buffer * MIB,
    spool: { root: chooseSpool(options, get, machine), maxBytes: values.spoolSize * MIB },
    onFull: values.onFull,
    watch: readWatch(values, jobPrefix),
    serve: readServe(values),
    drainTimeoutMs: values.drainTimeout * 1000,
    rejectedPath: options.rejected ?? defaultRejectedPath(source.job, stateFolder(get, machine)),
    logLevel: values.logLevel,
    logFormat: values.logFormat,
  });
}

/** Ours goes before the one that other programs know too. */
function getOwn(name: 'TOKEN' | 'PASSWORD', get: (name: string) => string | undefined): string | undefined {
  return get(`JOBLENS_${name}`) ?? get(`INFLUX_${name}`);
}

type Values = z.infer<typeof VALUES>;

function readLimits({ limitBytes, limitLines }: Values): Settings['limits'] {
  return { bytesPerSecond: limitBytes * 1e6 || Infinity, linesPerSecond: limitLines || Infinity };
}

function readWatch(values: Values, jobPrefix: string): Settings['watch'] {
  const { slurm, slurmInterval, quietTimeout, watchHealth: health } = values;
  const isSlurm = slurm === true;
  const [slurmIntervalMs, quietTimeoutMs] = [slurmInterval * 1000, quietTimeout * 1000];
  return { isSlurm, slurmIntervalMs, quietTimeoutMs, jobPrefix, health };
}

function readServe(values: Values): Settings['serve'] {
  const { http, udp, tcp, serveHealth: health, keepTypes, serveToken: token, allowHost: allowedHosts } = values;
  return { http, udp, tcp, health, keepsTypes: keepTypes === true, token, allowedHosts };
}

function mergeSource(options: TypedOptions, prefix: string, identity: JobIdentity): JobSource {
  const { task } = identity;
  return {
    job: options.job ?? prefix + identity.job,
    user: options.user ?? identity.user,
    ...(task === undefined ? {} : { task }),
  };
}

function describeJob(options: TypedOptions, tags: readonly string[], identity: JobIdentity): Settings['description'] {
  const pairs = tags.map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)] as const);
  return {
    ...identity.description,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(pairs.length === 0 ? {} : { tags: Object.fromEntries(pairs) }),
  };
}

function chooseOptIn(options: TypedOptions, mode: LogMode | undefined, { homeFolder }: Machine): OptInSource {
  if (mode !== undefined) return { kind: 'mode', mode };
  if (options.optin !== undefined) return { kind: 'file', path: options.optin, isExplicit: true };
  return { kind: 'file', path: join(homeFolder, '.logoptin'), isExplicit: false };
}

function chooseDestination(
  options: TypedOptions,
  { url, token, api }: Values,
  get: (name: string) => string | undefined
): Destination | undefined {
  if (options.out === '-') return { kind: 'stdout' };
  if (options.out !== undefined) return { kind: 'file', path: options.out };
  if (url === undefined) return undefined;
  const [org, user] = [options.org ?? get('INFLUX_ORG'), get('INFLUX_USER')];
  const password = getOwn('PASSWORD', get);
  return {
    kind: 'influxdb',
    connection: {
      url,
      bucket: options.bucket ?? options.database ?? get('INFLUX_BUCKET') ?? DEFAULTS.bucket,
      api,
      timeoutMs: DEFAULTS.requestTimeoutSeconds * 1000,
      ...(token === undefined ? {} : { token }),
      ...(org === undefined ? {} : { org }),
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
    },
  };
}

function chooseSpool(options: TypedOptions, get: (name: string) => string | undefined, machine: Machine): string {
  return options.spool ?? get('JOBLENS_SPOOL') ?? join(stateFolder(get, machine), 'spool');
}

/** Where the user's programs keep their state (XDG Base Directory Specification). */
function stateFolder(get: (name: string) => string | undefined, { homeFolder }: Machine): string {
  return join(get('XDG_STATE_HOME') ?? join(homeFolder, '.local', 'state'), 'joblens');
}

/** A file for each job. */
function defaultRejectedPath(job: string, folder: string): string {
  return join(folder, `rejected-${job.replace(/[^\w.-]/g, '_').slice(0, 100)}.lp`);
}
