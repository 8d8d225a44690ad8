import { basename } from 'node:path';
import type { JobDescription } from '@joblens/core/schema/job-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { countOf } from '@joblens/core/words/counts';
import type { PointWriter } from '../../../rules/writing/point-writer.js';
import { ImportedJob, type ImportCounts } from './imported-job.js';
import type { LeftOut } from './left-out.js';

interface ImportedJobsOptions {
  readonly main: JobSource;
  /** What the options say of the job; its tags are those of all jobs. */
  readonly description: JobDescription;
  readonly isAttached: boolean;
  readonly points: PointWriter;
  readonly maxTables: number;
  readonly leftOut: LeftOut;
  readonly warn: (message: string) => void;
}

/** The topic of the event at the end of an imported job, which says where it is from. */
const IMPORT_TOPIC = 'import';

/** The jobs that a source tells of: mostly one. */
export class ImportedJobs {
  readonly main: ImportedJob;
  readonly #options: ImportedJobsOptions;
  readonly #jobs = new Map<string, ImportedJob>();

  constructor(options: ImportedJobsOptions) {
    const { main, description } = options;
    this.#options = options;
    this.main = this.open(main.job, main.user);
    this.main.describe(description);
  }

  open(job: string, user = this.#options.main.user): ImportedJob {
    const key = JSON.stringify([user, job]);
    const known = this.#jobs.get(key);
    if (known !== undefined) return known;
    const opened = new ImportedJob({ ...this.#options, source: { job, user } });
    const { tags } = this.#options.description;
    if (tags !== undefined) opened.describe({ tags });
    this.#jobs.set(key, opened);
    return opened;
  }

  /** Writes the ends of all jobs. */
  end(kind: string, source: string, leftOut: number): void {
    for (const job of this.#jobs.values()) {
      job.end((counts) => ({
        topic: IMPORT_TOPIC,
        data: { kind, source: basename(source), ...counts, ...(leftOut > 0 && { left_out: leftOut }) },
      }));
    }
  }

  /** `job 7 of ann: 1,000 rows, 3 events`, `12 jobs: 340 events`. */
  describe(): string {
    const told = [...this.#jobs.values()].filter(({ range }) => range !== undefined);
    const [only = this.main] = told;
    const { job, user } = only.source;
    const who = told.length > 1 ? countOf(told.length, 'job') : `job ${job} of ${user}`;
    const sum = (part: keyof ImportCounts): number => told.reduce((all, { counts }) => all + counts[part], 0);
    const parts = (['rows', 'spans', 'events'] as const).filter((part) => sum(part) > 0);
    const counted = parts.map((part) => countOf(sum(part), part.slice(0, -1)));
    return `${who}: ${counted.length === 0 ? 'nothing' : counted.join(', ')}`;
  }
}
