import type { Stream } from '@joblens/core/schema/measurements';
import type { Counters } from '../delivery/counters.js';
import { contain, type FaultKeeper } from '../rules/writing/fault-keeper.js';
import type { JobLog } from '../rules/job-log.js';
import type { LogMode } from '../rules/options/log-modes.js';
import type { Secrets } from '../secrets/secrets.js';
import { ArrivedOutput } from './arrived-output.js';
import type { JobStreamState } from './job-state.js';
import { type Checkpoint, JobStream, type RestoredStream } from './job-stream.js';
import type { PeerInbox } from './peer-inbox.js';

/** Output waits until there is this much of it, so that small pieces are rendered together. */
const MAX_ARRIVED_BYTES = 256 * 1024;
/** A larger piece is rendered from the memory it was read into: a copy would save nothing. */
const BULK_BYTES = 64 * 1024;

interface JobStreamsOptions {
  readonly log: JobLog;
  readonly faults: FaultKeeper;
  readonly secrets: Secrets | undefined;
  readonly counters: Pick<Counters, 'arrivedBytes'>;
  readonly inbox: PeerInbox;
  /** The streams from before a restart. */
  readonly restored: readonly JobStreamState[];
}

export interface OpenedStreamOptions {
  readonly name: Stream;
  readonly isMixed: boolean;
  readonly checkpoint: Checkpoint;
  /** The stream that this one continues. */
  readonly restored?: RestoredStream | undefined;
}

/** The streams of one job. Their output is rendered in the order in which it arrived. */
export class JobStreams {
  readonly #options: JobStreamsOptions;
  readonly #streams = new Map<number, JobStream>();
  readonly #restored: Map<RestoredStream, JobStreamState>;
  readonly #arrived = new ArrivedOutput();
  /** The time at which the first of the arrived output was read. */
  #arrivedSinceMs = Infinity;
  #nextId: number;

  constructor(options: JobStreamsOptions) {
    this.#options = options;
    this.#restored = new Map(
      options.restored.map((state) => {
        const { name, isMixed = false, checkpoint, renderer } = state;
        return [{ name, isMixed, checkpoint, wasOpen: renderer !== undefined }, state];
      })
    );
    this.#nextId = Math.max(-1, ...options.restored.map(({ id }) => id)) + 1;
  }

  /** Streams from before a restart that were neither reopened nor forgotten. */
  get restored(): readonly RestoredStream[] {
    return [...this.#restored.keys()];
  }

  get openCount(): number {
    return [...this.#streams.values()].filter(({ isOpen }) => isOpen).length;
  }

  /** Whether rows may change, or output waits to be rendered. */
  get isChanging(): boolean {
    return this.#arrived.length > 0 || [...this.#streams.values()].some((stream) => stream.isChanging);
  }

  open({ restored, ...opened }: OpenedStreamOptions): JobStream {
    const { log, faults, secrets } = this.#options;
    const state = restored && this.#restored.get(restored);
    if (restored !== undefined) this.#restored.delete(restored);
    const id = state?.id ?? this.#nextId++;
    const isMixed = state === undefined ? opened.isMixed : state.isMixed === true;
    const stream = new JobStream({ ...opened, isMixed, id, state, mask: secrets?.createMask(), jobLog: log, faults });
    this.#streams.set(id, stream);
    return stream;
  }

  /** `isKept`: the state keeps the place where the stream ended. */
  end(stream: JobStream, isKept: boolean): void {
    this.render();
    stream.end();
    if (!isKept) this.#streams.delete(stream.id);
  }

  forgetRestored(restored: RestoredStream): void {
    this.#restored.delete(restored);
  }

  /** Takes bytes that were read from a stream at `readMs`. They are used only until this returns. */
  add(stream: JobStream, bytes: Uint8Array, readMs: number): void {
    this.#arrivedSinceMs = Math.min(this.#arrivedSinceMs, readMs);
    if (bytes.length >= BULK_BYTES || this.#arrived.length + bytes.length > MAX_ARRIVED_BYTES) {
      this.#renderWith(() => stream.write(bytes));
      return;
    }
    this.#arrived.add(stream, bytes);
    this.#options.counters.arrivedBytes += bytes.length;
  }

  /** Renders the arrived output. Commands of other processes take effect at their place in it. */
  render(): void {
    this.#renderWith(() => undefined);
  }

  #renderWith(renderLast: () => void): void {
    const { inbox, counters, faults } = this.#options;
    contain(faults, () => inbox.obeyBefore(this.#arrivedSinceMs));
    counters.arrivedBytes -= this.#arrived.length;
    this.#arrived.render(faults);
    contain(faults, renderLast);
    this.#arrivedSinceMs = Infinity;
    contain(faults, () => inbox.obeyRest());
  }

  /** Gives changed rows to the rules. */
  update(): void {
    for (const stream of this.#streams.values()) stream.update();
  }

  changeMode(mode: LogMode): void {
    for (const stream of this.#streams.values()) stream.changeMode(mode);
  }

  /** The places in the sources alone. */
  takePlaces(): JobStreamState[] {
    return [...[...this.#streams.values()].map((stream) => stream.takePlace()), ...this.#restored.values()];
  }

  takeStates(kind: 'whole' | 'change'): JobStreamState[] {
    return [...[...this.#streams.values()].map((stream) => stream.takeState(kind)), ...this.#restored.values()];
  }
}
