import type { Difference } from '../ask/why/rank-differences.js';
import type { Likeness } from '../ask/why/similar-successes.js';
import type { Why } from '../ask/why/read-why.js';
import { describeExit } from '../signals/explain-end.js';
import type { StateKind } from '../words/states.js';
import { dropUnknown, type ReportedFirstFailure, reportFirstFailure } from './job-report.js';

/** Why a job failed, for people and programs. Plain JSON. */
export interface WhyReport {
  readonly job: string;
  readonly user: string;
  readonly name?: string;
  readonly state?: string;
  readonly kind: StateKind;
  readonly reason?: string;
  readonly exitCode?: number;
  /** The last line that it printed. */
  readonly lastLine?: string;
  readonly firstFailure?: ReportedFirstFailure;
  /** The jobs that went well with which it is compared, the newest first; in which they are like it. */
  readonly against?: { readonly by: Likeness; readonly label: string; readonly jobs: readonly string[] };
  /** The likeliest cause first. */
  readonly differences: readonly Difference[];
  /** Where it ran, and where they did, if none of them ran there. */
  readonly elsewhere?: { readonly host: string; readonly others: readonly string[] };
  /** Why it is compared with nothing. */
  readonly alone?: string;
}

/** Reports what is known of the end of a job. */
export function createWhyReport({ record, kind, lastLine, signals, against, differences }: Why): WhyReport {
  const { job, user, name, state, exitCode } = record;
  const reason = record.reason ?? describeExit(exitCode);
  const isOver = kind === 'failed' || kind === 'stopped' || kind === 'unknown';
  const firstFailure = isOver ? reportFirstFailure(signals) : undefined;
  const elsewhere = findElsewhere(record.host, against?.records.map(({ host }) => host) ?? []);
  const known = dropUnknown({
    ...{ name, state, reason, exitCode, firstFailure, elsewhere },
    lastLine: lastLine === '' ? undefined : lastLine,
    against: against && { by: against.by, label: findLabel(record, against.by), jobs: listJobs(against) },
    alone: isOver && against === undefined ? explainAlone(record) : undefined,
  });
  return { ...{ job, user, kind, differences }, ...known };
}

function listJobs({ records }: NonNullable<Why['against']>): readonly string[] {
  return records.map(({ job }) => job);
}

function findLabel({ name, tags = {} }: Why['record'], by: Likeness): string {
  return (by === 'name' ? name : tags[by]) ?? '';
}

function findElsewhere(host: string | undefined, hosts: ReadonlyArray<string | undefined>): WhyReport['elsewhere'] {
  const others = [...new Set(hosts.filter((other) => other !== undefined))];
  return host === undefined || others.length === 0 || others.includes(host) ? undefined : { host, others };
}

function explainAlone({ name = '', user, tags = {} }: Why['record']): string {
  const labels = (['experiment', 'group'] as const).flatMap((key) =>
    tags[key] === undefined ? [] : `of ${key} ${tags[key]}`
  );
  const like = [...(name === '' ? [] : [`named ${name}`]), ...labels];
  if (like.length === 0) return 'it has no name, experiment or group by which to find jobs like it';
  return `no job of ${user} ${like.join(' or ')} went well before it`;
}
