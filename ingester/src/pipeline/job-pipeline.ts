import type { JobDescription, JsonValue } from '@joblens/core/schema/job-point';
import type { FileClaim } from '@joblens/core/schema/file-claim';
import type { JobWriter } from '@joblens/core/schema/job-writer';
import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import type { Clock } from '../clock/clock.js';
import type { ThroughputLimits } from '../config/settings.js';
import type { Delivery } from '../delivery/delivery.js';
import type { Reporter } from '../host/report.js';
import { formatPoints } from '../host/format-points.js';
import type { StateSource } from '../queue/state-registry.js';
import { contain, containStep } from '../rules/writing/fault-keeper.js';
import { JobLog } from '../rules/job-log.js';
import type { EndFacts } from '../rules/signals/job-signals.js';
import type { LogConfig } from '../rules/options/log-config.js';
import type { Progress } from '../rules/told/progress-log.js';
import type { Rewrites } from '../rules/writing/rewrites.js';
import type { TakenRun } from '../rules/options/reproduce.js';
import type { StateChange } from '../rules/told/transition-log.js';
import { maskTags, type Secrets } from '../secrets/secrets.js';
import { formatJobKey, type JobState } from './job-state.js';
import type { Checkpoint, RestorableWriter, RestoredStream } from './job-stream.js';
import { JobStreams, type OpenedStreamOptions } from './job-streams.js';
import { OutputIntake } from './output-intake.js';
import { NO_PEERS, type PeerCommands } from './peer-commands.js';
import { PeerInbox } from './peer-inbox.js';
import { JobFaults } from './job-faults.js';
import { JobTicker } from './job-ticker.js';
import { RecordCommitter } from './record-committer.js';

export interface JobPipelineOptions {
  readonly source: JobSource;
  readonly config: LogConfig;
  readonly limits: ThroughputLimits;
  /**
   * When the queue is full, `wait` makes the source wait as long as it takes; `drop` counts the points and drops them.
   */
  readonly onFull: 'wait' | 'drop';
  readonly delivery: Pick<Delivery, 'queue' | 'sender' | 'states' | 'isLocal' | 'counters'>;
  readonly clock: Clock;
  readonly report: Reporter;
  /** Values that must never be stored. */
  readonly secrets?: Secrets | undefined;
  /** Called for each description that has a state. */
  readonly onState?: (state: string) => void;
  /** Keeps the job's state with its points. */
  readonly isResumable?: boolean;
  /** Whether the job lives as long as its log is open (HeartbeatLogOptions). */
  readonly livesWithLog?: boolean;
  /** Whether the store rewrites points (by default yes). */
  readonly rewrites?: Rewrites | undefined;
  /** Other processes that log the same job. */
  readonly peers?: PeerCommands;
  /** How much later a stream may be read than another that was printed to after it (CommandOrder); 0 by default. */
  readonly settleMs?: number;
  /** The state from before a restart. */
  readonly state?: JobState | undefined;
}

/**
 * Takes one job's output to the queue: bytes → rendered rows → rules → points. The sender takes the points from there.
 */
export class JobPipeline implements StateSource {
  readonly key: string;
  readonly #options: JobPipelineOptions;
  readonly #log: JobLog;
  readonly #streams: JobStreams;
  readonly #committer: RecordCommitter;
  readonly #faults: JobFaults;
  readonly #ticker: JobTicker;
  readonly #intake: OutputIntake;
  readonly #peers: PeerCommands;
  readonly #stop = new AbortController();

  constructor(options: JobPipelineOptions) {
    this.#options = options;
    const { source, config, clock, secrets, state, delivery, isResumable = false, settleMs = 0 } = options;
    this.key = formatJobKey(source);
    this.#peers = options.peers ?? NO_PEERS;
    this.#committer = new RecordCommitter({
      ...options,
      state: isResumable
        ? { key: this.key, isKnown: state !== undefined, take: (kind) => this.#takeState(kind) }
        : undefined,
      render: () => contain(this.#faults, () => this.#streams.render()),
      onFault: (error) => this.#faults.note(error),
      stopped: this.#stop.signal,
    });
    const { points } = this.#committer;
    this.#faults = new JobFaults({
      ...{ source, points, counters: delivery.counters, report: options.report, nextNs: () => clock.nextNs() },
      addNotice: (text, timeNs) => this.#log.addNotice('stdout', text, timeNs),
    });
    const faults = this.#faults;
    this.#log = new JobLog({
      faults,
      maxTables: options.limits.maxTables,
      rewrites: options.rewrites,
      ...{ source, config, clock, points: secrets === undefined ? points : secrets.maskPoints(points) },
      updateStreams: () => this.#streams.update(),
      onObeyed: (obeyed) => this.#peers.publish(obeyed),
      changeMode: (mode) => this.#streams.changeMode(mode),
      livesWithLog: options.livesWithLog === true,
      ...(state && { state: state.log }),
    });
    const inbox = new PeerInbox({
      ...{ peers: this.#peers, settleMs, getMode: () => this.#log.mode },
      obey: (obeyed) => this.#log.set(obeyed),
    });
    this.#streams = new JobStreams({
      ...{ log: this.#log, faults, secrets, counters: delivery.counters, inbox, restored: state?.streams ?? [] },
    });
    this.#ticker = new JobTicker({
      ...{ clock, stopped: this.#stop.signal, tick: () => this.#writeChanges() },
      isChanging: () => this.#streams.isChanging || this.#log.isDirty,
      heartbeatDelayMs: () => this.#log.heartbeatDelayMs,
      beat: () => this.#addToLog((log) => log.writeDue()),
    });
    this.#intake = new OutputIntake({
      ...{ settleMs, clock, log: this.#log, streams: this.#streams, faults, peers: this.#peers },
      ...{
        committer: this.#committer,
        counters: delivery.counters,
        limits: options.limits,
        stopped: this.#stop.signal,
      },
      ...{ isResumable, afterChange: () => this.#afterChange() },
    });
    if (state?.isGivenUp === true) this.#faults.stayGivenUp();
    if (state !== undefined) clock.reserve(BigInt(state.lastNs));
    if (isResumable) delivery.states.add(this);
  }

  /** Streams from before a restart that were neither reopened nor forgotten. */
  get restoredStreams(): readonly RestoredStream[] {
    return this.#streams.restored;
  }

  /** Opens a stream of the job, or continues `restored`. */
  openStream(name: Stream, checkpoint: Checkpoint = () => '', restored?: RestoredStream): RestorableWriter {
    return this.#open({ name, isMixed: false, checkpoint, restored });
  }

  /**
   * Opens a stream that carries the job's stdout and stderr in the order in which they were printed. It is kept as
   * stdout. openStream continues it after a restart.
   */
  openMixedStream(checkpoint: Checkpoint = () => ''): RestorableWriter {
    return this.#open({ name: 'stdout', isMixed: true, checkpoint });
  }

  /** Forgets a stream that will never be reopened. */
  forgetRestored(restored: RestoredStream): void {
    this.#streams.forgetRestored(restored);
    this.#afterChange();
  }

  /** `isOnItsWay` tells whether printed output is known that was not written here yet. */
  expect(isOnItsWay: () => boolean): void {
    this.#intake.expect(isOnItsWay);
  }

  /** The number of points that found no room so far. */
  get droppedPoints(): number {
    return this.#committer.droppedPoints;
  }

  /** `timeNs` is the time that a scheduler gives. The same description at the same time is one point. */
  describe(description: Omit<JobDescription, keyof Progress>, timeNs?: bigint): void {
    const told = maskTags(description, this.#options.secrets);
    this.#addToLog((log) => log.describe(told, timeNs));
    if (description.state !== undefined) this.#options.onState?.(description.state);
  }

  /** Describes the end of the job, and why it ended, as far as its output and `facts` tell. */
  describeEnd(description: JobDescription, facts: EndFacts, timeNs?: bigint): void {
    this.#addToLog((log) => log.describeEnd(description, facts, timeNs));
    if (description.state !== undefined) this.#options.onState?.(description.state);
  }

  /** Describe the job first: a transition holds what is known of it by then. */
  changeState(change: StateChange, timeNs?: bigint): void {
    this.#addToLog((log) => log.changeState(change, timeNs));
  }

  /** Says in the job's heartbeats who logs its output (HeartbeatLog). */
  noteWriter(writer: JobWriter): void {
    this.#addToLog((log) => log.noteWriter(writer));
  }

  claimFile(claim: FileClaim): void {
    this.#addToLog((log) => log.claimFile(claim));
  }

  leaveFile(file: string): void {
    this.#addToLog((log) => log.leaveFile(file));
  }

  /** Takes that the job has printed something that is logged elsewhere. */
  noteOutput(): void {
    contain(this.#faults, () => this.#log.noteSign());
    this.#afterChange();
  }

  addNotice(stream: Stream, text: string): void {
    this.#addToLog((log) => log.addNotice(stream, text));
  }

  /** Tells what the run was (RunLog). */
  tellRun(run: TakenRun): void {
    this.#addToLog((log) => log.tellRun(run));
  }

  /** Adds a row of a table, an object, as if the job had printed it. */
  addRow(row: JsonValue): void {
    this.#addToLog((log) => log.addRow(row));
  }

  /** Does a step of the source that the log must not suffer from. */
  contain(step: () => void | Promise<void>): Promise<void> {
    return containStep(this.#faults, step);
  }

  /** Lets no source wait any more, as the process is about to end. */
  hurry(): void {
    this.#stop.abort();
    this.#intake.release();
  }

  /**
   * Queues the points as soon as there is room. False when there was none in time, which may happen to a job that waits
   * for room.
   */
  untilQueued(timeoutMs: number): Promise<boolean> {
    return this.#committer.untilCommitted(timeoutMs);
  }

  /** Ends the job: writes the rest and deletes its state. */
  close(): void {
    contain(this.#faults, () => this.#log.noteEnd());
    this.suspend();
    this.#peers.leave();
    this.#options.delivery.states.delete(this);
  }

  /** Writes the rest after the last stream has ended, and says how many points found no room. */
  suspend(): void {
    this.hurry();
    contain(this.#faults, () => this.#streams.render());
    // The newest rows of streams that continue after a restart are stored too.
    contain(this.#faults, () => this.#streams.update());
    contain(this.#faults, () => this.#log.writeDue(true));
    this.#faults.say();
    this.#sayDropped();
    this.#committer.finish();
    if (this.droppedPoints > 0) {
      this.#options.report.error(
        `could not store ${formatPoints(this.droppedPoints)}: there was no room for waiting points`
      );
    }
  }

  takeWholeState(): string {
    return this.#takeState('whole');
  }

  /** Queues the points now, with their state. False when there is no room yet. */
  commit(): boolean {
    return this.#committer.commit();
  }

  #open(opened: OpenedStreamOptions): RestorableWriter {
    const stream = this.#streams.open(opened);
    if (this.#options.livesWithLog === true) this.#addToLog((log) => log.noteSign());
    return this.#intake.createWriter(stream);
  }

  #addToLog(add: (log: JobLog) => void): void {
    contain(this.#faults, () => this.#streams.render());
    contain(this.#faults, () => add(this.#log));
    this.#afterChange();
  }

  #takeState(kind: 'whole' | 'change'): string {
    const { source, clock, secrets } = this.#options;
    const lastNs = String(clock.nextNs());
    if (!this.#faults.areTooMany) {
      try {
        const streams = this.#streams.takeStates(kind);
        const state: JobState = { source, log: this.#log.takeState(kind), lastNs, streams };
        const json = JSON.stringify(state);
        return secrets === undefined ? json : secrets.maskJson(json);
      } catch (error) {
        // A part of the changes is gone, so no later one would fit.
        this.#faults.giveUp(error);
      }
    }
    const log = { config: this.#options.config, description: { mode: this.#log.mode }, tables: [] };
    return JSON.stringify({
      source,
      log,
      lastNs,
      streams: this.#streams.takePlaces(),
      isGivenUp: true,
    } satisfies JobState);
  }

  #afterChange(): void {
    this.#sayDropped();
    this.#committer.noteChange();
    this.#ticker.keepGoing();
  }

  #writeChanges(): void {
    contain(this.#faults, () => this.#streams.update());
    contain(this.#faults, () => this.#log.writeDue());
    this.#afterChange();
  }

  /** Once there is room again, logs how many points are missing. */
  #sayDropped(): void {
    const missing = this.#committer.takeGap();
    if (missing === undefined) return;
    const { points, fromNs } = missing;
    const text = `${points} points are missing here: the store could not take them and there was no room to keep them`;
    contain(this.#faults, () => this.#log.addNotice('stdout', text, fromNs));
  }
}
