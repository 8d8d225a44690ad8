import { createForgottenPoints } from '@joblens/core/ask/jobs/delete-job';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { ownLabelsQuery } from '@joblens/core/ask/labels/labelled-jobs';
import { toVisibleText } from '@joblens/core/console/terminal-text';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { err, type Result } from '@joblens/core/result/result';
import { createTagsPoint } from '@joblens/core/schema/job-point';
import { createLabelPoint, encodeLabelText } from '@joblens/core/schema/label-point';
import { MAX_STRING_BYTES } from '@joblens/core/schema/log-point';
import { parseKeyValue } from '../../config/value-types.js';
import { readJob } from '../shell/choose-job.js';
import type { Reading } from '../shell/reading.js';
import { detectVersion, writePoints } from './delete-store.js';

interface TagCommand {
  readonly remove: readonly string[];
  readonly user: string | undefined;
}

/** Changes tags of a job and nothing else of it; `tags`: `key=value` each. Returns the exit code. */
export async function tagJob(
  reading: Reading,
  { remove, user }: TagCommand,
  job: string,
  tags: readonly string[]
): Promise<number> {
  const { ask, fail, refuse, report, host } = reading;
  const given = new Map(tags.map(parseKeyValue));
  const removed = remove.filter((name) => !given.has(name));
  if (removed.length < remove.length) return refuse('a tag cannot be given and removed at once');
  const record = await readJob(ask, job, user);
  if (!record.ok) return fail(record.error);
  const owner = record.value.user;
  if (user === undefined && owner !== host.machine.userName) {
    const named =
      owner === ''
        ? "nobody; to tag it all the same, give --user ''"
        : `${owner}; to tag it all the same, give --user ${owner}`;
    return fail(`job ${job} is of ${named}`);
  }
  const written = await writeTags(reading, record.value, given, removed);
  if (!written.ok) return fail(written.error);
  const kept = Object.entries(listTags(record.value, given, removed)).map((tag) => tag.join('='));
  report.info(`the tags of job ${job} are now ${kept.length === 0 ? 'none' : toVisibleText(kept.join(', '))}`);
  return 0;
}

function listTags(
  { tags = {} }: JobRecord,
  given: ReadonlyMap<string, string>,
  removed: readonly string[]
): Readonly<Record<string, string>> {
  const known = new Map([...Object.entries(tags), ...given]);
  for (const name of removed) known.delete(name);
  return Object.fromEntries(known);
}

async function writeTags(
  { ask, connection, host }: Reading,
  record: JobRecord,
  given: ReadonlyMap<string, string>,
  removed: readonly string[]
): Promise<Result<true, string>> {
  const tags = listTags(record, given, removed);
  if (Buffer.byteLength(JSON.stringify(tags)) > MAX_STRING_BYTES) {
    return err(`all tags of a job must have at most ${MAX_STRING_BYTES} bytes as JSON`);
  }
  const version = await detectVersion(connection, 'write');
  if (!version.ok) return version;
  const before = await ask([ownLabelsQuery(record, [...given.keys(), ...removed])]);
  if (!before.ok) return before;
  const kept = new Set([...given].map(([key, value]) => formatLabel(encodeLabelText(key), encodeLabelText(value))));
  const outdated = createForgottenPoints(before.value, '').filter(
    (point) => !kept.has(formatLabel(point.tags.get('key'), point.tags.get('value')))
  );
  const beginMs = record.startedMs ?? record.submittedMs ?? Number(record.timeNs / NS_PER_MS);
  const labels = [...given].map(([key, value]) => createLabelPoint(record, { key, value }, beginMs));
  const points: readonly Point[] = [
    createTagsPoint(record, tags, removed, findTimeNs(record, host.clock.nowMs())),
    ...outdated,
    ...labels,
  ];
  return writePoints(connection, version.value, points.map(formatPoint));
}

function formatLabel(key = '', value = ''): string {
  return JSON.stringify([key, value]);
}

/** Behind all that is known of the job, whatever the clock here says. */
function findTimeNs({ changedNs = 0n }: JobRecord, nowMs: number): bigint {
  const nowNs = BigInt(nowMs) * NS_PER_MS;
  return nowNs > changedNs ? nowNs : changedNs + 1n;
}
