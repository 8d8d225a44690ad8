import { createJobAddress } from '../../config/job-address.js';
import type { LinkedJob } from './tool.js';

/** The address of a job's page, over the job's own time where that is known. */
export function createJobLink(page: string, { fromMs, toMs, ...job }: LinkedJob): string {
  const address = createJobAddress(page, job);
  if (fromMs === undefined) return address;
  return `${address}&from=${Math.floor(fromMs)}&to=${toMs === undefined ? 'now' : Math.ceil(toMs)}`;
}
