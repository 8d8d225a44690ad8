import { locationUtil } from '@grafana/data';
import { toWellFormed } from '@joblens/core';
import type { JobRow } from './job-rows.js';

const JOB_PAGE = '/d/joblens-job';
export const JOBS_PAGE = '/d/joblens-jobs';
/** A page of a running job asks again this often. */
const REFRESH = '10s';

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
    ...(to === 'now' ? [`refresh=${REFRESH}`] : []),
  ];
  return `${locationUtil.assureBaseUrl(JOB_PAGE)}?${parameters.join('&')}`;
}
