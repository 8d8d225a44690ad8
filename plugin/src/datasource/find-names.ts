import type { TimeRange } from '@grafana/data';
import type { Statement } from '@joblens/core/influxql/nodes';
import type { FindRequest } from '@joblens/core/ask/heartbeats/find-jobs';
import { readNamedJobs } from '@joblens/core/ask/jobs/list-jobs';
import {
  isLimitedNames,
  MAX_NAMES,
  namesQuery,
  type NamesRequest,
  readNames,
  readRecentNames,
  recentNamesQuery,
} from '@joblens/core/ask/jobs/names';
import { readTopics } from '@joblens/core/ask/events/topics';
import { lastValueFrom } from 'rxjs';
import { WEEK_MS } from '@joblens/core/numbers/time-units';
import { toNs } from '../frames/times.js';
import { findOtherJobs } from '../query-types/jobs/other-jobs.js';
import type { FoundNames, RunContext, VariableKind } from '../query-types/parts/query-type.js';
import { runReading } from '../query-types/parts/run-reading.js';

type NamesAsked = Omit<NamesRequest, 'kind'> & FindRequest & { readonly kind: VariableKind; readonly search: string };

/** The range of a dashboard, made at least a week long: a list to choose from may offer more than what is shown. */
export function chooseNamesRange(range: TimeRange | undefined, nowMs: number): Omit<FindRequest, 'user'> {
  const toMs = range?.to.valueOf() ?? nowMs;
  const fromMs = Math.min(range?.from.valueOf() ?? nowMs, toMs - WEEK_MS);
  return { fromNs: toNs(fromMs), toNs: toNs(toMs), isOpen: range === undefined || range.raw.to === 'now' };
}

/**
 * Names for a list to choose from. Jobs and users come from the heartbeats. Only where these know none, they come from
 * what else the store has, which costs more the more jobs it has. Rejects with StoreError.
 */
export async function findNames(
  request: NamesAsked,
  context: Pick<RunContext, 'client' | 'monotonicMs' | 'hasOtherWriters'>
): Promise<FoundNames> {
  const { kind, search } = request;
  if (kind === 'topics') return findTopics(request, context);
  const ask = (statements: readonly Statement[]) => lastValueFrom(context.client.query(statements));
  const recent = recentNamesQuery({ ...request, kind }, search);
  if (recent !== undefined) {
    const results = await ask([recent]);
    const names = readRecentNames({ ...request, kind }, results);
    if (names.length > 0) return { names, isLimited: isLimitedNames(results) };
    // Nobody ran anything in the range, or nothing of this name: offer what ever ran.
    const isOfAllTime = kind === 'users' || search !== '';
    if (isOfAllTime && request.fromNs > 0n) return findNames({ ...request, fromNs: 0n }, context);
    if (kind === 'jobs') {
      // By its whole name, a job is found whenever it ran.
      const named = () => readNamedJobs({ job: search, values: false });
      const isName = search !== '' && (await lastValueFrom(runReading(named, context))).length > 0;
      return isName ? { names: [search], isLimited: false } : findOtherNames(request, context);
    }
  }
  const results = await ask(namesQuery({ ...request, kind }));
  return { names: readNames(kind, results), isLimited: isLimitedNames(results) };
}

/** The most frequent first, with the number of their events. */
async function findTopics(
  { job, user, fromNs, toNs }: NamesAsked,
  context: Pick<RunContext, 'client'>
): Promise<FoundNames> {
  const filter = { jobs: listNames(job), users: listNames(user), afterNs: fromNs, beforeNs: toNs };
  const { topics } = await lastValueFrom(runReading(() => readTopics(filter), context));
  const counts = new Map(topics.map(({ topic, events }) => [topic, events]));
  return { names: [...counts.keys()], isLimited: false, counts };
}

function listNames(selection: NamesRequest['job']): readonly string[] {
  return typeof selection === 'string' ? [selection] : (selection ?? []);
}

async function findOtherNames(
  request: NamesAsked,
  context: Pick<RunContext, 'client' | 'monotonicMs' | 'hasOtherWriters'>
): Promise<FoundNames> {
  const others = await lastValueFrom(runReading(() => findOtherJobs(request, context), context));
  const searched = request.search.toLowerCase();
  const names = [...new Set(others.map(({ job }) => job))].filter((job) => job.toLowerCase().includes(searched));
  return { names: names.slice(0, MAX_NAMES), isLimited: names.length > MAX_NAMES };
}
