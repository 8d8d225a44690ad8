import type { HostFacts } from '../host/host-facts.js';

/** The kind of writer: one job's output (`run`, `pipe`), or a daemon that continues where it left off. */
export type SpoolRole = 'job' | 'watch' | 'serve';

/** Whether the states of its sources outlive its points. */
export const keepsStates = (role: SpoolRole): boolean => role !== 'job';

/** The process that writes a spool folder. Its folder's name tells it, so the name is the lock. */
export interface Writer {
  readonly role: SpoolRole;
  readonly hostName: string;
  readonly bootId: string;
  readonly pid: number;
  readonly startTime: string;
  /** `none` when it is unknown. */
  readonly pidNamespace: string;
  /** Tells the spools of one process apart. */
  readonly counter: number;
  /** Whether the writer has given the folder away, so that anyone may take it. */
  readonly isClosed: boolean;
}

const CLOSED = 'closed';
const NAME =
  /^(job|watch|serve)_([A-Za-z0-9.%-]*)_([A-Za-z0-9-]+)_(\d{1,15})_(\d+)_(\d+|none)_(\d{1,15})(?:_(closed))?$/;

export function createWriter(role: SpoolRole, facts: HostFacts, counter: number): Writer {
  const { hostName, bootId, pid, startTime } = facts;
  const pidNamespace = facts.pidNamespace ?? 'none';
  return { role, hostName, bootId, pid, startTime, pidNamespace, counter, isClosed: false };
}

/** `ROLE_HOST_BOOT_PID_START_NAMESPACE_COUNTER[_closed]` */
export function formatWriter(writer: Writer): string {
  const { role, bootId, pid, startTime, pidNamespace, counter, isClosed } = writer;
  const hostName = encodeURIComponent(writer.hostName).replace(/[_~!*'()]/g, formatPercent);
  const fields = [role, hostName, bootId, pid, startTime, pidNamespace, counter];
  return (isClosed ? [...fields, CLOSED] : fields).join('_');
}

/** The inverse of formatWriter; undefined when it is not the name of a spool folder. */
export function parseWriter(name: string): Writer | undefined {
  const [, role, hostName = '', bootId = '', pid, startTime = '', pidNamespace = '', counter, closed] =
    NAME.exec(name) ?? [];
  if (role !== 'job' && role !== 'watch' && role !== 'serve') return undefined;
  return {
    role,
    hostName: decodeHostName(hostName),
    bootId,
    pid: Number(pid),
    startTime,
    pidNamespace,
    counter: Number(counter),
    isClosed: closed === CLOSED,
  };
}

/** A live writer gives a sign this often … */
export const SIGN_OF_LIFE_MS = 30_000;
/** … and one that cannot be looked up is considered dead after this time without a sign. */
const SILENT_MS = 600_000;

/**
 * Whether nobody writes under this name any more. If the process can be looked up, that decides; otherwise its last
 * sign of life does. `readSilenceMs` returns the age of that sign by the clock of the file server.
 */
export async function isDead(writer: Writer, facts: HostFacts, readSilenceMs: () => Promise<number>): Promise<boolean> {
  if (writer.isClosed) return true;
  const isSameHost = writer.hostName === facts.hostName;
  if (isSameHost && writer.bootId === facts.bootId && writer.pidNamespace === facts.pidNamespace) {
    return !facts.isAlive(writer.pid, writer.startTime);
  }
  const silenceMs = await readSilenceMs();
  // A sign of life since this machine started comes from another machine of the same name.
  if (isSameHost && writer.bootId !== facts.bootId && silenceMs > facts.uptimeMs()) return true;
  return silenceMs > SILENT_MS;
}

function formatPercent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function decodeHostName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
