interface JobId {
  readonly job: string;
  readonly user: string;
}

/** Names jobs so that people tell them apart: by their ids, and by their users where several have one of an id. */
export function createJobNamer(jobs: readonly JobId[]): (job: JobId) => string {
  const users = new Map<string, Set<string>>();
  for (const { job, user } of jobs) users.set(job, (users.get(job) ?? new Set()).add(user));
  return (job) => ((users.get(job.job)?.size ?? 0) > 1 ? nameWithUser(job) : job.job);
}

function nameWithUser({ job, user }: JobId): string {
  return `${job} of ${user === '' ? 'nobody' : user}`;
}

/** What the name of a frame begins with that has one of several jobs; '' for an only one. */
export function createJobPrefixer(jobs: readonly JobId[]): (job: JobId) => string {
  const name = createJobNamer(jobs);
  const isOnly = new Set(jobs.map(name)).size <= 1;
  return (job) => (isOnly ? '' : `${name(job)}: `);
}

/** What the name of a frame of this job may begin with, the longest first. */
export function listJobPrefixes(job: JobId): readonly string[] {
  return [nameWithUser(job), job.job].map((name) => `${name}: `);
}
