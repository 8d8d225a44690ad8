import { toVisibleText } from '@joblens/core/console/terminal-text';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { createSharePoint } from '@joblens/core/schema/share-point';
import { readJob } from '../shell/choose-job.js';
import type { Reading } from '../shell/reading.js';
import { detectVersion, writePoints } from './delete-store.js';

interface Sharing {
  readonly job: string;
  /** The owner that was named. */
  readonly user: string | undefined;
  readonly whom: readonly string[];
  readonly isShared: boolean;
}

/** Shares a job with these users and groups, or takes it back. Returns the exit code. */
export async function shareJob(reading: Reading, { job, user, whom, isShared }: Sharing): Promise<number> {
  const { ask, connection, fail, report, host } = reading;
  const record = await readJob(ask, job, user);
  if (!record.ok) return fail(record.error);
  const owner = record.value.user;
  if (user === undefined && owner !== host.machine.userName) {
    return fail(`job ${job} is of ${owner === '' ? 'nobody' : owner}; only its owner shares it`);
  }
  const version = await detectVersion(connection, 'write');
  if (!version.ok) return fail(version.error);
  const points = whom.map((name) =>
    createSharePoint({ job, user: owner }, name, isShared ? 'shared' : 'unshared', host.clock.nextNs())
  );
  const written = await writePoints(connection, version.value, points.map(formatPoint));
  if (!written.ok) return fail(written.error);
  const names = toVisibleText(whom.join(', '));
  report.info(isShared ? `job ${job} is shared with ${names}` : `job ${job} is shared no more with ${names}`);
  return 0;
}
