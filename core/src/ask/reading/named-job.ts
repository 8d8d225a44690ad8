/** A job as somebody names it: without a user, that of any. */
export interface NamedJob {
  readonly job: string;
  readonly user?: string | undefined;
}

interface OwnedJob {
  readonly job: string;
  readonly user: string;
}

const OF_USER = ' of user ';

/**
 * A job with its user in one text, for lists of jobs of several users: `train of user ann`. Read back by
 * `parseNamedJob`, whatever the two hold.
 */
export function formatOwnedJob({ job, user }: OwnedJob): string {
  const escaped = user.replaceAll('%', '%25');
  // The last " of user " is the one between the two.
  return `${job}${OF_USER}${escaped.includes(OF_USER.trimStart()) ? escaped.replaceAll(' ', '%20') : escaped}`;
}

/** An id, or `train of user ann`. An id that ends so is itself named with its user. */
export function parseNamedJob(text: string): NamedJob {
  const at = text.lastIndexOf(OF_USER);
  if (at < 0) return { job: text };
  const user = text.slice(at + OF_USER.length).replace(/%2[05]/g, (code) => (code === '%25' ? '%' : ' '));
  return { job: text.slice(0, at), user };
}

/** The text that names this job: its id; with its user where that is shared, or would be read as such a text. */
export function formatNamedJob(job: OwnedJob, isShared: boolean): string {
  return isShared || parseNamedJob(job.job).user !== undefined ? formatOwnedJob(job) : job.job;
}

/** Whether a job is one of those that are named. */
export function createNamedTest(named: readonly NamedJob[]): (job: OwnedJob) => boolean {
  const users = groupUsers(named);
  return ({ job, user }) => {
    const wanted = users.get(job);
    return wanted !== undefined && (wanted.has(undefined) || wanted.has(user));
  };
}

/**
 * The same jobs, where a name without a user stands for those `known` jobs that have it, if there are any: somebody who
 * looks at these names one of them.
 */
export function nameAmong(named: readonly NamedJob[], known: readonly OwnedJob[]): readonly NamedJob[] {
  const users = groupUsers(known);
  return named.flatMap((one): readonly NamedJob[] => {
    const owners = one.user === undefined ? users.get(one.job) : undefined;
    return owners === undefined ? [one] : [...owners].map((user) => ({ job: one.job, user }));
  });
}

function groupUsers(jobs: readonly NamedJob[]): ReadonlyMap<string, Set<string | undefined>> {
  const users = new Map<string, Set<string | undefined>>();
  for (const { job, user } of jobs) users.set(job, (users.get(job) ?? new Set()).add(user));
  return users;
}

/**
 * The ids to ask for, and the users: those that are chosen already, or else those of the names, if all have one.
 * `createNamedTest` then tells which of the jobs are meant.
 */
export function selectNamed(
  named: readonly NamedJob[],
  chosen: readonly string[]
): { readonly job: readonly string[]; readonly user: readonly string[] } {
  return { job: [...new Set(named.map(({ job }) => job))], user: chooseUsers(named, chosen) };
}

function chooseUsers(named: readonly NamedJob[], chosen: readonly string[]): readonly string[] {
  const users = new Set(named.flatMap(({ user }) => (user === undefined ? [] : [user])));
  return chosen.length > 0 || named.some(({ user }) => user === undefined) ? chosen : [...users];
}
