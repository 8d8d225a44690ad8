import type { TransitionOrigin } from '@joblens/core/schema/transition-point';
import { createSmallFile, readSmallFile } from './checkpoint.js';
import { openSealedText, sealText } from './sealed-text.js';
import { removeQuietly, type SpoolFs } from './spool-fs.js';

const NAME = 'open-job';

/** A job whose last reported state is not its end. */
export interface OpenJob {
  readonly job: string;
  readonly user: string;
  readonly state: string;
  /** The time of that report, in nanoseconds since the Unix epoch. */
  readonly sinceNs: string;
  /** Missing in a note of an older version. */
  readonly origin?: TransitionOrigin;
}

/** A note in a writer's folder in case it is killed: the job whose end was not reported. */
export class OpenJobNote {
  readonly #fs: SpoolFs;
  readonly #path: string;
  /** Runs one change after the other. */
  #done: Promise<void> = Promise.resolve();
  #job: OpenJob | undefined;

  constructor(fs: SpoolFs, folder: string) {
    this.#fs = fs;
    this.#path = `${folder}/${NAME}`;
  }

  /** Undefined when there is no readable note. */
  async read(): Promise<OpenJob | undefined> {
    const text = openSealedText((await readSmallFile(this.#fs, this.#path)) ?? '');
    return text === undefined ? undefined : (JSON.parse(text) as OpenJob);
  }

  /**
   * Resolves when all changes so far are made. A note that cannot be written only means that a kill goes unreported.
   */
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

  /** Writes the note, also again to a recreated folder. */
  restore(): Promise<void> {
    const job = this.#job;
    if (job === undefined) return this.#done;
    return this.#do(() => createSmallFile(this.#fs, this.#path, sealText(JSON.stringify(job))));
  }

  /** Drops the note once `said` resolves to true: the report of the end is then durable. */
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
