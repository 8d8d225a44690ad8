import { toWellFormed } from '@joblens/core/point/utf8';

/** The page of a job in a Grafana at this address, with the dashboards of Joblens. */
export function createJobAddress(page: string, { job, user }: { readonly job: string; readonly user: string }): string {
  const root = page.endsWith('/') ? page.slice(0, -1) : page;
  const [jobText, userText] = [job, user].map((text) => encodeURIComponent(toWellFormed(text)));
  return `${root}/d/joblens-job?var-job=${jobText}&var-user=${userText}`;
}
