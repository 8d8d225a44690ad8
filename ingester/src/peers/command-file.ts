import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseJsonObject } from '@joblens/core/json/bounded-json';
import type { Clock } from '../clock/clock.js';
import type { PeerCommand, PeerCommands } from '../pipeline/peer-commands.js';
import { type LogConfig, parseLogOptions } from '../rules/options/log-config.js';

/** One process that logs the job: its id and its start in the kernel's ticks (proc(5)), since ids are reused. */
type Member = readonly [pid: number, startTime: string];

/**
 * A line of the file: the process, the time (Clock.monotonicMs, which all processes of the machine share), and what
 * happened: it has come, has gone, or has obeyed a command.
 */
interface Entry {
  readonly by: Member;
  readonly atMs: number;
  readonly what: 'come' | 'gone' | Partial<LogConfig>;
}

interface CommandFileOptions {
  /** The folder for this user alone. */
  readonly folder: string;
  /** Distinguishes the job from the user's others. */
  readonly name: string;
  readonly member: Member;
  readonly isAlive: (...member: Member) => boolean;
  /** The start of this process, by the same clock: any process that left later was here together with it. */
  readonly startedMs: number;
  readonly monotonicMs: () => number;
  /** Called once, with one line, when commands can no longer be shared. */
  readonly onFault: (message: string) => void;
}

/** A process may still join this long after another one that began with it has ended. */
const LATE_MS = 10_000;
/** Files of dead processes are removed after this time. */
const STALE_MS = 60_000;
const MAX_SWEPT = 100;
const ALIVE_CHECK_MS = 5000;
/** A longer file is begun anew: it lies in memory, and only what all commands have set together counts. */
const MAX_BYTES = 65_536;

/**
 * The commands that the processes of one job on this host have obeyed, in order, in a file to which each of them
 * appends. One fstat(2) tells whether there are new ones. A kill leaves the file behind. It counts for nothing once
 * none of its processes lives, and the user's next process removes it. A small file gets its place on the disk with its
 * first line.
 */
export class CommandFile implements PeerCommands {
  readonly #options: CommandFileOptions;
  readonly #path: string;
  #fd: number;
  #readBytes = 0;
  #peers = new Map<string, Member>();
  #checkedMs = 0;
  /** The options that commands have set so far, here and in other processes. */
  #obeyed: Partial<LogConfig> | undefined;
  #isOver = false;
  #found: PeerCommand[] = [];

  /** Throws when the file cannot be opened or written. */
  constructor(options: CommandFileOptions) {
    this.#options = options;
    this.#path = join(options.folder, options.name);
    this.#fd = this.#join();
  }

  /** Whether another process logs the same job. */
  get hasPeers(): boolean {
    this.#look();
    const monotonicMs = this.#options.monotonicMs();
    if (this.#peers.size > 0 && monotonicMs - this.#checkedMs > ALIVE_CHECK_MS) {
      this.#checkedMs = monotonicMs;
      for (const [key, peer] of this.#peers) if (!this.#options.isAlive(...peer)) this.#peers.delete(key);
    }
    return this.#peers.size > 0;
  }

  /** Takes the commands that others have obeyed since the last call. */
  take(): readonly PeerCommand[] {
    this.#look();
    return this.#found.splice(0);
  }

  /** Tells the others that a command was obeyed here. */
  publish(options: Partial<LogConfig>): void {
    this.#look();
    this.#obeyed = { ...this.#obeyed, ...options };
    this.#append(options);
    if (this.#readBytes > MAX_BYTES) this.#beginAnew();
  }

  /** Leaves the file. The last process to leave removes it. */
  leave(): void {
    try {
      const { monotonicMs, startedMs } = this.#options;
      const isAlone = !this.hasPeers && (this.#obeyed === undefined || monotonicMs() - startedMs > LATE_MS);
      if (isAlone) unlinkSync(this.#path);
      else this.#append('gone');
      closeSync(this.#fd);
    } catch {
      // The user's next process removes it.
    }
    this.#isOver = true;
  }

  #join(): number {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
    for (;;) {
      const fd = openSync(this.#path, flags, 0o600);
      this.#write(fd, 'come');
      // The last process may have just removed it.
      if (fstatSync(fd).nlink === 0) {
        closeSync(fd);
        continue;
      }
      this.#readBytes = 0;
      this.#takeHistory(this.#read(fd));
      return fd;
    }
  }

  /** Takes the commands obeyed since the first process joined that was here together with this one. */
  #takeHistory(entries: readonly Entry[]): void {
    const { isAlive, startedMs } = this.#options;
    const wasHere = new Set<string>();
    for (const { by, atMs, what } of entries) if (what === 'gone' && atMs >= startedMs) wasHere.add(formatMember(by));
    const others = entries.filter(({ by }) => !this.#isOwn(by));
    const first = others.findIndex(
      ({ by, what }) => what === 'come' && (wasHere.has(formatMember(by)) || isAlive(...by))
    );
    if (first >= 0) this.#take(others.slice(first));
    for (const [key, peer] of this.#peers) if (!isAlive(...peer)) this.#peers.delete(key);
  }

  #take(entries: readonly Entry[]): void {
    for (const { by, atMs, what } of entries) {
      if (this.#isOwn(by)) continue;
      if (what === 'gone') this.#peers.delete(formatMember(by));
      else this.#peers.set(formatMember(by), by);
      if (typeof what === 'string') continue;
      this.#obeyed = { ...this.#obeyed, ...what };
      this.#found.push({ options: what, atMs });
    }
  }

  #look(): void {
    if (this.#isOver) return;
    try {
      const { size, nlink } = fstatSync(this.#fd);
      if (size > this.#readBytes) this.#take(this.#read(this.#fd));
      // Somebody has removed the file, or begun it anew.
      if (nlink === 0) this.#joinAgain();
    } catch (error) {
      this.#fail(error);
    }
  }

  #joinAgain(): void {
    closeSync(this.#fd);
    this.#fd = this.#join();
    if (this.#obeyed !== undefined) this.#write(this.#fd, this.#obeyed);
  }

  /** The others join the new file when they look next, and bring what they have obeyed. */
  #beginAnew(): void {
    if (this.#isOver) return;
    try {
      unlinkSync(this.#path);
      this.#joinAgain();
    } catch (error) {
      // Another process begins it anew now.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.#fail(error);
    }
  }

  #read(fd: number): Entry[] {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.max(0, size - this.#readBytes));
    const length = readSync(fd, buffer, 0, buffer.length, this.#readBytes);
    const end = buffer.subarray(0, length).lastIndexOf('\n') + 1;
    this.#readBytes += end;
    return parseEntries(buffer.toString('utf8', 0, end));
  }

  #append(what: Entry['what']): void {
    if (this.#isOver) return;
    try {
      this.#write(this.#fd, what);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Begins with a line feed too, because the text before may be cut off. */
  #write(fd: number, what: Entry['what']): void {
    const { member, monotonicMs } = this.#options;
    const entry: Entry = { by: member, atMs: monotonicMs(), what };
    const line = Buffer.from(`\n${JSON.stringify(entry)}\n`);
    if (writeSync(fd, line) < line.length) throw new Error('no space left');
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    const found = error instanceof Error ? error.message : String(error);
    this.#options.onFault(`commands are no longer shared with other processes that log this job: ${found}`);
  }

  #isOwn(by: Member): boolean {
    return formatMember(by) === formatMember(this.#options.member);
  }
}

/** Removes the files of killed processes. */
export function sweepCommandFiles({
  folder,
  isAlive,
  nowMs,
}: Pick<CommandFileOptions, 'folder' | 'isAlive'> & Pick<Clock, 'nowMs'>): void {
  for (const name of readdirSync(folder).slice(0, MAX_SWEPT)) {
    try {
      const path = join(folder, name);
      if (nowMs() - statSync(path).mtimeMs < STALE_MS) continue;
      const entries = parseEntries(readFileSync(path, 'utf8'));
      if (!entries.some(({ by }) => isAlive(...by))) unlinkSync(path);
    } catch {
      // Another process was faster.
    }
  }
}

/** Parses the file and skips lines that are not ours. */
function parseEntries(text: string): Entry[] {
  return text.split('\n').flatMap((line) => {
    const parsed = parseJsonObject(line);
    if (parsed === undefined) return [];
    const entry = parsed as unknown as Entry;
    if (typeof entry.what === 'string') return [entry];
    const options = parseLogOptions(entry.what);
    return options.ok ? [{ ...entry, what: options.value.options }] : [];
  });
}

function formatMember([pid, startTime]: Member): string {
  return `${pid} ${startTime}`;
}
