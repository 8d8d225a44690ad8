import type { Clock } from '../clock/clock.js';
import type { Reporter } from '../host/report.js';
import type { CheckpointWriter } from './checkpoint.js';
import type { Segment } from './segment.js';
import { shrinkSegment } from './shrink-segment.js';
import type { SpoolFs } from './spool-fs.js';
import { codeOf } from './spool-fs.js';

/** How often the settled position is written down: after a crash, points that were settled since are sent once more. */
const CHECKPOINT_INTERVAL_MS = 5000;

interface SettledSegmentsOptions {
  readonly folder: string;
  readonly fs: SpoolFs;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly report: Reporter;
  /** All segments, oldest first; removed ones are taken out. */
  readonly segments: Segment[];
  readonly settled: number;
  readonly checkpoint: CheckpointWriter;
  /** Whether the states must outlive the points: then the segments before the newest head only are removed. */
  readonly keepsStates: boolean;
  /** Whether more records come. */
  readonly isAppended: boolean;
  /** Where the newest head in the segments starts. */
  readonly headSequence: number | undefined;
  /** Then a failure here is no news, and room is needed. */
  readonly isWritingFailed: () => boolean;
  readonly onRemoved: () => void;
  /** Keeps a file of which something could not be read. */
  readonly setAside: (path: string) => Promise<void>;
}

/**
 * Keeps the settled position, and removes the segments before it when the position is durable. While the disk is full,
 * also what is kept for its states is made small: a head that would replace it may find no room.
 */
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
    this.#writtenMs = options.clock.nowMs();
  }

  /** The first record that is not settled. */
  get settled(): number {
    return this.#settled;
  }

  /** All records before `settled` are settled. */
  advance(settled: number): void {
    this.#settled = Math.max(this.#settled, settled);
    if (this.#running !== undefined || !this.#isDue()) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      // More may have come meanwhile.
      this.advance(settled);
    });
  }

  /** A head that starts there is complete and durable. */
  noteHead(sequence: number): void {
    this.#headSequence = sequence;
    this.advance(this.#settled);
  }

  /** The folder is another one: the position is not kept there. */
  async forgetKept(): Promise<void> {
    await this.#running;
    this.#durable = -1;
    await this.#options.checkpoint.close();
  }

  /** Makes the position durable, if it is not. Throws the error of the disk. */
  async keep(): Promise<void> {
    await this.#running;
    const settled = this.#settled;
    if (settled <= this.#durable) return;
    await this.#options.checkpoint.write(settled);
    this.#durable = Math.max(this.#durable, settled);
  }

  /** Keeps the position once more, unless nothing is left that it is for. */
  async close({ isOver }: { readonly isOver: boolean }): Promise<void> {
    await this.#running;
    if (isOver) return this.#options.checkpoint.close();
    if (this.#settled > this.#durable || this.#removable().length > 0) await this.#run();
    await this.#options.checkpoint.close();
  }

  #isDue(): boolean {
    const isOld = this.#options.clock.nowMs() - this.#writtenMs >= CHECKPOINT_INTERVAL_MS;
    const removable = this.#removable();
    // Where nothing is appended the last ones go with their folder, at the end.
    const isMore =
      removable.length > 0 && (this.#options.isAppended || removable.length < this.#options.segments.length);
    const isRoomMade = isMore || this.#shrinkable().length > 0;
    return (isOld && this.#settled > this.#durable) || (isRoomMade && (isOld || !this.#hasFailed));
  }

  /** One without an end never is: it is being written. */
  #removable(): Segment[] {
    const { segments, keepsStates } = this.#options;
    return segments.filter(({ end }) => end <= this.#settled && (!keepsStates || end <= this.#headSequence));
  }

  #shrinkable(): Segment[] {
    if (!this.#options.keepsStates || !this.#options.isWritingFailed()) return [];
    const removable = new Set(this.#removable());
    return this.#options.segments.filter(
      (segment) =>
        segment.end <= this.#settled &&
        segment.isShrunk !== true &&
        segment.isDamaged !== true &&
        !removable.has(segment)
    );
  }

  async #run(): Promise<void> {
    const { fs, folder, segments, clock, report, checkpoint, setAside } = this.#options;
    const settled = this.#settled;
    const removable = this.#removable();
    const shrinkable = this.#shrinkable();
    this.#writtenMs = clock.nowMs();
    try {
      if (settled > this.#durable) await checkpoint.write(settled);
      this.#durable = settled;
      for (const segment of removable) {
        await (segment.isDamaged === true ? setAside(segment.path) : fs.remove(segment.path));
        segments.splice(segments.indexOf(segment), 1);
      }
      if (removable.length > 0) await fs.syncFolder(folder);
      for (const segment of shrinkable) await shrinkSegment(fs, folder, segment);
      this.#hasFailed = false;
      this.#isReported = false;
    } catch (error) {
      if (!this.#isReported && !this.#options.isWritingFailed()) {
        this.#isReported = true;
        report.warn(
          `tidying up the spool ${folder} failed (${codeOf(error)}): points already sent may be sent once more`
        );
      }
      this.#hasFailed = true;
    }
    if (removable.length + shrinkable.length > 0) this.#options.onRemoved();
  }
}
