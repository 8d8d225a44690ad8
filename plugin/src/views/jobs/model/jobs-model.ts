import type { DataFrame } from '@grafana/data';
import { type FoundMeta, readJobsMeta } from '../../../frames/frame-meta.js';
import { type JobRow, readJobRows } from '../../parts/job-rows.js';

/** A list of jobs, and what it is a part of. */
export interface JobsModel {
  readonly rows: readonly JobRow[];
  /** Undefined for lists of several queries, and for jobs that were asked for by name. */
  readonly found: FoundMeta | undefined;
  readonly isLoading: boolean;
}

export function readJobsModel(frames: readonly DataFrame[]): JobsModel {
  const metas = frames.map(readJobsMeta).filter((meta) => meta !== undefined);
  return {
    rows: readJobRows(frames),
    found: metas.length === 1 ? metas[0]?.found : undefined,
    isLoading: metas.some(({ isLoading }) => isLoading === true),
  };
}

/** Whether the list has all jobs that there are: then nobody needs to be asked for others. */
export function isWholeList({ found, isLoading }: JobsModel): boolean {
  return found === undefined || (!isLoading && found.sinceMs === undefined && found.total <= found.pageSize);
}
