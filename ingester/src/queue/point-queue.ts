/** Points as line protocol, as they are queued, sent and written to files. */
export interface PointBatch {
  /** Whole points, each ended by a newline. A string field may hold newlines too, inside its quotes. */
  readonly bytes: Buffer;
  readonly points: number;
}

/**
 * A change of the state that a source needs to continue after a restart. It becomes durable together with the points of
 * its record.
 */
export interface StateChange {
  /** The owner of the state, e.g. one job. */
  readonly key: string;
  /** `whole` replaces everything known under the key, `change` is added to it, `gone` forgets the key. */
  readonly kind: 'whole' | 'change' | 'gone';
  /** JSON; '' for `gone`. */
  readonly value: string;
}

/** Points and states that are queued together: after a crash all of them are there, or none. */
export interface QueueRecord extends PointBatch {
  readonly states: readonly StateChange[];
  /** Descriptions and events of jobs may use a reserve when there is no room for more output. */
  readonly isUrgent: boolean;
}

/** The most that is read at once. */
export interface BatchLimits {
  readonly maxPoints: number;
  readonly maxBytes: number;
}

/**
 * Holds points between the rules and the sink, in the order in which they were made. Points leave it only when the sink
 * has settled them.
 */
export interface PointQueue {
  /** Takes the record and the memory of its bytes, or nothing of it when there is no room. */
  append(record: QueueRecord): boolean;
  /**
   * Reads the oldest unsettled points: whole records up to the limits, at least one; undefined when none wait. Gives
   * out only points that no crash can lose any more. The same points are given again until `release`, which takes their
   * memory.
   */
  read(limits: BatchLimits): Promise<PointBatch | undefined>;
  /**
   * Prepares the batch that `read` will return after `release`, while the last points are being sent; undefined when
   * there is nothing yet. Call neither of the two before this has resolved.
   */
  readAhead(limits: BatchLimits): Promise<PointBatch | undefined>;
  /** Settles the batch that was read last. */
  release(): Promise<void>;
  readonly waitingPoints: number;
  readonly waitingBytes: number;
  /** From 0 (empty) to 1 (no room). */
  readonly fill: number;
  /** How a full queue gets room: from the disk, which is only slow, or by sending; undefined when unknown. */
  readonly relief: 'disk' | 'sending' | undefined;
  /**
   * The system's name of the reason why its disk takes nothing now; undefined when the disk works, or there is none.
   */
  readonly diskFailure: string | undefined;
  /** Whether points that it had taken are lost, because they cannot be read from the disk. */
  readonly hasLost: boolean;
  /** Resolves when at least `points` points can be read, or the signal is aborted. */
  untilWaiting(points: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the queue is filled to at most `fill`, or the signal is aborted. */
  untilFill(fill: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves to true when no crash can lose the appended records any more; to false when that is not so and nobody
   * knows when it will be. A queue in memory resolves at once.
   */
  untilDurable(): Promise<boolean>;
  /** Makes the appended records durable, and closes the files. Nothing may be appended or read afterwards. */
  close(): Promise<void>;
}
