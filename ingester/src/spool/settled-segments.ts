import type { Clock } from '../clock/clock.js';
import { nameErrorCode } from '../host/file-error.js';
import type { Reporter } from '../host/report.js';
import type { CheckpointWriter } from './checkpoint.js';
import type { Segment } from './segment.js';
import type { SpoolFs } from './spool-fs.js';

/** How often the settled position is saved: after a crash, points that were settled since are sent again. */
const CHECKPOINT_INTERVAL_MS = 5000;

interface SettledSegmentsOptions {
  readonly folder: string;
  readonly fs: SpoolFs;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly report: Reporter;
  /** All segments, oldest first. Removed ones are taken out. */
  readonly segments: Segment[];
  readonly settled: number;
  readonly checkpoint: CheckpointWriter;
  /** Whether the states must outlive the points: only segments before the newest head are then removed. */
  readonly keepsStates: boolean;
  /** Whether more records may come. */
  readonly isAppended: boolean;
  /** The record at which the newest head in the segments starts. */
  readonly headSequence: number | undefined;
  /** While writing fails, a failure here is no news. */
  readonly isWritingFailed: () => boolean;
  readonly onRemoved: () => void;
  /** Sets a file aside that cannot be read in full. */
  readonly setAside: (path: string) => Promise<void>;
}

/** Saves the settled position, and removes the segments before it once it is durable. */
export class SettledSegments {
  readonly #options: SettledSegmentsOptions;
  #settled: number;
  #durable: number;
  #writtenMs: number;
  #headSequence: number;
  #running: Promise<void> | undefined;
  #hasFailed = false;
  #isReported = false;

  constructor(options: SettledSegmentsOptions) {
    this.#options = options;
    this.#settled = options.settled;
    this.#durable = options.settled;
    this.#headSequence = options.headSequence ?? -1;
    this.#writtenMs = options.clock.monotonicMs();
  }

  /** The first unsettled record. */
  get settled(): number {
    return this.#settled;
  }

  /** Notes that all records before `settled` are settled. */
  advance(settled: number): void {
    this.#settled = Math.max(this.#settled, settled);
    if (this.#running !== undefined || !this.#isDue()) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      // The position may have advanced meanwhile.
      this.advance(settled);
    });
  }

  /** Notes that the head that starts at `sequence` is complete and durable. */
  noteHead(sequence: number): void {
    this.#headSequence = sequence;
    this.advance(this.#settled);
  }

  /** Call it for a new folder, where the position is not saved yet. */
  async forgetKept(): Promise<void> {
    await this.#running;
    this.#durable = -1;
    await this.#options.checkpoint.close();
  }

  /** Makes the position durable if it is not. Throws the error of the disk. */
  async keep(): Promise<void> {
    await this.#running;
    const settled = this.#settled;
    if (settled <= this.#durable) return;
    await this.#options.checkpoint.write(settled);
    this.#durable = Math.max(this.#durable, settled);
  }

  /** Saves the position once more, unless nothing is left that needs it. */
  async close({ isOver }: { readonly isOver: boolean }): Promise<void> {
    await this.#running;
    if (isOver) return this.#options.checkpoint.close();
    if (this.#settled > this.#durable || this.#removable().length > 0) await this.#run();
    await this.#options.checkpoint.close();
  }

  #isDue(): boolean {
    const isOld = this.#options.clock.monotonicMs() - this.#writtenMs >= CHECKPOINT_INTERVAL_MS;
    const removable = this.#removable();
    // Where nothing is appended, the last segments are removed with their folder.
    const isMore =
      removable.length > 0 && (this.#options.isAppended || removable.length < this.#options.segments.length);
    return (isOld && this.#settled > this.#durable) || (isMore && (isOld || !this.#hasFailed));
  }

  /** A segment without an end is being written and never removed. */
  #removable(): Segment[] {
    const { segments, keepsStates } = this.#options;
    return segments.filter(({ end }) => end <= this.#settled && (!keepsStates || end <= this.#headSequence));
  }

  async #run(): Promise<void> {
    const { fs, folder, segments, clock, report, checkpoint, setAside } = this.#options;
    const settled = this.#settled;
    const removable = this.#removable();
    this.#writtenMs = clock.monotonicMs();
    try {
      if (settled > this.#durable) await checkpoint.write(settled);
      this.#durable = settled;
      for (const segment of removable) {
        await (segment.isDamaged === true ? setAside(segment.path) : fs.remove(segment.path));
        segments.splice(segments.indexOf(segment), 1);
      }
      if (removable.length > 0) await fs.syncFolder(folder);
      this.#hasFailed = false;
      this.#isReported = false;
    } catch (error) {
      if (!this.#isReported && !this.#options.isWritingFailed()) {
        this.#isReported = true;
        report.warn(
          `tidying up the spool ${folder} failed (${nameErrorCode(error)}): points already sent may be sent once more`
        );
      }
      this.#hasFailed = true;
    }
    if (removable.length > 0) this.#options.onRemoved();
  }
}
