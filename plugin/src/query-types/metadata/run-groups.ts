import type { DataFrame } from '@grafana/data';
import { chooseGroupFact, listGroupKeys } from '@joblens/core/ask/comparison/choose-groups';
import { compareJobs } from '@joblens/core/ask/comparison/compare-jobs';
import type { Comparison } from '@joblens/core/ask/comparison/find-compared';
import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { catchError, map, type Observable, of } from 'rxjs';
import { createCustomMeta, readFrameMeta, readMetaRecord, type RunGroup } from '../../frames/frame-meta.js';
import { type ComparisonQuery, GROUPED_JOBS, readCompared } from '../parts/comparison-query.js';
import { fillIn, type RunContext } from '../parts/query-type.js';

/** The group of each job, by its key; empty where nothing makes groups. */
type GroupsOfJobs = ReadonlyMap<string, RunGroup>;

interface GroupedQuery extends ComparisonQuery {
  readonly by?: string;
}

/**
 * The groups of the jobs of a query, by what the query type Groups groups them. Graphs of jobs whose groups cannot be
 * read are still graphs.
 */
export function readGroups(query: GroupedQuery, context: RunContext): Observable<GroupsOfJobs> {
  const [wanted] = fillIn(query.by, context);
  // What panels of one dashboard ask alike is asked once: this is asked as Groups asks it.
  return readCompared(query, { limit: GROUPED_JOBS, joinsTag: false }, context).pipe(
    map(({ answer }) => listGroups(answer, wanted, context.nowMs)),
    catchError(() => of(new Map<string, RunGroup>()))
  );
}

function listGroups({ jobs }: Comparison, wanted: string | undefined, nowMs: number): GroupsOfJobs {
  const facts = compareJobs(jobs, { stat: 'last', nowMs });
  const by = chooseGroupFact(facts, listGroupKeys(facts), wanted);
  if (by === undefined) return new Map();
  const name = by.name.replace(/^(?:config|tag)\./, '');
  return new Map(
    jobs.map(({ record }, at) => {
      const value = by.values[at];
      return [formatJobKey(record), { by: name, ...(value !== undefined && { value }) }];
    })
  );
}

/** The frames with the groups of their jobs. */
export function groupFrames(frames: readonly DataFrame[], groups: GroupsOfJobs): DataFrame[] {
  return frames.map((frame) => {
    const { job = '', user = '' } = readFrameMeta(frame) ?? {};
    const group = groups.get(formatJobKey({ job, user }));
    const meta = readMetaRecord(frame);
    if (group === undefined || meta === undefined) return frame;
    return { ...frame, meta: { ...frame.meta, custom: createCustomMeta({ ...meta, kind: 'metadata', group }) } };
  });
}
