import type { JobDescription, JobEvent, JobSource } from '@joblens/core';
import { createEventPoint, createJobPoint } from '@joblens/core';
import type { LogMode } from './log-modes.js';
import { DESCRIPTION_RULES, findLoosest } from './log-modes.js';
import type { PointWriter } from './point-writer.js';

type Part = keyof JobDescription;

/** While withheld, these parts are not even kept for a restart: their source supplies them again. */
const UNKEPT: ReadonlySet<string> = new Set<Part>(['command', 'workdir', 'host', 'config']);

/** The state with which a DescriptionLog continues after a restart. */
export interface DescriptionLogState {
  readonly mode: LogMode;
  readonly withheld?: JobDescription;
}

export interface DescriptionLogOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly nextNs: () => bigint;
  /** The mode that the job starts with. */
  readonly mode: LogMode;
  readonly state?: DescriptionLogState | undefined;
}

/** Writes as much about one job as the loosest of its modes so far allows. The rest follows when a mode allows it. */
export class DescriptionLog {
  readonly #options: DescriptionLogOptions;
  #mode: LogMode;
  #withheld: JobDescription;

  constructor(options: DescriptionLogOptions) {
    this.#options = options;
    this.#mode = options.state?.mode ?? options.mode;
    this.#withheld = options.state?.withheld ?? {};
  }

  get state(): DescriptionLogState {
    const kept = pick(this.#withheld, (part) => !UNKEPT.has(part));
    return { mode: this.#mode, ...(isEmpty(kept) ? {} : { withheld: kept }) };
  }

  describe(description: JobDescription, timeNs: bigint): void {
    const { source, points } = this.#options;
    const { isTold } = DESCRIPTION_RULES[this.#mode];
    const told = pick(description, isTold);
    this.#withheld = { ...this.#withheld, ...pick(description, (part) => !isTold(part)) };
    if (!isEmpty(told)) points.addPoint(createJobPoint(source, told, timeNs));
  }

  addEvent(event: JobEvent, timeNs: bigint): void {
    const { source, points } = this.#options;
    const { hasEventData } = DESCRIPTION_RULES[this.#mode];
    points.addPoint(createEventPoint(source, hasEventData ? event : { ...event, data: {} }, timeNs));
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
