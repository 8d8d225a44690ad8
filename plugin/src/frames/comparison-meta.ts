import type { DataFrame } from '@grafana/data';
import { type FrameMeta, readMetaRecord, readString } from './frame-meta.js';

/** Behind `what`, `kind`, `risk` and `differs`, each field is a job. */
export interface DiffMeta extends FrameMeta {
  readonly kind: 'diff';
  readonly jobs: number;
  /** How many jobs there are, beyond the limit too. */
  readonly total: number;
  /** How many facts are equal in all jobs, shown or not. */
  readonly equal: number;
}

/** Behind `group`, `runs` and `seeds`, a field has the mean of each number; that of the metric is the first. */
export interface GroupsMeta extends FrameMeta {
  readonly kind: 'groups';
  /** What makes the groups; missing where nothing does. */
  readonly by?: string;
  /** What else may make them: how many groups, and how many seeds two of these have at least. */
  readonly keys: ReadonlyArray<{ readonly name: string; readonly groups: number; readonly seeds: number }>;
  /** The number that is compared; missing where there is none. */
  readonly metric?: string;
  readonly metrics: readonly string[];
  /** Which numbers are better; missing if nobody knows. */
  readonly direction?: 'lower' | 'higher';
  /** The direction was told, not guessed from the name. */
  readonly isTold: boolean;
  /** The numbers of the runs of each group. */
  readonly points: ReadonlyArray<readonly number[]>;
}

/** `experiment`, `runs`, `last_day` and `users`: a row an experiment, the newest first. */
export interface ExperimentsMeta extends FrameMeta {
  readonly kind: 'experiments';
  /** How many there are, beyond the limit too. */
  readonly total: number;
}

/** `undefined` for any other frame. */
export function readDiffMeta(frame: DataFrame): DiffMeta | undefined {
  const meta = readMetaRecord(frame);
  if (meta?.['kind'] !== 'diff') return undefined;
  const readCount = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return {
    kind: 'diff',
    jobs: readCount(meta['jobs']),
    total: readCount(meta['total']),
    equal: readCount(meta['equal']),
  };
}

/** `undefined` for any other frame. */
export function readGroupsMeta(frame: DataFrame): GroupsMeta | undefined {
  const meta = readMetaRecord(frame);
  if (meta?.['kind'] !== 'groups') return undefined;
  const [by, metric] = [readString(meta['by']), readString(meta['metric'])];
  const { keys, metrics, points, direction } = meta;
  return {
    kind: 'groups',
    ...(by !== undefined && { by }),
    keys: Array.isArray(keys) ? (keys as GroupsMeta['keys']) : [],
    ...(metric !== undefined && { metric }),
    metrics: Array.isArray(metrics) ? metrics.map(String) : [],
    ...((direction === 'lower' || direction === 'higher') && { direction }),
    isTold: meta['isTold'] === true,
    points: Array.isArray(points) ? (points as GroupsMeta['points']) : [],
  };
}

/** What else is known of why a job failed, each in a sentence. */
export interface WhyMeta extends FrameMeta {
  readonly kind: 'why';
  readonly job: string;
  readonly user: string;
  /** Which process failed first. */
  readonly first?: string;
  /** With which jobs it is compared, or why with none. */
  readonly against?: string;
  /** The newest of those. */
  readonly good?: string;
  /** It ran elsewhere than they did. */
  readonly elsewhere?: string;
}

/** `undefined` for any other frame. */
export function readWhyMeta(frame: DataFrame): WhyMeta | undefined {
  const meta = readMetaRecord(frame);
  if (meta?.['kind'] !== 'why') return undefined;
  const text = (name: 'first' | 'against' | 'good' | 'elsewhere') => {
    const value = readString(meta[name]);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    ...{ kind: 'why', job: readString(meta['job']) ?? '', user: readString(meta['user']) ?? '' },
    ...{ ...text('first'), ...text('against'), ...text('good'), ...text('elsewhere') },
  };
}
