import { locationUtil } from '@grafana/data';
import { formatNamedJob } from '@joblens/core/ask/reading/named-job';
import { toWellFormed } from '@joblens/core/point/utf8';
import type { JobRow } from './job-rows.js';
import { LIVE_REFRESH } from './page-range.js';

const JOB_PAGE = '/d/joblens-job';
export const JOBS_PAGE = '/d/joblens-jobs';

const COMPARE_PAGE = '/d/joblens-compare';

/**
 * The page that sets these jobs side by side, whenever they ran. Other users' jobs may have their ids: so those of one
 * user are named with this user, those of several each with its own.
 */
export function createCompareHref(jobs: ReadonlyArray<Pick<JobRow, 'job' | 'user'>>): string {
  const [user = ''] = jobs.map((job) => job.user);
  const isOfOne = user !== '' && jobs.every((job) => job.user === user);
  const parameters = [
    ...jobs.map((job) => `var-jobs=${encodeURIComponent(toWellFormed(formatNamedJob(job, !isOfOne)))}`),
    ...(isOfOne ? [`var-user=${encodeURIComponent(toWellFormed(user))}`] : []),
  ];
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
