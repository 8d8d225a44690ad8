import { toWellFormed } from '@joblens/core/point/utf8';
import type { LinkedJob } from './tool.js';

const JOB_PAGE = 'd/joblens-job';

/** The address of a job's page in Grafana, or in the page of `npm start`, over the job's own time. */
export function createJobLink(pages: string, { job, user, fromMs, toMs }: LinkedJob): string {
  const encode = (text: string): string => encodeURIComponent(toWellFormed(text));
  const parameters = [
    `var-job=${encode(job)}`,
    ...(user === '' ? [] : [`var-user=${encode(user)}`]),
    ...(fromMs === undefined
      ? []
      : [`from=${Math.floor(fromMs)}`, `to=${toMs === undefined ? 'now' : Math.ceil(toMs)}`]),
  ];
  return `${pages}${pages.endsWith('/') ? '' : '/'}${JOB_PAGE}?${parameters.join('&')}`;
}
