import { locationUtil } from '@grafana/data';
import { toWellFormed } from '@joblens/core/point/utf8';
import type { JobRow } from './job-rows.js';
import { LIVE_REFRESH } from './page-range.js';

const JOB_PAGE = '/d/joblens-job';
export const JOBS_PAGE = '/d/joblens-jobs';

const COMPARE_PAGE = '/d/joblens-compare';

/** The page that sets these jobs side by side, whenever they ran. */
export function createCompareHref(jobs: readonly string[]): string {
  const parameters = jobs.map((job) => `var-jobs=${encodeURIComponent(toWellFormed(job))}`);
  return `${locationUtil.assureBaseUrl(COMPARE_PAGE)}?${parameters.join('&')}`;
}

/** The page that sets the jobs with a tag, `key=value`, side by side. */
export function createTagHref(tag: string): string {
  return `${locationUtil.assureBaseUrl(COMPARE_PAGE)}?var-tag=${encodeURIComponent(toWellFormed(tag))}`;
}

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
