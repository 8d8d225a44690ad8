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
  const table = new FactTable(jobs.length);
  for (const [at, job] of jobs.entries()) addFacts(table, at, job, { stat, nowMs });
  const compared = FACT_KINDS.flatMap((kind) =>
    table.list(kind).map(([name, values]): ComparedFact => {
      return { kind, risk: findRisk(kind, name), name, values, differs: differ(values) };
    })
  );
  return RISKS.flatMap((risk) => compared.filter((fact) => fact.risk === risk));
}

type Values = Array<FactValue | undefined>;

/** The values of each fact, by the places of the jobs. Of one name in one job, the last counts. */
class FactTable {
  readonly #jobs: number;
  readonly #kinds = new Map<FactKind, Map<string, Values>>(FACT_KINDS.map((kind) => [kind, new Map()]));

  constructor(jobs: number) {
    this.#jobs = jobs;
  }

  set(kind: FactKind, at: number, name: string, value: FactValue | undefined): void {
    if (value !== undefined) this.#open(kind, name)[at] = value;
  }

  setAll(kind: FactKind, at: number, facts: Iterable<readonly [string, FactValue | undefined]>): void {
    for (const [name, value] of facts) this.set(kind, at, name, value);
  }

  /** The facts of a kind, those of the first job first. */
  list(kind: FactKind): ReadonlyArray<readonly [string, Values]> {
    return [...(this.#kinds.get(kind) ?? [])];
  }

  #open(kind: FactKind, name: string): Values {
    const ofKind = this.#kinds.get(kind);
    const known = ofKind?.get(name);
    if (known !== undefined) return known;
    const values: Values = Array.from({ length: this.#jobs }, () => undefined);
    ofKind?.set(name, values);
    return values;
  }
}

/** A seed is one wherever it was given: `config.train.seed`. */
function findRisk(kind: FactKind, name: string): Risk {
  return kind === 'config' && lastPart(name).toLowerCase().endsWith('seed') ? 'seeds' : RISK_OF[kind];
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function addFacts(
  table: FactTable,
  at: number,
  { record, tables }: ComparedJob,
  { stat, nowMs }: { readonly stat: ResultStat; readonly nowMs: number }
): void {
  const config = listConfigValues(record.config);
  for (const [name, value] of config) table.set('config', at, `config.${name}`, value);
  for (const [name, value] of Object.entries(record.tags ?? {})) table.set('tag', at, `tag.${name}`, value);
  addDescription(table, at, record, nowMs);
  if (record.manifest !== undefined) addManifest(table, at, record.manifest, config);
  addResults(table, at, tables, stat);
}

function addManifest(
  table: FactTable,
  at: number,
  manifest: string,
  config: ReturnType<typeof listConfigValues>
): void {
  const kept = listManifestFacts(parseManifest(manifest));
  // A seed of the configuration is a fact already.
  const inConfig = new Set(config.map(([key]) => lastPart(key)));
  const seeds = kept.seed.filter(([seed]) => !inConfig.has(lastPart(seed)));
  table.setAll('seed', at, seeds);
  for (const kind of KEPT_KINDS) table.setAll(kind, at, kept[kind]);
}

const KEPT_KINDS = ['code', 'packages', 'config', 'command', 'data', 'machine'] as const;

function addDescription(table: FactTable, at: number, record: JobRecord, nowMs: number): void {
  const durationMs = findJobDurationMs(record, nowMs);
  table.set('command', at, 'name', record.name);
  table.set('command', at, 'command', record.command);
  table.set('command', at, 'folder', record.workdir);
  table.set('machine', at, 'queue', record.queue);
  table.set('machine', at, 'account', record.account);
  table.set('machine', at, 'nodes', record.nodes);
  table.set('machine', at, 'host', record.host);
  table.set('machine', at, 'asked_cpus', record.requestedCpus);
  table.set('machine', at, 'asked_gpus', record.requestedGpus);
  table.set('machine', at, 'asked_memory_bytes', record.requestedMemoryBytes);
  table.set('machine', at, 'time_limit_s', record.timeLimitS);
  table.set('outcome', at, 'state', record.state);
  table.set('outcome', at, 'exit_code', record.exitCode);
  table.set('outcome', at, 'reason', record.reason);
  table.set('outcome', at, 'took_s', durationMs === undefined ? undefined : durationMs / 1000);
}

/** The numbers of a job's tables, those of the main graph first; a key that later tables have, too, counts once. */
function addResults(table: FactTable, at: number, tables: readonly TableSummary[], stat: ResultStat): void {
  const done = new Set<string>();
  for (const { stats } of tables.length < 2 ? tables : groupMainFirst(tables).flat()) {
    for (const [key, column] of stats?.columns ?? []) {
      const value = findResult(column, stat, stats?.x !== undefined);
      if (column.numeric === 0 || typeof value !== 'number' || done.has(key)) continue;
      done.add(key);
      table.set('result', at, key, value);
    }
  }
}

/** `hasX`: whether the table has an X other than time. */
function findResult(column: ColumnStats, stat: ResultStat, hasX: boolean): FactValue | undefined {
  if (stat === 'mean') return findMean(column);
  if (stat === 'x-at-min') return hasX ? column.minX : column.minRow;
  if (stat === 'x-at-max') return hasX ? column.maxX : column.maxRow;
  return column[stat];
}

function differ(values: ReadonlyArray<FactValue | undefined>): boolean {
  return values.some((value) => value !== values[0]);
}
