import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { createEventPoint, createJobPoint, type JobDescription, type JobEvent } from '@joblens/core/schema/job-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { MAX_STRING_BYTES } from '@joblens/core/schema/log-point';
import type { CommandFacts, LoggedEvent } from '../commands/command-facts.js';
import { LabelLog, type LabelLogState, MAX_LABELS } from './label-log.js';
import { DESCRIPTION_RULES, findLoosest, type LogMode } from '../options/log-modes.js';
import type { PointWriter } from '../writing/point-writer.js';
import { type Progress, ProgressLog, type ProgressLogState } from './progress-log.js';
import { type Rewrites, VersionTimes, type VersionTimesState } from '../writing/rewrites.js';

type Part = keyof JobDescription;

/** Each topic of a job is a series of the store. */
const MAX_TOPICS = 100;

/** While withheld, these parts are not even kept for a restart: their source supplies them again. */
const UNKEPT: ReadonlySet<string> = new Set<Part>(['command', 'workdir', 'host', 'config', 'note']);

/** The state with which a DescriptionLog continues after a restart. */
export interface DescriptionLogState {
  readonly mode: LogMode;
  readonly withheld?: JobDescription;
  /** Missing in a state of an older version. */
  readonly progress?: ProgressLogState;
  /** The tags told so far: more are added to them. Missing until there are any. */
  readonly tags?: Tags;
  /** Missing until there are any. */
  readonly labels?: LabelLogState;
  /** The topics of events that the job has logged. Missing until there are any. */
  readonly topics?: readonly string[];
  /** Missing where the store rewrites points. */
  readonly versions?: VersionTimesState;
}

type Tags = NonNullable<JobDescription['tags']>;

export interface DescriptionLogOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly monotonicMs: () => number;
  readonly nextNs: () => bigint;
  readonly rewrites: Rewrites;
  /** The mode that the job starts with. */
  readonly mode: LogMode;
  /** Called with each description that may be stored in part, and that part. */
  readonly onTold: (told: JobDescription, description: JobDescription) => void;
  readonly state?: DescriptionLogState | undefined;
}

/** Writes as much about one job as the loosest of its modes so far allows. The rest follows when a mode allows it. */
export class DescriptionLog {
  readonly #options: DescriptionLogOptions;
  readonly #progress: ProgressLog;
  readonly #labels: LabelLog;
  #startedMs: number | undefined;
  #mode: LogMode;
  #withheld: JobDescription;
  #tags: Tags | undefined;
  readonly #topics: Set<string>;
  readonly #times: VersionTimes;

  constructor(options: DescriptionLogOptions) {
    this.#options = options;
    this.#mode = options.state?.mode ?? options.mode;
    this.#withheld = options.state?.withheld ?? {};
    this.#tags = options.state?.tags;
    this.#topics = new Set(options.state?.topics);
    this.#times = new VersionTimes(options.rewrites, options.state?.versions);
    const { source, points, monotonicMs, nextNs, state } = options;
    this.#labels = new LabelLog({ source, points, state: state?.labels });
    this.#progress = new ProgressLog({
      ...{ monotonicMs, nextNs, state: state?.progress },
      describe: (progress, timeNs) => this.#write(progress, timeNs),
    });
  }

  /** Whether `writeDue` has something to write, now or later. */
  get isDirty(): boolean {
    return this.#progress.isDirty;
  }

  get state(): DescriptionLogState {
    const kept = pick(this.#withheld, (part) => !UNKEPT.has(part));
    const [versions, labels] = [this.#times.state, this.#labels.state];
    return {
      mode: this.#mode,
      ...(isEmpty(kept) ? {} : { withheld: kept }),
      progress: this.#progress.state,
      ...(this.#tags !== undefined && { tags: this.#tags }),
      ...(labels !== undefined && { labels }),
      ...(this.#topics.size > 0 && { topics: [...this.#topics] }),
      ...(versions.length > 0 && { versions }),
    };
  }

  describe(description: Omit<JobDescription, keyof Progress>, timeNs: bigint): void {
    const { startedMs, tags } = description;
    if (startedMs !== undefined) {
      this.#progress.noteStart(startedMs);
      this.#startedMs = startedMs;
    }
    if (tags !== undefined) this.#tags = { ...this.#tags, ...tags };
    this.#write({ ...description, ...(tags !== undefined && this.#tags && { tags: this.#tags }) }, timeNs);
  }

  /** Takes the newest progress of a job whose present mode is `mode`. It is not kept where that does not allow it. */
  tellProgress(progress: Progress, mode: LogMode): void {
    if (DESCRIPTION_RULES[mode].isTold('progress')) this.#progress.tell(progress);
  }

  /** Writes what is due, or all of it if `isEnd`. */
  writeDue(isEnd: boolean): void {
    this.#progress.writeDue(isEnd);
  }

  #write(description: JobDescription, timeNs: bigint): void {
    const { source, points } = this.#options;
    const { isTold } = DESCRIPTION_RULES[this.#mode];
    const told = pick(description, isTold);
    this.#withheld = { ...this.#withheld, ...pick(description, (part) => !isTold(part)) };
    if (isEmpty(told)) return;
    points.addPoint(createJobPoint(source, told, this.#times.next(timeNs)));
    if (told.tags !== undefined) this.#labels.tell(told.tags, this.#startedMs ?? Number(timeNs / NS_PER_MS));
    this.#options.onTold(told, description);
  }

  /** Returns the event as it may be stored. */
  addEvent(event: JobEvent, timeNs: bigint): JobEvent {
    const { source, points } = this.#options;
    const { hasEventData } = DESCRIPTION_RULES[this.#mode];
    const told = hasEventData ? event : { ...event, data: {}, json: '{}' };
    points.addPoint(createEventPoint(source, told, timeNs));
    return told;
  }

  /** Why facts of a valid command cannot be stored, if so: a job has so many topics and tags at most. */
  findRefusal({ event, tags }: CommandFacts): string | undefined {
    if (event !== undefined && !this.#topics.has(event.topic) && this.#topics.size >= MAX_TOPICS) {
      return `the job has events of ${MAX_TOPICS} topics; there may not be more`;
    }
    if (tags === undefined) return undefined;
    if (!this.#labels.hasRoomFor(tags)) return `a job may have ${MAX_LABELS} tags, and changes of tags, in all`;
    const bytes = Buffer.byteLength(JSON.stringify({ ...this.#tags, ...tags }));
    return bytes > MAX_STRING_BYTES
      ? `all tags of the job must have at most ${MAX_STRING_BYTES} bytes as JSON`
      : undefined;
  }

  /** Writes an event that the job has logged. It is whole in every mode, as the command itself is not output. */
  addLoggedEvent(event: LoggedEvent, timeNs: bigint): void {
    const { source, points } = this.#options;
    this.#topics.add(event.topic);
    points.addPoint(createEventPoint(source, event, timeNs));
  }

  /** Sets the job's present mode. */
  allow(mode: LogMode): void {
    this.#mode = findLoosest(this.#mode, mode);
    const withheld = this.#withheld;
    this.#withheld = {};
    if (!isEmpty(withheld)) this.describe(withheld, this.#options.nextNs());
  }
}

function pick(description: JobDescription, isWanted: (part: Part) => boolean): JobDescription {
  return Object.fromEntries(Object.entries(description).filter(([part]) => isWanted(part as Part)));
}

function isEmpty(description: JobDescription): boolean {
  return Object.values(description).every((value) => value === undefined);
}
