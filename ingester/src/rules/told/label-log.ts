import type { JobDescription } from '@joblens/core/schema/job-point';
import { createLabelPoint, createNoLabelPoint, LABEL_DAY_MS } from '@joblens/core/schema/label-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { PointWriter } from '../writing/point-writer.js';

type Tags = NonNullable<JobDescription['tags']>;

/** Each value of a tag is a series of the store. */
export const MAX_LABELS = 1000;

/** The state with which a LabelLog continues after a restart. */
export interface LabelLogState {
  /** The day of the labels. */
  readonly beginMs: number;
  /** The tags that have a label. */
  readonly tags: Tags;
  /** How many labels were written, also of tags that changed since. */
  readonly written: number;
}

interface LabelLogOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly state?: LabelLogState | undefined;
}

/** Writes a label for each tag of a job, so that the job is found by it whenever it ran. */
export class LabelLog {
  readonly #options: LabelLogOptions;
  #state: LabelLogState | undefined;

  constructor(options: LabelLogOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  /** Undefined until there are labels. */
  get state(): LabelLogState | undefined {
    return this.#state;
  }

  /** Whether there is room for the labels of these tags too. */
  hasRoomFor(tags: Tags): boolean {
    return (this.#state?.written ?? 0) + this.#listChanged(tags).length <= MAX_LABELS;
  }

  /** Takes all tags of the job, which began, or was first heard of, at `beginMs`. */
  tell(tags: Tags, beginMs: number): void {
    const { source, points } = this.#options;
    const before = this.#state ?? { beginMs: beginMs - (beginMs % LABEL_DAY_MS), tags: {}, written: 0 };
    const changed = this.#listChanged(tags).slice(0, MAX_LABELS - before.written);
    for (const [key, value] of changed) {
      const old = Object.hasOwn(before.tags, key) ? before.tags[key] : undefined;
      if (old !== undefined) points.addPoint(createNoLabelPoint(source, { key, value: old }, before.beginMs));
      points.addPoint(createLabelPoint(source, { key, value }, before.beginMs));
    }
    if (changed.length === 0) return;
    this.#state = {
      ...before,
      tags: { ...before.tags, ...Object.fromEntries(changed) },
      written: before.written + changed.length,
    };
  }

  #listChanged(tags: Tags): ReadonlyArray<readonly [string, string]> {
    const known = this.#state?.tags ?? {};
    return Object.entries(tags).filter(([key, value]) => !Object.hasOwn(known, key) || known[key] !== value);
  }
}
