import type { JobDescription, JobEvent, JobSource, Stream } from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import { withDeadline } from '../clock/deadline.js';
import type { Reporter } from '../host/report.js';
import { JobLog } from '../rules/job-log.js';
import type { LogConfig, LogMode } from '../rules/log-config.js';
import { findStrictest } from '../rules/log-config.js';
import type { Secrets } from '../secrets/secrets.js';
import type { JobState, JobStreamState } from './job-state.js';
import { formatJobKey } from './job-state.js';
import type { Checkpoint, JobStreamOptions, RestoredStream, StreamWriter } from './job-stream.js';
import { JobStream } from './job-stream.js';
import { ArrivedOutput } from './arrived-output.js';
import { CommandOrder } from './command-order.js';
import type { Output } from '../delivery/output.js';
import type { PeerCommand, PeerCommands } from './peer-commands.js';
import { NO_PEERS } from './peer-commands.js';
import { PendingPoints } from './pending-points.js';
import { RecordPlacer } from './record-placer.js';
import type { StateSource } from '../queue/state-registry.js';
import type { ThroughputLimits } from '../config/settings.js';
import type { TokenBucket } from './token-bucket.js';
import { countLines, createTokenBucket } from './token-bucket.js';

/** How often rows and summaries that keep changing are looked at. */
const TICK_MS = 250;
/** How long output waits at most until its points are queued: what a kill can cost a source that cannot be read again. */
const COMMIT_MS = 30;
/** So much output is rendered, or so many bytes of points are queued, at once. */
const COMMIT_BYTES = 256 * 1024;
/** Short lines take ten times as much as points. */
const PART_BYTES = COMMIT_BYTES / 2;
/** Of all jobs together: thousands of them must not wait with so many bytes each. */
const MAX_ARRIVED_BYTES = 2 * 1024 * 1024;

export interface JobPipelineOptions {
  readonly source: JobSource;
  readonly config: LogConfig;
  readonly limits: ThroughputLimits;
  /** When the queue is full: `wait` lets the source wait as long as it takes; `drop` goes on without logging, and counts. */
  readonly onFull: 'wait' | 'drop';
  readonly output: Pick<Output, 'queue' | 'sender' | 'states' | 'isLocal' | 'counters'>;
  readonly clock: Clock;
  readonly report: Reporter;
  /** What is never stored. */
  readonly secrets?: Secrets | undefined;
  /** Told what state the job is said to be in. */
  readonly onState?: (state: string) => void;
  /** Keeps the job's state with its points. */
  readonly isResumable?: boolean;
  /** Other processes that log the same job. */
  readonly peers?: PeerCommands;
  /** How much later than another stream one may be read that was printed before (CommandOrder); 0 by default. */
  readonly settleMs?: number;
  /** The state from before a restart. */
  readonly state?: JobState | undefined;
}

/** The way of one job's output: bytes → rendered rows → rules → points → queue. The sender takes them on from there. */
export class JobPipeline implements StateSource {
  readonly key: string;
  readonly #options: JobPipelineOptions;
  readonly #pending: PendingPoints;
  readonly #placer: RecordPlacer;
  readonly #log: JobLog;
  readonly #bucket: TokenBucket;
  readonly #peers: PeerCommands;
  readonly #order: CommandOrder;
  #isOnItsWay = (): boolean => false;
  /** Of other processes: they wait until what arrived before is rendered. */
  #peerCommands: PeerCommand[] = [];
  /** When the first of the output was read that has arrived. */
  #arrivedSinceMs = Infinity;
  readonly #streams = new Map<number, JobStream>();
  readonly #arrived = new ArrivedOutput(COMMIT_BYTES, (stream, bytes) => stream.write(bytes));
  readonly #restored = new Map<RestoredStream, JobStreamState>();
  readonly #stop = new AbortController();
  #nextStreamId = 0;
  #isTicking = false;
  #isCommitDue = false;
  #hasChanged = false;
  /** The queue has the whole state, to which changes can be added. */
  #isStateKept = false;
  #lastNs = 0n;
  #hasSaidFault = false;

  constructor(options: JobPipelineOptions) {
    this.#options = options;
    const { source, config, clock, secrets, state } = options;
    this.key = formatJobKey(source);
    this.#peers = options.peers ?? NO_PEERS;
    this.#order = new CommandOrder({
      ...{ settleMs: options.settleMs ?? 0, clock },
      isOnItsWay: () => this.#isOnItsWay(),
      hasOthers: () => this.#countOpen() > 1 || this.#peers.hasPeers,
    });
    this.#placer = new RecordPlacer(options);
    // A state goes with whole pieces of output only.
    const onFull = (): void => {
      if (options.isResumable !== true) this.#queuePending();
    };
    this.#pending = new PendingPoints((message) => this.#sayFault(message), onFull);
    const points = secrets === undefined ? this.#pending : secrets.maskPoints(this.#pending);
    this.#log = new JobLog({
      ...{ source, config, clock, points, updateStreams: () => this.#updateStreams() },
      onObeyed: (obeyed) => this.#peers.publish(obeyed),
      changeMode: (mode) => this.#changeMode(mode),
      ...(state && { state: state.log }),
    });
    this.#bucket = createTokenBucket(options.limits, () => clock.nowMs());
    if (state !== undefined) {
      this.#restore(state);
      this.#isStateKept = true;
    }
    if (options.isResumable === true) options.output.states.add(this);
  }

  #restore({ lastNs, streams }: JobState): void {
    this.#options.clock.reserve(BigInt(lastNs));
    for (const stream of streams) {
      const { id, name, checkpoint } = stream;
      this.#restored.set({ name, checkpoint, wasOpen: stream.renderer !== undefined }, stream);
      this.#nextStreamId = Math.max(this.#nextStreamId, id + 1);
    }
  }

  /** Streams from before a restart that were neither reopened nor forgotten. */
  get restoredStreams(): readonly RestoredStream[] {
    return [...this.#restored.keys()];
  }

  /**
   * A stream of the job. `checkpoint` says where its source stands, in the source's own words: all bytes up to there were given to `write`,
   * or all but the last ones, that many; asked also inside of `write`. `restored`: the stream goes on where that one was.
   */
  openStream(name: Stream, checkpoint: Checkpoint = () => '', restored?: RestoredStream): StreamWriter {
    const state = restored && this.#restored.get(restored);
    if (restored !== undefined) this.#restored.delete(restored);
    return this.#addStream({ name, isMixed: false, checkpoint, state });
  }

  /** The job's stdout and stderr, in the order in which they were printed; kept as stdout. It cannot go on after a restart. */
  openMixedStream(): StreamWriter {
    return this.#addStream({ name: 'stdout', isMixed: true, checkpoint: () => '', state: undefined });
  }

  #addStream(opened: Pick<JobStreamOptions, 'name' | 'isMixed' | 'checkpoint' | 'state'>): StreamWriter {
    const id = opened.state?.id ?? this.#nextStreamId++;
    const mask = this.#options.secrets?.createMask();
    const stream = new JobStream({ ...opened, id, mask, jobLog: this.#log });
    this.#streams.set(id, stream);
    return {
      write: async (bytes) => {
        const readMs = this.#options.clock.nowMs();
        await this.#order.pass(asBuffer(bytes), (part, isUrgent) => this.#add(stream, part, { readMs, isUrgent }));
        await this.#slowDown(bytes);
      },
      end: () => {
        this.#render();
        stream.end();
        if (this.#options.isResumable !== true) this.#streams.delete(id);
        this.#order.releaseIfAlone();
        this.#afterChange();
      },
      forget: () => {
        this.#render();
        stream.end();
        this.#streams.delete(id);
        this.#afterChange();
      },
    };
  }

  /** What was known of a stream that never comes again. */
  forgetRestored(restored: RestoredStream): void {
    this.#restored.delete(restored);
    this.#afterChange();
  }

  /** `isOnItsWay`: whether output is known to have been printed that was not written here yet. */
  expect(isOnItsWay: () => boolean): void {
    this.#isOnItsWay = isOnItsWay;
  }

  /** How many points found no room so far. */
  get droppedPoints(): number {
    return this.#placer.droppedPoints;
  }

  /** `timeNs`: when a scheduler says it was; the same description at the same time is one point. */
  describe(description: JobDescription, timeNs?: bigint): void {
    this.#render();
    this.#log.describe(description, timeNs);
    if (description.state !== undefined) this.#options.onState?.(description.state);
    this.#afterChange();
  }

  addEvent(event: JobEvent, timeNs?: bigint): void {
    this.#render();
    this.#log.addEvent(event, timeNs);
    this.#afterChange();
  }

  addNotice(stream: Stream, text: string): void {
    this.#render();
    this.#log.addNotice(stream, text);
    this.#afterChange();
  }

  /** No source waits any more: the process is about to end. */
  hurry(): void {
    this.#stop.abort();
    this.#order.release();
  }

  /** Queues what is pending as soon as there is room for it. False when there was none in time: a job that waits for room may end so. */
  async untilQueued(timeoutMs: number): Promise<boolean> {
    return withDeadline(timeoutMs, [], async (late) => {
      while (!this.commit()) {
        if (late.aborted) return false;
        await this.#placer.untilRoom(late);
      }
      return true;
    });
  }

  /** The job is over: writes what is still to be written, and its state is kept no more. */
  close(): void {
    this.suspend();
    this.#peers.leave();
    this.#options.output.states.delete(this);
  }

  /** Writes what is still to be written; all streams that will end have ended. Says how many points found no room. */
  suspend(): void {
    this.hurry();
    this.#render();
    // Of streams that go on after a restart the newest rows are stored too.
    for (const stream of this.#streams.values()) stream.update();
    this.#log.writeDue(true);
    this.#sayDropped();
    // What can be read again later is not lost.
    if (!this.commit() && this.#options.isResumable !== true) this.#placer.drop(this.#pending.take().points);
    if (this.droppedPoints > 0) {
      this.#options.report.error(`${this.droppedPoints} points were not stored: there was no room for waiting points`);
    }
  }

  takeWholeState(): string {
    return this.#takeState('whole');
  }

  /** Queues what is pending, with the state that goes with it. False when there is no room for it yet. */
  commit(): boolean {
    if (!this.#placer.placeWaiting()) return false;
    this.#render();
    return this.#queuePending();
  }

  #queuePending(): boolean {
    if (!this.#placer.placeWaiting()) return false;
    const { isResumable } = this.#options;
    if (this.#pending.length === 0 && !(isResumable === true && this.#hasChanged)) return true;
    this.#hasChanged = false;
    const batch = this.#pending.take();
    const kind = this.#isStateKept ? 'change' : 'whole';
    const states = isResumable === true ? [{ key: this.key, kind, value: this.#takeState(kind) } as const] : [];
    const outcome = this.#placer.place({ ...batch, states });
    this.#isStateKept = outcome !== 'dropped';
    return outcome !== 'waits';
  }

  #add(stream: JobStream, bytes: Buffer, { readMs, isUrgent }: { readMs: number; isUrgent: boolean }): void {
    this.#arrivedSinceMs = Math.min(this.#arrivedSinceMs, readMs);
    for (const part of this.#splitArrived(bytes)) {
      this.#addArrived(stream, part);
      this.#afterChange();
    }
    // It has waited, or others wait for a command.
    if (isUrgent) this.commit();
  }

  #countOpen(): number {
    return [...this.#streams.values()].filter(({ isOpen }) => isOpen).length;
  }

  /** A record of the spool is to fit on a disk with little room. What is read again by its checkpoint is one record. */
  #splitArrived(bytes: Uint8Array): Uint8Array[] {
    const { isResumable, output } = this.#options;
    if (isResumable === true || output.isLocal || bytes.length <= PART_BYTES) return [bytes];
    const count = Math.ceil(bytes.length / PART_BYTES);
    return Array.from({ length: count }, (_, i) => bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES));
  }

  /** Little pieces cost much more each by itself than together. */
  #addArrived(stream: JobStream, bytes: Uint8Array): void {
    const { counters } = this.#options.output;
    const before = this.#arrived.length;
    this.#arrived.add(stream, bytes);
    counters.arrivedBytes += this.#arrived.length - before;
    if (counters.arrivedBytes >= MAX_ARRIVED_BYTES) this.commit();
  }

  #render(): void {
    this.#peerCommands.push(...this.#peers.take());
    this.#obeyPeers(this.#countForbidding());
    this.#options.output.counters.arrivedBytes -= this.#arrived.length;
    this.#arrived.renderAll();
    this.#arrivedSinceMs = Infinity;
    this.#obeyPeers(this.#peerCommands.length);
  }

  /**
   * How many of the others' commands hold for the output that has arrived. Those that came while it was read may have been before it or behind:
   * it takes the strictest mode.
   */
  #countForbidding(): number {
    const { settleMs = 0 } = this.#options;
    let { mode } = this.#log;
    let strictest = mode;
    let count = 0;
    for (const [i, { options, atMs }] of this.#peerCommands.entries()) {
      mode = options.mode ?? mode;
      const isBefore = atMs <= this.#arrivedSinceMs + settleMs;
      if (!isBefore && findStrictest(mode, strictest) !== mode) continue;
      strictest = mode;
      count = i + 1;
    }
    return count;
  }

  #obeyPeers(count: number): void {
    for (const command of this.#peerCommands.splice(0, count)) this.#log.set(command.options);
  }

  #takeState(kind: 'whole' | 'change'): string {
    const { source, clock, secrets } = this.#options;
    this.#lastNs = clock.nextNs();
    const open = [...this.#streams.values()].map((stream) => stream.takeState(kind));
    const state: JobState = {
      source,
      log: this.#log.takeState(kind),
      lastNs: String(this.#lastNs),
      streams: [...open, ...this.#restored.values()],
    };
    const json = JSON.stringify(state);
    return secrets === undefined ? json : secrets.maskJson(json);
  }

  #afterChange(): void {
    this.#hasChanged = true;
    this.#sayDropped();
    if (this.#pending.length >= COMMIT_BYTES) this.commit();
    else this.#commitSoon();
    this.#keepTicking();
  }

  #commitSoon(): void {
    if (this.#isCommitDue || this.#stop.signal.aborted) return;
    this.#isCommitDue = true;
    void this.#options.clock.sleep(COMMIT_MS, this.#stop.signal).then(() => {
      this.#isCommitDue = false;
      this.commit();
    });
  }

  /** What keeps changing is rewritten in place now and then, as long as something changes. */
  #keepTicking(): void {
    if (this.#isTicking || this.#stop.signal.aborted || !this.#isChanging()) return;
    this.#isTicking = true;
    void this.#options.clock.sleep(TICK_MS, this.#stop.signal).then(() => {
      this.#isTicking = false;
      if (this.#stop.signal.aborted) return;
      this.#updateStreams();
      this.#log.writeDue();
      this.#afterChange();
    });
  }

  #updateStreams(): void {
    for (const stream of this.#streams.values()) stream.update();
  }

  #changeMode(mode: LogMode): void {
    for (const stream of this.#streams.values()) stream.changeMode(mode);
  }

  #isChanging(): boolean {
    return (
      this.#arrived.length > 0 || this.#log.isDirty || [...this.#streams.values()].some((stream) => stream.isChanging)
    );
  }

  #sayFault(message: string): void {
    if (this.#hasSaidFault) return;
    this.#hasSaidFault = true;
    this.#options.report.error(message);
  }

  /** Once there is room again, the log says how much is missing before it goes on. */
  #sayDropped(): void {
    const missing = this.#placer.takeGap();
    if (missing === undefined) return;
    const { points, fromNs } = missing;
    const text = `${points} points are missing here: the store could not take them and there was no room to keep them`;
    this.#log.addNotice('stdout', text, fromNs);
  }

  async #slowDown(bytes: Uint8Array): Promise<void> {
    const { clock, output } = this.#options;
    const lines = countLines(bytes);
    output.counters.outputBytes += bytes.length;
    output.counters.outputLines += lines;
    const delayMs = this.#bucket.take(bytes.length, lines);
    if (delayMs > 0) await clock.sleep(delayMs, this.#stop.signal);
    while (this.#placer.mustWait && !this.#stop.signal.aborted) {
      await this.#placer.untilRoom(this.#stop.signal);
      this.#placer.placeWaiting();
    }
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
