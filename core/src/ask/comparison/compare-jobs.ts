import type { ColumnStats } from '../../table/column-stats.js';
import { findMean } from '../../table/table-stats.js';
import { parseManifest } from '../../experiment/manifest.js';
import { listConfigValues } from '../../metadata/config-values.js';
import { findJobDurationMs } from '../jobs/job-end.js';
import type { JobRecord } from '../jobs/jobs.js';
import { groupMainFirst } from '../tables/main-tables.js';
import type { TableSummary } from '../tables/tables.js';
import { listManifestFacts } from './manifest-facts.js';

/** Where a fact of a job comes from. What more often explains a different result comes first. */
export const FACT_KINDS = [
  ...(['code', 'seed', 'packages', 'config', 'tag', 'command'] as const),
  ...(['data', 'machine', 'outcome', 'result'] as const),
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** What a different result may come from, the likeliest first, then what came of it. */
export const RISKS = ['code', 'seeds', 'packages', 'config', 'data', 'machine', 'outcome', 'results'] as const;
export type Risk = (typeof RISKS)[number];

const RISK_OF: Readonly<Record<FactKind, Risk>> = {
  ...{ code: 'code', seed: 'seeds', packages: 'packages', config: 'config', tag: 'config', command: 'config' },
  ...{ data: 'data', machine: 'machine', outcome: 'outcome', result: 'results' },
} as const;

export type FactValue = number | string;

/** One thing that is known of jobs, with its value in each of them. */
export interface ComparedFact {
  readonly kind: FactKind;
  readonly risk: Risk;
  /** `config.optimizer.lr`, `tag.model`, `nodes`, `loss`. */
  readonly name: string;
  /** In the order of the jobs; undefined where one has none. */
  readonly values: ReadonlyArray<FactValue | undefined>;
  readonly differs: boolean;
}

/** A job with the summaries of its tables. */
export interface ComparedJob {
  readonly record: JobRecord;
  readonly tables: readonly TableSummary[];
}

/** What of a column of numbers is compared. `x-at-min` is where the lowest came: its X, or its row where X is time. */
export const RESULT_STATS = ['last', 'min', 'max', 'mean', 'x-at-min', 'x-at-max'] as const;
export type ResultStat = (typeof RESULT_STATS)[number];

/**
 * Sets jobs side by side: what they were given, on which machine, how they ended, and their numbers. Facts are in the
 * order of risk, those of one kind in the order in which the first job that has them tells them.
 */
export function compareJobs(
  jobs: readonly ComparedJob[],
  { stat, nowMs }: { readonly stat: ResultStat; readonly nowMs: number }
): readonly ComparedFact[] {
  const facts = jobs.map((job) => listFacts(job, stat, nowMs));
  const compared = FACT_KINDS.flatMap((kind) => {
    const names = new Set(facts.flatMap((ofJob) => [...ofJob[kind].keys()]));
    return [...names].map((name): ComparedFact => {
      const values = facts.map((ofJob) => ofJob[kind].get(name));
      return { kind, risk: findRisk(kind, name), name, values, differs: differ(values) };
    });
  });
  return RISKS.flatMap((risk) => compared.filter((fact) => fact.risk === risk));
}

type Facts = Readonly<Record<FactKind, ReadonlyMap<string, FactValue>>>;

/** A seed is one wherever it was given: `config.train.seed`. */
function findRisk(kind: FactKind, name: string): Risk {
  return kind === 'config' && lastPart(name).toLowerCase().endsWith('seed') ? 'seeds' : RISK_OF[kind];
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function listFacts({ record, tables }: ComparedJob, stat: ResultStat, nowMs: number): Facts {
  const { name, command, workdir, queue, nodes, host, account } = record;
  const { requestedCpus, requestedGpus, requestedMemoryBytes, timeLimitS } = record;
  const { state, exitCode, reason } = record;
  const durationMs = findJobDurationMs(record, nowMs);
  const config = listConfigValues(record.config);
  const kept = listManifestFacts(parseManifest(record.manifest));
  const inConfig = new Set(config.map(([key]) => lastPart(key)));
  return {
    code: new Map(kept.code),
    // A seed of the configuration is a fact already.
    seed: new Map(kept.seed.filter(([seed]) => !inConfig.has(lastPart(seed)))),
    packages: new Map(kept.packages),
    config: new Map([...mapNames('config', config), ...kept.config]),
    tag: mapNames('tag', Object.entries(record.tags ?? {})),
    command: new Map([...listKnown({ name, command, folder: workdir }), ...kept.command]),
    data: new Map(kept.data),
    machine: new Map([
      ...listKnown({
        ...{ queue, account, nodes, host, asked_cpus: requestedCpus, asked_gpus: requestedGpus },
        ...{ asked_memory_bytes: requestedMemoryBytes, time_limit_s: timeLimitS },
      }),
      ...kept.machine,
    ]),
    outcome: listKnown({
      ...{ state, exit_code: exitCode, reason },
      took_s: durationMs === undefined ? undefined : durationMs / 1000,
    }),
    result: listResults(tables, stat),
  };
}

function mapNames(
  prefix: string,
  entries: ReadonlyArray<readonly [string, FactValue]>
): ReadonlyMap<string, FactValue> {
  return new Map(entries.map(([key, value]) => [`${prefix}.${key}`, value]));
}

function listKnown(values: Readonly<Record<string, FactValue | undefined>>): ReadonlyMap<string, FactValue> {
  return new Map(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** The numbers of a job's tables, those of the main graph first; a key that later tables have, too, counts once. */
function listResults(tables: readonly TableSummary[], stat: ResultStat): ReadonlyMap<string, FactValue> {
  const results = new Map<string, FactValue>();
  for (const { stats } of groupMainFirst(tables).flat()) {
    for (const [key, column] of stats?.columns ?? []) {
      const value = findResult(column, stat, stats?.x !== undefined);
      if (column.numeric > 0 && typeof value === 'number' && !results.has(key)) results.set(key, value);
    }
  }
  return results;
}

/** `hasX`: whether the table has an X other than time. */
function findResult(column: ColumnStats, stat: ResultStat, hasX: boolean): FactValue | undefined {
  if (stat === 'mean') return findMean(column);
  if (stat === 'x-at-min') return hasX ? column.minX : column.minRow;
  if (stat === 'x-at-max') return hasX ? column.maxX : column.maxRow;
  return column[stat];
}

function differ([first, ...others]: ReadonlyArray<FactValue | undefined>): boolean {
  return others.some((other) => other !== first);
}
