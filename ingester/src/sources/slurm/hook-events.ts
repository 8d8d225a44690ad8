import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { ifThere, isGone } from '@joblens/core/result/is-gone';
import { describeFileError } from '../../host/file-error.js';

/** What a hook of slurmctld tells: that a job starts or ends. All else is asked of Slurm itself. */
export interface HookEvent {
  readonly kind: 'start' | 'end';
  readonly rawId: number;
}

/** A link may lead anywhere, and opening a FIFO may wait for ever. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const GROUP_OR_OTHERS_MAY_WRITE = 0o022;
/** Some 60,000 events. Of more at once, only the newest are read: the list of jobs tells the rest. */
const MAX_READ_BYTES = 2 ** 20;

/**
 * Reads the events that the hooks append to a file, from its end on. The hooks give the file another name when it has
 * grown; what was written to it until then is read, too.
 */
export class HookEvents {
  readonly #path: string;
  readonly #warn: (message: string) => void;
  #fd: number | undefined;
  #inode = 0;
  #readBytes = 0;
  #rest = '';
  #isFirst = true;
  #refused = '';

  constructor(path: string, warn: (message: string) => void) {
    this.#path = path;
    this.#warn = warn;
  }

  /** The events since the last call; none without a file. */
  read(): readonly HookEvent[] {
    let events: HookEvent[] = [];
    try {
      if (this.#fd !== undefined) events = this.#readOpen(this.#fd);
      if (this.#fd !== undefined && this.#isInPlace()) {
        this.#refused = '';
        return events;
      }
      this.close();
      this.#open();
      if (this.#fd !== undefined) events = [...events, ...this.#readOpen(this.#fd)];
    } catch (error) {
      this.#refuse(describeFileError(error));
      // Opened again, it may be readable, as after a file server was away; old events do no harm.
      this.close();
    }
    return events;
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#rest = '';
  }

  #isInPlace(): boolean {
    return ifThere(() => statSync(this.#path))?.ino === this.#inode;
  }

  #open(): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    try {
      const fd = openSync(this.#path, OPEN_FLAGS);
      const { ino, size, mode } = fstatSync(fd);
      if ((mode & constants.S_IFMT) !== constants.S_IFREG || (mode & GROUP_OR_OTHERS_MAY_WRITE) !== 0) {
        closeSync(fd);
        this.#refuse('it must be a plain file that nobody but its owner may write');
        return;
      }
      // What was told before this watch began is in its first list of jobs.
      [this.#fd, this.#inode, this.#readBytes] = [fd, ino, isFirst ? size : 0];
    } catch (error) {
      if (!isGone(error)) this.#refuse(describeFileError(error));
    }
  }

  /** Says it once, until the file can be read again. */
  #refuse(reason: string): void {
    if (reason !== this.#refused) this.#warn(`cannot read what Slurm's hooks tell in ${this.#path}: ${reason}`);
    this.#refused = reason;
  }

  #readOpen(fd: number): HookEvent[] {
    const { size } = fstatSync(fd);
    if (size < this.#readBytes) [this.#readBytes, this.#rest] = [0, ''];
    const from = Math.max(this.#readBytes, size - MAX_READ_BYTES);
    if (size === from) return [];
    const bytes = Buffer.alloc(size - from);
    const count = readSync(fd, bytes, 0, bytes.length, from);
    this.#readBytes = from + count;
    const lines = (this.#rest + bytes.toString('latin1', 0, count)).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-MAX_READ_BYTES);
    return lines.flatMap((line) => parseEvent(line) ?? []);
  }
}

function parseEvent(line: string): HookEvent | undefined {
  const [, kind, rawId] = /^(start|end) (\d{1,10})$/.exec(line) ?? [];
  return kind === undefined ? undefined : { kind: kind === 'start' ? 'start' : 'end', rawId: Number(rawId) };
}
