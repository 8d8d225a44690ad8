/** Points as line protocol, as they are queued, sent and written to files. */
export interface PointBatch {
  /** Whole points, each ended by a newline. A string field may hold newlines too, inside its quotes. */
  readonly bytes: Buffer;
  readonly points: number;
}

/**
 * A change of the state that a source needs to continue after a restart. Becomes durable together with the points of
 * its record.
 */
export interface StateChange {
  /** Whose state it is, e.g. one job's. */
  readonly key: string;
  /** `whole` takes the place of all that is known under the key, `change` is added to it, `gone` forgets the key. */
  readonly kind: 'whole' | 'change' | 'gone';
  /** JSON; '' for `gone`. */
  readonly value: string;
}

/** Points and states that are queued at once: after a crash all of it is there, or nothing. */
export interface QueueRecord extends PointBatch {
  readonly states: readonly StateChange[];
  /** Descriptions and events of jobs may use a reserve when there is no room for more output. */
  readonly isUrgent: boolean;
}

/** How much is read at once. */
export interface BatchLimits {
  readonly maxPoints: number;
  readonly maxBytes: number;
}

/**
 * Where points wait between the rules and the sink, in the order in which they were made. Points leave it only when the
 * sink has settled them.
 */
export interface PointQueue {
  /** Takes the record, with the memory of its bytes, or nothing of it when there is no room. */
  append(record: QueueRecord): boolean;
  /**
   * The oldest points that are not settled: whole records up to the limits, at least one; undefined when none wait.
   * Only points that a crash cannot lose any more are given out. The same points come again until `release`, which
   * takes their memory.
   */
  read(limits: BatchLimits): Promise<PointBatch | undefined>;
  /**
   * Prepares the batch that `read` will give after `release`, while the points that were read are on their way;
   * undefined when there is nothing yet. Neither of the two may be called before this has resolved.
   */
  readAhead(limits: BatchLimits): Promise<PointBatch | undefined>;
  /** The batch that was read last is settled. */
  release(): Promise<void>;
  readonly waitingPoints: number;
  readonly waitingBytes: number;
  /** From 0 (empty) to 1 (no room). */
  readonly fill: number;
  /**
   * How a full queue will get room: from the disk, which is only slow, or by sending; undefined when that is not known.
   */
  readonly relief: 'disk' | 'sending' | undefined;
  /**
   * Why its disk takes nothing at the moment, as the system calls it; undefined when it does, or when there is none.
   */
  readonly diskFailure: string | undefined;
  /** Whether points that it had taken are lost: their place on disk cannot be read. */
  readonly hasLost: boolean;
  /** Resolves when at least `points` points can be read, or the signal is aborted. */
  untilWaiting(points: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the queue is filled to at most `fill`, or the signal is aborted. */
  untilFill(fill: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when a crash cannot lose what was appended any more, to false when that is not so and nobody knows when. A
   * queue in memory has it at once.
   */
  untilDurable(): Promise<boolean>;
  /** Makes the appended records durable, and closes the files. Nothing may be appended or read afterwards. */
  close(): Promise<void>;
}
