import type { Point } from '../point/point.js';
import { toWellFormed } from '../point/utf8.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { encodeTagValue } from './name-transport.js';

/** Whom a job is shared with: the name of a user, or `group:` and that of a group. */
export const SHARED_GROUP = 'group:';
/** More of them are refused, so that what the gateway keeps stays bounded. */
export const MAX_SHARED_WITH = 100;
const MAX_WHOM_LENGTH = 256;

/** Whether a text can name a user or a group. */
export function isWhom(text: string): boolean {
  const name = text.startsWith(SHARED_GROUP) ? text.slice(SHARED_GROUP.length) : text;
  return name.trim() === name && name !== '' && text.length <= MAX_WHOM_LENGTH && !/\p{Cc}/u.test(text);
}

/** Users and groups in words. */
export const WHOM_LIST = `a list of at most ${MAX_SHARED_WITH} users, and groups as group:NAME`;

export function isWhomList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_SHARED_WITH) return false;
  return value.every((name: unknown) => typeof name === 'string' && isWhom(name));
}

/**
 * What a point says: its owner shares the job, or takes that back; or the job offers itself, by the opt-in or a command
 * in its output.
 */
export type ShareWord = 'shared' | 'unshared' | 'offered';

const FIELDS: Readonly<Record<ShareWord, readonly [field: string, value: number]>> = {
  shared: ['shared', 1],
  unshared: ['shared', 0],
  offered: ['offered', 1],
};

/**
 * The point that says so. Among those with its tags, the newest `shared` counts, and `offered` only where there is
 * none: each process of a job offers it again, and must not undo what its owner has said in between.
 */
export function createSharePoint(
  { job, user }: Pick<JobSource, 'job' | 'user'>,
  whom: string,
  word: ShareWord,
  timeNs: bigint
): Point {
  return {
    measurement: MEASUREMENT.share,
    tags: new Map([
      ['job', encodeTagValue(job)],
      ['user', encodeTagValue(user)],
      ['whom', encodeTagValue(toWellFormed(whom))],
    ]),
    fields: new Map([FIELDS[word]]),
    timeNs,
  };
}
