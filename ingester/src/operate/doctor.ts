import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';
import { createInfluxdbSink } from '../sinks/influxdb/influxdb-sink.js';
import { createSpoolPlace, listSpools } from '../pipeline/spool-place.js';
import type { SessionOptions } from '../session.js';
import { createOutputOptions, resolveOptIn } from '../session.js';

const run = promisify(execFile);
/** Beyond this difference rows of two machines are told apart wrongly by time. */
const MAX_CLOCK_DIFFERENCE_MS = 5000;
const MIN_FREE_BYTES = 2 ** 30;
const SLURM_TIMEOUT_MS = 5000;

interface Finding {
  readonly state: 'ok' | 'warn' | 'fail';
  /** What was found and, where it is not well, what to do. */
  readonly message: string;
}

type Check = (options: SessionOptions) => Promise<Finding>;

const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['opt-in', checkOptIn],
  ['spool', checkSpool],
  ['connection', checkConnection],
  ['clock', checkClock],
  ['Slurm', checkSlurm],
];

/** Looks at everything that logging needs and prints a line each. Returns the exit code: 1 when something fails. */
export async function doctor(options: SessionOptions): Promise<number> {
  let isWell = true;
  for (const [name, check] of CHECKS) {
    const { state, message } = await check(options).catch(describeFault);
    options.host.writeStdout(`${state.padEnd(4)}  ${name.padEnd(10)}  ${message}\n`);
    if (state === 'fail') isWell = false;
  }
  return isWell ? 0 : 1;
}

function describeFault(error: unknown): Finding {
  return { state: 'fail', message: `could not be checked: ${error instanceof Error ? error.message : String(error)}` };
}

async function checkOptIn({ settings, host }: SessionOptions): Promise<Finding> {
  const optIn = await resolveOptIn(settings.optIn, host.uid);
  const where = settings.optIn.kind === 'file' ? settings.optIn.path : '--mode';
  switch (optIn.kind) {
    case 'config':
      return { state: 'ok', message: `${where}: mode ${optIn.config.mode}, nonfinite ${optIn.config.nonfinite}` };
    case 'absent':
      return { state: 'warn', message: `there is no ${where}: nothing is logged; make it (empty is enough)` };
    case 'invalid':
      return { state: 'fail', message: optIn.message };
  }
}

/** The folder can be used, and what waits in it. */
async function checkSpool(options: SessionOptions): Promise<Finding> {
  const { root, maxBytes } = options.settings.spool;
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const probe = join(root, `.doctor-${options.host.machine.pid}`);
    await writeFile(probe, 'x', { mode: 0o600, flush: true });
    await rm(probe);
  } catch (error) {
    const found = (error as NodeJS.ErrnoException).code ?? String(error);
    return { state: 'fail', message: `cannot write to ${root}: ${found}; give another folder with --spool` };
  }
  const { bavail, bsize } = await statfs(root);
  const freeBytes = bavail * bsize;
  const place = createSpoolPlace(createOutputOptions(options, { kind: 'stdout' }, 'job'));
  const dead = (await listSpools(place)).filter(({ isAlive, waitingPoints }) => !isAlive && waitingPoints > 0);
  const points = dead.reduce((sum, { waitingPoints }) => sum + waitingPoints, 0);
  const free = `${root}: ${Math.round(freeBytes / 2 ** 20)} MiB free`;
  if (points > 0)
    return { state: 'warn', message: `${free}; ${points} unsent points; send them with \`joblens drain\`` };
  if (freeBytes < Math.min(MIN_FREE_BYTES, maxBytes)) {
    return { state: 'warn', message: `${free}, less than --spool-size allows; give another folder with --spool` };
  }
  return { state: 'ok', message: `${free}, nothing unsent` };
}

/** The server answers, knows the token and the bucket, and lets us write. */
async function checkConnection({ settings, host }: SessionOptions): Promise<Finding> {
  const { destination } = settings;
  if (destination === undefined) {
    return { state: 'fail', message: 'nothing says where to write; set INFLUX_HOST, or give --url URL' };
  }
  if (destination.kind !== 'influxdb') return { state: 'ok', message: 'points go to a file, no server' };
  const { connection } = destination;
  const sink = createInfluxdbSink(connection, () => host.clock.nowMs());
  const signal = AbortSignal.timeout(connection.timeoutMs);
  // No point at all: what a server says to that is about everything else.
  const outcome = await sink.write({ bytes: Buffer.from('\n'), points: 0 }, signal);
  await sink.close();
  if (outcome.kind === 'retryable') return { state: 'fail', message: outcome.message };
  return { state: 'ok', message: `${describeConnection(connection)} takes points` };
}

function describeConnection({ url, bucket, token, user }: InfluxConnection): string {
  const access = token !== undefined ? 'token' : user !== undefined ? `user ${user}` : 'no token';
  return `InfluxDB at ${url}, bucket ${bucket}, ${access},`;
}

/** By the Date header of the server's answer, which has whole seconds. */
async function checkClock({ settings, host }: SessionOptions): Promise<Finding> {
  if (settings.destination?.kind !== 'influxdb') return { state: 'ok', message: 'no server to compare with' };
  const { url, timeoutMs } = settings.destination.connection;
  const answer = await fetch(new URL('/ping', url), { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
  const serverMs = Date.parse(answer?.headers.get('date') ?? '');
  if (Number.isNaN(serverMs)) return { state: 'warn', message: 'the server does not say what time it has' };
  const differenceMs = host.clock.nowMs() - serverMs;
  const seconds = `${Math.abs(differenceMs / 1000).toFixed(0)} s`;
  if (Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS) {
    return {
      state: 'ok',
      message: `differs from the server's by at most ${Math.max(1, Math.ceil(Math.abs(differenceMs) / 1000))} s`,
    };
  }
  const word = differenceMs > 0 ? 'ahead of' : 'behind';
  return {
    state: 'warn',
    message: `${seconds} ${word} the server's: rows get this machine's time; synchronise both (NTP)`,
  };
}

async function checkSlurm(): Promise<Finding> {
  const version = await run('squeue', ['--version'], { timeout: SLURM_TIMEOUT_MS }).catch(() => undefined);
  if (version === undefined) return { state: 'ok', message: 'not on this machine (no squeue); watch --slurm needs it' };
  const name = version.stdout.trim();
  try {
    const { stdout } = await run('scontrol', ['ping'], { timeout: SLURM_TIMEOUT_MS });
    const isUp = /is UP/.test(stdout);
    const found = stdout.trim().split('\n').join('; ');
    return { state: isUp ? 'ok' : 'fail', message: `${name}: ${found}${isUp ? '' : '; start slurmctld'}` };
  } catch (error) {
    const found = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
    return { state: 'fail', message: `${name}: scontrol ping: ${found}; check SLURM_CONF and that slurmctld runs` };
  }
}
