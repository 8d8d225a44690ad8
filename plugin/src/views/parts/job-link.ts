import { locationUtil } from '@grafana/data';
import { toWellFormed } from '@joblens/core/point/utf8';
import type { JobRow } from './job-rows.js';
import { LIVE_REFRESH } from './page-range.js';

const JOB_PAGE = '/d/joblens-job';
export const JOBS_PAGE = '/d/joblens-jobs';

/**
 * The page of a job over its own time: from its start to its end, or to now while it runs. An id may be any text, which
 * Grafana's own data links are not made for.
 */
export function createJobHref({ job, user, from, to }: Pick<JobRow, 'job' | 'user' | 'from' | 'to'>): string {
  const parameters = [
    `var-job=${encodeURIComponent(toWellFormed(job))}`,
    // Another user's job may have this id, also one that the list does not show.
    ...(user === '' ? [] : [`var-user=${encodeURIComponent(toWellFormed(user))}`]),
    ...(from === '' ? [] : [`from=${from}`, `to=${to}`]),
    ...(to === 'now' ? [`refresh=${LIVE_REFRESH}`] : []),
  ];
  return `${locationUtil.assureBaseUrl(JOB_PAGE)}?${parameters.join('&')}`;
}
