import { analytics } from '../query-types/analytics/analytics.js';
import { compare } from '../query-types/compare/compare.js';
import { diff } from '../query-types/compare/diff.js';
import { experiments } from '../query-types/compare/experiments.js';
import { groups } from '../query-types/compare/groups.js';
import { events } from '../query-types/events/events.js';
import { influxql } from '../query-types/influxql/influxql.js';
import { jobs } from '../query-types/jobs/jobs.js';
import { logs } from '../query-types/logs/logs.js';
import { metadata } from '../query-types/metadata/metadata.js';
import type { JoblensQuery, QueryType } from '../query-types/parts/query-type.js';
import { spans } from '../query-types/spans/spans.js';
import { story } from '../query-types/events/story.js';
import { why } from '../query-types/compare/why.js';
import { volume } from '../query-types/logs/volume.js';
import { compare as runs } from '../views/compare.js';
import { diff as differences } from '../views/diff.js';
import { gantt } from '../views/gantt.js';
import { graph } from '../views/graph.js';
import { groups as groupsOfRuns } from '../views/groups.js';
import { job } from '../views/job.js';
import { jobs as jobList } from '../views/jobs.js';
import { log } from '../views/log.js';
import { table } from '../views/table.js';
import type { View } from '../views/view.js';

/** Every type of query by the name that dashboards save, in the order of the editor. The panel's bundle drops it. */
export const QUERY_TYPES = {
  logs,
  volume,
  metadata,
  jobs,
  compare,
  groups,
  diff,
  experiments,
  why,
  events,
  story,
  spans,
  analytics,
  influxql,
} satisfies Readonly<Record<string, QueryType>>;
export type QueryTypeName = keyof typeof QUERY_TYPES;

/** Every view of the panel by the name that dashboards save, in the order of the panel. */
export const VIEWS = {
  graph,
  gantt,
  table,
  log,
  job,
  jobs: jobList,
  compare: runs,
  groups: groupsOfRuns,
  diff: differences,
} satisfies Readonly<Record<string, View>>;
export type ViewName = keyof typeof VIEWS;

/** A query without a type comes from another data source or an older version. */
export function queryTypeNameOf(query: JoblensQuery): string {
  return query.queryType ?? ('logs' satisfies QueryTypeName);
}

/** The type of a query; `undefined` for one that only a newer version knows. */
export function findQueryType(query: JoblensQuery): QueryType | undefined {
  const name = queryTypeNameOf(query);
  return isQueryTypeName(name) ? QUERY_TYPES[name] : undefined;
}

function isQueryTypeName(name: string): name is QueryTypeName {
  return Object.keys(QUERY_TYPES).includes(name);
}

export function isViewName(name: string): name is ViewName {
  return Object.keys(VIEWS).includes(name);
}
