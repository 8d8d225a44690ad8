import { createLine } from '@joblens/core/metadata/metadata-reader';
import type { PointRow } from '@joblens/core/metadata/point-row';
import { TableLayout } from '@joblens/core/metadata/table-layout';
import { DAY_MS, NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { hasKeys, type MetadataRow } from '@joblens/core/table/metadata-row';
import type { Clock } from '../clock/clock.js';
import type { StateSource } from '../queue/state-registry.js';
import { HeartbeatLog } from '../rules/told/heartbeat-log.js';
import { MetadataTables, type TableState } from '../rules/tables/metadata-tables.js';
import type { PointWriter } from '../rules/writing/point-writer.js';
import type { Rewrites } from '../rules/writing/rewrites.js';
import { RecentTimes, type RecentTimesState } from './recent-times.js';
import { formatRowJobKey, type RowJobState } from './row-job-state.js';

/** A row that claims to be of later than this after now does not count: all true rows would be older. */
const MAX_AHEAD_MS = DAY_MS;

export interface RowJobOptions {
  readonly points: PointWriter;
  readonly rewrites: Rewrites;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** How many tables a job may have; points of further series are no rows. */
  readonly maxTables: number;
  /** Called once when that is reached, and once when there are too many columns for statistics. */
  readonly onFull: (source: JobSource, message: string) => void;
}

interface RowTable {
  layout: TableLayout | undefined;
  /** The time of the newest row that counts; undefined before the first one. */
  newestNs: bigint | undefined;
  readonly recent: RecentTimes;
  isUnsaved: boolean;
}

/** One job whose rows are points of other programs. */
export class RowJob implements StateSource {
  readonly key: string;
  readonly source: JobSource;
  /** When its last row came (Clock.monotonicMs). */
  usedMs: number;
  /** Whether the place of the states has its whole state. */
  isKnown: boolean;
  readonly #options: RowJobOptions;
  readonly #heartbeats: HeartbeatLog;
  readonly #tables = new Map<string, RowTable>();
  #stored: MetadataTables;
  #untilNs: bigint | undefined;
  #rowMs = 0;
  #isFull = false;

  constructor(source: JobSource, options: RowJobOptions, state?: RowJobState) {
    this.key = formatRowJobKey(source);
    this.source = source;
    this.#options = options;
    this.usedMs = options.clock.monotonicMs();
    this.isKnown = state !== undefined;
    this.#untilNs = state?.untilNs === undefined ? undefined : BigInt(state.untilNs);
    const recentOf = new Map(state?.recent);
    for (const [series, time] of state?.newest ?? []) {
      const newestNs = BigInt(time);
      const recent = new RecentTimes(newestNs, recentOf.get(series));
      this.#tables.set(series, { layout: undefined, newestNs, recent, isUnsaved: false });
    }
    this.#stored = this.#createTables(state?.tables ?? []);
    this.#heartbeats = new HeartbeatLog({
      ...{ source, points: options.points, rewrites: options.rewrites, livesWithLog: false },
      // The job lived when its rows say so, which may be long ago.
      nowMs: () => this.#rowMs,
      state: state?.heartbeat,
    });
  }

  get isDirty(): boolean {
    return this.#stored.isDirty;
  }

  get tableCount(): number {
    return this.#tables.size;
  }

  /** Writes the row, and counts it if it is known that it has not come before. */
  addRow({ row, jsonKeys, origin }: PointRow, timeNs: bigint): void {
    const { clock, points } = this.#options;
    this.usedMs = clock.monotonicMs();
    const series = createSeriesName(row.keys(), origin);
    const table = this.#openTable(series);
    if (table === undefined) return;
    table.layout ??= new TableLayout(this.source, [...row.keys()], series);
    const line = createLine(table.layout, { row: orderRow(row, table.layout.keys), jsonKeys, paths: new Map() });
    if (this.#isAhead(timeNs) || !table.recent.add(timeNs)) {
      const formatted = line.formatPoints(String(timeNs));
      points.addText(formatted.text, formatted.points);
      return;
    }
    const isLate = table.newestNs !== undefined && timeNs < table.newestNs;
    table.isUnsaved = true;
    if (isLate) this.#stored.addLateRow(line, timeNs);
    else this.#stored.addRow(line, timeNs);
    if (!isLate) table.newestNs = timeNs;
    this.#rowMs = Number(timeNs / NS_PER_MS);
    this.#heartbeats.noteSign();
    if (this.#heartbeats.isDirty) this.#heartbeats.writeDue();
  }

  /** Writes the changed summaries that are due, or all of them if `isEnd`. */
  writeDue(isEnd: boolean): void {
    this.#stored.writeDue(isEnd);
  }

  /** Ends its tables as a run, and forgets them: later rows begin another one. */
  letGo(): void {
    this.writeDue(true);
    for (const { newestNs } of this.#tables.values()) {
      if (newestNs !== undefined && newestNs > (this.#untilNs ?? newestNs - 1n)) this.#untilNs = newestNs;
    }
    this.#tables.clear();
    this.#stored = this.#createTables([]);
    this.#isFull = false;
    this.isKnown = false;
  }

  /** `change`: the tables that changed since the last call. */
  takeState(kind: 'whole' | 'change'): string {
    const newest: (readonly [string, string])[] = [];
    const recent: (readonly [string, RecentTimesState])[] = [];
    for (const [series, table] of this.#tables) {
      if ((kind === 'change' && !table.isUnsaved) || table.newestNs === undefined) continue;
      newest.push([series, String(table.newestNs)]);
      recent.push([series, table.recent.takeState(kind)]);
      table.isUnsaved = false;
    }
    const state: RowJobState = {
      ...{
        source: this.source,
        tables: this.#stored.takeState(kind),
        newest,
        recent,
        heartbeat: this.#heartbeats.state,
      },
      ...(this.#untilNs !== undefined && { untilNs: String(this.#untilNs) }),
    };
    return JSON.stringify(state);
  }

  takeWholeState(): string {
    return this.takeState('whole');
  }

  /** Its points are queued as soon as they are made. */
  commit(): boolean {
    return true;
  }

  #isAhead(timeNs: bigint): boolean {
    return timeNs / NS_PER_MS > BigInt(Math.trunc(this.#options.clock.nowMs())) + BigInt(MAX_AHEAD_MS);
  }

  #openTable(series: string): RowTable | undefined {
    const known = this.#tables.get(series);
    if (known !== undefined) return known;
    const { maxTables, onFull } = this.#options;
    if (this.#tables.size >= maxTables) {
      if (!this.#isFull) onFull(this.source, `more than ${maxTables} series came; points of further ones are no rows`);
      this.#isFull = true;
      return undefined;
    }
    const recent = new RecentTimes(this.#untilNs);
    const table: RowTable = { layout: undefined, newestNs: undefined, recent, isUnsaved: false };
    this.#tables.set(series, table);
    return table;
  }

  #createTables(tables: readonly TableState[]): MetadataTables {
    const { points, rewrites, clock, onFull } = this.#options;
    return new MetadataTables({
      ...{ source: this.source, points, rewrites, monotonicMs: () => clock.monotonicMs(), maxTables: Infinity, tables },
      onFull: (message) => onFull(this.source, message),
      onNonfinite: () => undefined,
    });
  }
}

/** The fields of a program may come in any order, and those of a table have one. */
function orderRow(row: MetadataRow, keys: readonly string[]): MetadataRow {
  return hasKeys(row, keys) ? row : new Map(keys.map((key) => [key, row.get(key) ?? '']));
}
