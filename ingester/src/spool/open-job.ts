import { createSmallFile, readSmallFile } from './checkpoint.js';
import { openSealedText, sealText } from './sealed-text.js';
import type { SpoolFs } from './spool-fs.js';
import { removeQuietly } from './spool-fs.js';

const NAME = 'open-job';

/** A job that was said to be in a state from which it has to come out. */
export interface OpenJob {
  readonly job: string;
  readonly user: string;
  readonly state: string;
  /** When it was said, in nanoseconds since the Unix epoch. */
  readonly sinceNs: string;
}

/** A note that a writer keeps in its folder in case it is killed: which job has not been reported as ended. */
export class OpenJobNote {
  readonly #fs: SpoolFs;
  readonly #path: string;
  /** One change after the other. */
  #done: Promise<void> = Promise.resolve();
  #job: OpenJob | undefined;

  constructor(fs: SpoolFs, folder: string) {
    this.#fs = fs;
    this.#path = `${folder}/${NAME}`;
  }

  /** Undefined when there is none that can be read. */
  async read(): Promise<OpenJob | undefined> {
    const text = openSealedText((await readSmallFile(this.#fs, this.#path)) ?? '');
    return text === undefined ? undefined : (JSON.parse(text) as OpenJob);
  }

  /** Resolves when the changes so far are made. What cannot be written is not known after a kill: that is all. */
  get done(): Promise<void> {
    return this.#done;
  }

  /** `undefined`: the end of the job was appended. */
  set(job: OpenJob | undefined, untilDurable: () => Promise<boolean>): void {
    const before = this.#job;
    this.#job = job;
    if (job !== undefined) void this.restore();
    else if (before !== undefined) void this.drop(untilDurable());
  }

  /** Writes it, also once more to a folder that was made anew. */
  restore(): Promise<void> {
    const job = this.#job;
    if (job === undefined) return this.#done;
    return this.#do(() => createSmallFile(this.#fs, this.#path, sealText(JSON.stringify(job))));
  }

  /** The end was said, and is durable when `said` resolves to true. */
  drop(said: Promise<boolean>): Promise<void> {
    return this.#do(async () => {
      if (await said) await removeQuietly(this.#fs, this.#path);
    });
  }

  #do(change: () => Promise<void>): Promise<void> {
    this.#done = this.#done.then(change).catch(() => undefined);
    return this.#done;
  }
}
