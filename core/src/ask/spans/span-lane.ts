import type { ResultSeries } from '../../influxql/response.js';
import { readTag } from '../reading/result-rows.js';

/** The lane of a job. */
export interface SpanLane {
  readonly job: string;
  readonly user: string;
  readonly category: string;
  readonly worker: string;
}

export const LANE_TAGS = ['job', 'user', 'category', 'worker'] as const;

/** The lane that a series of an answer is grouped by. */
export function readLane(series: ResultSeries): SpanLane {
  const [job = '', user = '', category = '', worker = ''] = LANE_TAGS.map((tag) => readTag(series, tag));
  return { job, user, category, worker };
}
