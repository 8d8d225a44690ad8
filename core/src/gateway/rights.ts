import { createAnd, createComparison, createOr, createRef, createStringLiteral } from '../influxql/build.js';
import type { Condition } from '../influxql/nodes.js';
import { encodeTagValue } from '../schema/name-transport.js';
import type { JobPlace } from './measurements-read.js';

/** What somebody may see: all, or what these users and these jobs wrote. */
export type Rights =
  | { readonly kind: 'all' }
  | { readonly kind: 'some'; readonly users: readonly string[]; readonly jobs: readonly SharedJob[] };

/** A job that its owner `user` has shared. */
export interface SharedJob {
  readonly user: string;
  readonly job: string;
}

export type SomeRights = Extract<Rights, { readonly kind: 'some' }>;

/**
 * Which points are visible; undefined where none is. `places`: where the points have their job. `"user" = ''` would
 * find the points without a user, so an empty name never counts. The casts look at the source's columns: an alias or a
 * field named `user` does not stand for them.
 */
export function createVisibility({ users, jobs }: SomeRights, places: ReadonlySet<JobPlace>): Condition | undefined {
  const owners = new Set(users.filter((user) => user !== ''));
  const shared = new Map<string, Set<string>>();
  for (const { user, job } of jobs) {
    if (owners.has(user) || job === '' || user === '') continue;
    shared.set(user, (shared.get(user) ?? new Set()).add(job));
  }
  return createOr([
    ...[...owners].map(isOf),
    ...[...shared].map(([user, names]) => createAnd([isOf(user), isOneOf(names, places)])),
  ]);
}

function isOf(user: string): Condition {
  return createComparison(createRef('user', 'tag'), '=', createStringLiteral(encodeTagValue(user)));
}

function isOneOf(jobs: ReadonlySet<string>, places: ReadonlySet<JobPlace>): Condition | undefined {
  return createOr(
    [...jobs].flatMap((job) =>
      [...places].map((place) =>
        createComparison(createRef('job', place), '=', createStringLiteral(encodeTagValue(job)))
      )
    )
  );
}
