import { NS_PER_MS, WEEK_MS } from '@joblens/core/numbers/time-units';
import {
  createHeartbeatPoint,
  findHeartbeatNs,
  findSlotStartMs,
  type Heartbeat,
  HEARTBEAT_GRIDS,
  type HeartbeatGrid,
} from '@joblens/core/schema/heartbeat-point';
import { createClaimPoint, type FileClaim } from '@joblens/core/schema/file-claim';
import type { JobDescription } from '@joblens/core/schema/job-point';
import { formatJobWriter, type JobWriter, parseJobWriter } from '@joblens/core/schema/job-writer';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { PointWriter } from '../writing/point-writer.js';
import type { Rewrites } from '../writing/rewrites.js';

const [FINEST] = HEARTBEAT_GRIDS;
/** After a longer silence, as of a daemon that was down, only the slots of this time are filled. */
const MAX_GAP_MS = WEEK_MS;
/** A millisecond of the finest grid is a nanosecond. */
const MAX_LATER_NS = FINEST.slotMs;

/** The state with which a HeartbeatLog continues after a restart. */
export interface HeartbeatLogState extends Heartbeat {
  readonly endedMs?: number;
  /** Up to here, the heartbeats are written. */
  readonly beatMs?: number;
  /** For each grid, the slot whose heartbeat was written again last, and how far behind its place. */
  readonly again?: Readonly<Record<string, { readonly slot: number; readonly laterNs: number }>>;
}

export interface HeartbeatLogOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly nowMs: () => number;
  readonly rewrites: Rewrites;
  /** Whether the job lives as long as its log is open. If not, only a state without an end, or output, shows it. */
  readonly livesWithLog: boolean;
  readonly state?: HeartbeatLogState | undefined;
}

/** Writes that a job lives, one point in each slot of each grid, so that a range of time finds its jobs. */
export class HeartbeatLog {
  readonly #options: HeartbeatLogOptions;
  #state: HeartbeatLogState;
  /** The time of a sign of life that is not written yet, or not as it is now. */
  #signMs: number | undefined;

  constructor(options: HeartbeatLogOptions) {
    this.#options = options;
    this.#state = options.state ?? {};
  }

  get isDirty(): boolean {
    return this.#signMs !== undefined;
  }

  get state(): HeartbeatLogState {
    return this.#state;
  }

  /** How long until the job's next heartbeat. Each job has its own moment in a slot, so that not all write at once. */
  get delayMs(): number {
    const { source, nowMs } = this.#options;
    const nextSlotMs = findSlotStartMs(nowMs(), FINEST) + FINEST.slotMs;
    return Number(findHeartbeatNs(source, nextSlotMs) / NS_PER_MS) + 1 - nowMs();
  }

  /** Takes a description of the job, and the part of it that may be stored. */
  tell(told: JobDescription, { endedMs }: JobDescription): void {
    const { state, startedMs } = told;
    const size = { nodes: told.nodes, cpus: told.requestedCpus, gpus: told.requestedGpus, account: told.account };
    const { endedMs: earlierEnd, progress, remainingS, ...known } = this.#state;
    const ended = endedMs ?? (state === undefined ? earlierEnd : undefined);
    const ofRun = startedMs === undefined || startedMs === known.startedMs ? { progress, remainingS } : {};
    this.#state = {
      ...known,
      ...Object.fromEntries(Object.entries(size).filter(([, value]) => value !== undefined)),
      ...(state !== undefined && { state }),
      ...(startedMs !== undefined && { startedMs }),
      ...(ended !== undefined && { endedMs: ended }),
      progress: told.progress ?? ofRun.progress,
      remainingS: told.remainingS ?? ofRun.remainingS,
    };
    // Progress alone waits for the next slot: the description has the newest.
    const isProgress = Object.keys(told).every((part) => part === 'progress' || part === 'remainingS');
    if (this.#livesOn && !isProgress) this.#signMs = this.#options.nowMs();
  }

  /** Takes who logs the output of the job; the files of a `watch` come to those that it follows. */
  noteWriter(writer: JobWriter): void {
    if (writer.kind === 'run') {
      this.#setWriter({ writer: formatJobWriter(writer) });
      return;
    }
    const before = parseJobWriter(this.#state.watcher ?? '');
    const ofSpool = before?.kind === 'watch' && before.id === writer.id ? before.files : [];
    const known = ofSpool.filter((file) => !writer.files.includes(file));
    this.#setWriter({ watcher: formatJobWriter({ ...writer, files: [...known, ...writer.files] }) });
  }

  /** Writes what a `watch` says of a file of the job now. It is no sign that the job lives. */
  claimFile(claim: FileClaim): void {
    const { source, points, nowMs } = this.#options;
    points.addPoint(createClaimPoint(source, claim, nowMs()));
  }

  /** Takes that a file is left to another. */
  leaveFile(file: string): void {
    const before = parseJobWriter(this.#state.watcher ?? '');
    if (before === undefined) return;
    const files = before.files.filter((one) => one !== file);
    this.#setWriter({ watcher: files.length === 0 ? undefined : formatJobWriter({ ...before, files }) });
  }

  /** Call it when the job has printed something, or its log was opened. */
  noteSign(): void {
    const nowMs = this.#options.nowMs();
    const beatMs = this.#beatMs;
    if (beatMs === undefined || beatMs < findSlotStartMs(nowMs, FINEST)) this.#signMs = nowMs;
  }

  /** Writes the heartbeats that are due. */
  writeDue(): void {
    const { source, points, nowMs } = this.#options;
    const { endedMs, beatMs: _beatMs, again: _again, ...heartbeat } = this.#state;
    const [livesOn, beatMs] = [this.#livesOn, this.#beatMs];
    const lastSignMs = this.#signMs ?? (livesOn ? this.#state.beatMs : undefined);
    if (lastSignMs === undefined) return;
    const untilMs = livesOn ? Math.min(nowMs(), endedMs ?? Infinity) : lastSignMs;
    for (const grid of HEARTBEAT_GRIDS) {
      const newest = findSlotStartMs(untilMs, grid);
      const next = beatMs === undefined || !livesOn ? newest : findSlotStartMs(beatMs, grid) + grid.slotMs;
      const first = Math.max(this.isDirty ? Math.min(next, newest) : next, newest - MAX_GAP_MS);
      for (let slot = first; slot <= newest; slot += grid.slotMs) {
        const laterNs = this.#findLaterNs(grid, slot, untilMs);
        points.addPoint(createHeartbeatPoint(source, grid, slot, heartbeat, BigInt(laterNs)));
      }
    }
    this.#state = { ...this.#state, beatMs: Math.max(untilMs, beatMs ?? untilMs) };
    this.#signMs = undefined;
  }

  /** Up to here, heartbeats are written. Those for a later time, from before the clock was set back, do not count. */
  get #beatMs(): number | undefined {
    const { beatMs } = this.#state;
    return beatMs !== undefined && this.#options.nowMs() < findSlotStartMs(beatMs, FINEST) ? undefined : beatMs;
  }

  #setWriter(part: Pick<Heartbeat, 'writer' | 'watcher'>): void {
    this.#state = { ...this.#state, ...part };
    this.#signMs = this.#options.nowMs();
  }

  /** How far behind its place a heartbeat is that is written again: the later in the slot, whoever writes it. */
  #findLaterNs({ grid, slotMs }: HeartbeatGrid, slot: number, untilMs: number): number {
    const { beatMs, again } = this.#state;
    const isAgain = beatMs !== undefined && slot <= Math.floor(beatMs / slotMs) * slotMs;
    if (!isAgain || this.#options.rewrites() !== false) return 0;
    const before = again?.[grid];
    const atLeast = before?.slot === slot ? before.laterNs + 1 : 1;
    const laterNs = Math.max(Math.floor(((untilMs - slot) / slotMs) * MAX_LATER_NS), atLeast);
    this.#state = { ...this.#state, again: { ...again, [grid]: { slot, laterNs } } };
    return laterNs;
  }

  /** Whether the job is known to live on until its end is told. */
  get #livesOn(): boolean {
    return this.#options.livesWithLog || this.#state.state !== undefined;
  }
}
