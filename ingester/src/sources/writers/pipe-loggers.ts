import { createHash } from 'node:crypto';
import { describeFileError } from '../../host/file-error.js';
import type { Host } from '../../host/host.js';
import { type HostFacts, readHostFacts } from '../../host/host-facts.js';
import { listProcessIds, readProcessLink, readProcessStatus, readProcessText } from '../../host/process-files.js';
import {
  identifyPipe,
  namePipe,
  type PipeNote,
  readPipeNote,
  removePipeNote,
  writePipeNote,
} from '../../peers/pipe-note.js';
import { openUserFolder } from '../../peers/user-folder.js';
import type { LoggingDecision } from '../../session/decide-logging.js';
import type { SessionOptions } from '../../session/session-options.js';

/** How long one that reads our output has to say what it logs. The output waits meanwhile, in the pipes. */
const PATIENCE_MS = 5000;
const LOOK_MS = 20;
/** A chain of `tee` is looked through up to this length. */
const MAX_STEPS = 8;
/** A word of the command line of its launcher, also by way of a package runner, of its supervisor, and of what logs. */
const OWN_WORD = /(?:^|[/\0 ])(?:joblens|joblens\.js|supervise\.pl)(?:[\0 ]|$)/;
const LOGGER_WORD = /\/joblens\.js\0/;

/** Another process that logs what is written to a pipe, for the same job and in the same way. */
export interface PipeLogger {
  readonly kind: PipeNote['kind'];
  readonly pid: number;
  /** `ended`: it logs no more, and has said so. `dead`: it was killed. */
  look(): PipeNote['stage'] | 'ended' | 'dead';
}

/** Says of pipes that this process logs what comes out of them. */
export interface PipeNotes {
  /** From now on it logs; or nothing is logged here. */
  logging(isLogged: boolean): void;
  /** It logs no more. */
  end(): void;
}

/** The same for all that log one job in the same way to the same place; empty: nothing is logged, or not there. */
export function hashLogging({ settings: { source, destination } }: SessionOptions, decided: LoggingDecision): string {
  if (decided.kind !== 'config' || destination === undefined || destination.kind === 'stdout') return '';
  const place =
    destination.kind === 'file' ? destination.path : [destination.connection.url, destination.connection.bucket];
  const { reproduce: _reproduce, ...config } = decided.config;
  return createHash('sha256')
    .update(JSON.stringify([source.user, source.job, place, config]))
    .digest('hex');
}

/** Tells the processes that write to the pipes what is logged of them here. Without a place to meet, they log, too. */
export function notePipes(
  options: SessionOptions,
  decided: LoggingDecision,
  { kind, pipes }: { readonly kind: PipeNote['kind']; readonly pipes: readonly string[] }
): PipeNotes {
  const { host } = options;
  const folder = openUserFolder(host.sharedFolders, host.uid);
  const logs = hashLogging(options, decided);
  const { pid, startTime } = readHostFacts(host.machine.pid, host.uid);
  const say = (stage: PipeNote['stage'], isLogged: boolean): void => {
    if (folder === undefined) return;
    const note: PipeNote = { by: [pid, startTime], kind, logs: isLogged ? logs : '', stage };
    try {
      for (const pipe of pipes) writePipeNote(folder, pipe, note);
    } catch (error) {
      options.report.debug(`programs whose output is read here are not told of it: ${String(error)}`);
    }
  };
  say('opening', true);
  return {
    logging: (isLogged) => say('logging', isLogged),
    end() {
      if (folder !== undefined) for (const pipe of pipes) removePipeNote(folder, pipe);
    },
  };
}

/**
 * Finds who logs what is written to the descriptor, also behind `tee`. Nobody where that cannot be told: losing nothing
 * is better than doubles.
 */
export async function findPipeLogger(
  options: SessionOptions,
  decided: LoggingDecision,
  fd: number
): Promise<PipeLogger | undefined> {
  try {
    return await lookForLogger(options, decided, fd);
  } catch (error) {
    const found = describeFileError(error);
    options.report.warn(
      `nobody can tell who reads the output (${found}): if another joblens logs it, lines come twice`
    );
    return undefined;
  }
}

async function lookForLogger(
  options: SessionOptions,
  decided: LoggingDecision,
  fd: number
): Promise<PipeLogger | undefined> {
  const { host } = options;
  const logs = hashLogging(options, decided);
  const first = identifyPipe(fd);
  if (first === undefined || logs === '') return undefined;
  const folder = openUserFolder(host.sharedFolders, host.uid);
  if (folder === undefined) return undefined;
  const facts = readHostFacts(host.machine.pid, host.uid);
  const isAlive = ({ by: [pid, startTime] }: PipeNote): boolean => pid !== facts.pid && facts.isAlive(pid, startTime);
  const pipe = await findNotedPipe({ folder, isAlive, clock: host.clock }, first, `/proc/self/fd/${fd}`);
  const note = pipe === undefined ? undefined : readPipeNote(folder, pipe);
  if (pipe === undefined || note?.logs !== logs || !isAlive(note)) return undefined;
  const { kind, by } = note;
  return { kind, pid: by[0], look: () => lookAt(facts, note, readPipeNote(folder, pipe)) };
}

function lookAt(facts: HostFacts, { by, logs }: PipeNote, now: PipeNote | undefined): ReturnType<PipeLogger['look']> {
  if (!facts.isAlive(...by)) return 'dead';
  return now?.logs === logs && now.by[0] === by[0] ? now.stage : 'ended';
}

interface Seen {
  readonly folder: string;
  readonly isAlive: (note: PipeNote) => boolean;
  readonly clock: Host['clock'];
}

/** The first of the pipes behind each other of which a living process has said something. */
async function findNotedPipe(seen: Seen, first: string, firstPath: string): Promise<string | undefined> {
  let [pipe, path]: readonly [string | undefined, string] = [first, firstPath];
  for (let step = 0; pipe !== undefined && step < MAX_STEPS; step += 1) {
    if (hasNote(seen, pipe)) return pipe;
    const readers = listReaders(path);
    if (readers.some(isOwn)) return (await waitForNote(seen, pipe, path)) ? pipe : undefined;
    const copier = readers.find(isTee);
    if (copier === undefined) return undefined;
    path = `/proc/${copier}/fd/1`;
    pipe = identifyPath(path);
  }
  return undefined;
}

async function waitForNote(seen: Seen, pipe: string, path: string): Promise<boolean> {
  const { clock } = seen;
  const untilMs = clock.monotonicMs() + PATIENCE_MS;
  while (!hasNote(seen, pipe)) {
    if (clock.monotonicMs() >= untilMs || !listReaders(path).some(isOwn)) return false;
    await clock.sleep(LOOK_MS);
  }
  return true;
}

function hasNote({ folder, isAlive }: Seen, pipe: string): boolean {
  const note = readPipeNote(folder, pipe);
  return note !== undefined && isAlive(note);
}

/** The processes whose standard input is the pipe. */
function listReaders(path: string): string[] {
  const target = readProcessLink(path);
  if (target === undefined) return [];
  return listProcessIds().filter((pid) => readProcessLink(`/proc/${pid}/fd/0`) === target);
}

/** Whether the process is one of joblens: also its `tee`, which what logs has started. */
function isOwn(pid: string): boolean {
  return isTee(pid)
    ? LOGGER_WORD.test(readWords(readParent(pid), 'cmdline'))
    : OWN_WORD.test(readWords(pid, 'cmdline'));
}

function isTee(pid: string): boolean {
  return readWords(pid, 'comm').trim() === 'tee';
}

/** Empty for a process that has ended. */
export function readParent(pid: string): string {
  return /^PPid:\s*(\d+)$/m.exec(readWords(pid, 'status'))?.[1] ?? '';
}

/** None of a process that has ended, or may not be looked at. */
export function readWords(pid: string, name: 'cmdline' | 'comm' | 'status'): string {
  return readProcessText(`/proc/${pid}/${name}`) ?? '';
}

function identifyPath(path: string): string | undefined {
  const status = readProcessStatus(path);
  return status && namePipe(status);
}
