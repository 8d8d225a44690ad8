import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { JobDescription, JobEvent, JsonValue } from '@joblens/core/schema/job-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createTransitionPoint, type TransitionOrigin } from '@joblens/core/schema/transition-point';
import type { PointWriter } from '../writing/point-writer.js';

/** A change of a job's state, as a source tells it. */
export interface StateChange {
  readonly origin: TransitionOrigin;
  /** Undefined at the beginning of the job. */
  readonly fromState?: string;
  readonly toState: string;
  /** How long the job ran, where its source measured it by a clock that is never set. */
  readonly ranMs?: number;
  /** What else is known of it, for the event. */
  readonly data: JsonValue;
}

const FACTS = ['name', 'account', 'nodes', 'requestedCpus', 'requestedGpus', 'submittedMs', 'startedMs'] as const;

/** The state with which a TransitionLog continues after a restart. */
export interface TransitionLogState extends Pick<JobDescription, (typeof FACTS)[number]> {
  /** Since when the job has run without a break, in ms since the epoch. */
  readonly runsSinceMs?: number | undefined;
  /** Set once a transition was written without an account: written again, it must be the same point. */
  readonly hasNoAccount?: true;
}

interface TransitionLogOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly state?: TransitionLogState | undefined;
}

/** Writes the changes of a job's state for questions over many jobs, with what is told of the job by then. */
export class TransitionLog {
  readonly #options: TransitionLogOptions;
  #state: TransitionLogState;

  constructor(options: TransitionLogOptions) {
    this.#options = options;
    this.#state = options.state ?? {};
  }

  get state(): TransitionLogState {
    return this.#state;
  }

  /** Takes the part of a description that may be stored. */
  tell(told: JobDescription): void {
    const facts = FACTS.filter((part) => told[part] !== undefined).map((part) => [part, told[part]]);
    this.#state = { ...this.#state, ...(Object.fromEntries(facts) as JobDescription) };
  }

  /** `told` is the event as far as it may be stored. */
  write({ origin, fromState, toState, ranMs }: StateChange, told: JobEvent, timeNs: bigint): void {
    const { source, points } = this.#options;
    if (this.#state.account === undefined) this.#state = { ...this.#state, hasNoAccount: true };
    const { name, nodes, requestedCpus: cpus, requestedGpus: gpus, ...known } = this.#state;
    const account = known.hasNoAccount === true ? undefined : known.account;
    const atMs = Number(timeNs / NS_PER_MS);
    const json = JSON.stringify(told.data);
    const data = json === '{}' ? undefined : json;
    const transition = { origin, fromState, toState, account, name, nodes, cpus, gpus, data };
    if (toState === 'RUNNING') {
      const waits = origin !== 'job' && fromState !== 'SUSPENDED' && known.submittedMs !== undefined;
      const waitS = waits ? Math.max(0, atMs - (known.submittedMs ?? 0)) / 1000 : undefined;
      this.#state = { ...this.#state, runsSinceMs: atMs };
      points.addPoint(createTransitionPoint(source, { ...transition, waitS }, timeNs));
      return;
    }
    // Where the start of the job may not be told, its runtime may not be either.
    const startedMs = fromState === 'RUNNING' && known.startedMs !== undefined ? known.runsSinceMs : undefined;
    const runtimeS = startedMs === undefined ? undefined : Math.max(0, ranMs ?? atMs - startedMs) / 1000;
    this.#state = { ...this.#state, runsSinceMs: undefined };
    points.addPoint(createTransitionPoint(source, { ...transition, runtimeS, startedMs }, timeNs));
  }
}
