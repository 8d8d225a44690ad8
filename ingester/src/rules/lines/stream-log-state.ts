import type { LogKind } from '@joblens/core/schema/measurements';
import type { SignalDetectorState } from '@joblens/core/signals/signal-detector';
import { createRow, type LogRow, type RepeatRun, type RowPlace, type StoredRow } from './log-row.js';
import { SettledRows, type SettledState } from './settled-rows.js';

/** A row as JSON, without its usual values. */
interface RowState {
  readonly id: number;
  readonly timeNs: string;
  readonly text: string;
  readonly ansi?: string;
  readonly place: RowPlace;
  /** The letters of its flags: ended, metadata, piece, continues, dirty. */
  readonly flags: string;
  /** The id of the first row of its run of repeats. */
  readonly run?: number;
  /** The stored line in its place; true for the row itself as output. */
  readonly stored?: true | { readonly text: string; readonly ansi?: string; readonly kind: LogKind };
  readonly firstPart?: number;
  readonly parts?: number;
}

/** The state with which a StreamLog continues after a restart, as JSON. A change holds only changed rows. */
export interface StreamLogState extends SignalDetectorState {
  /** Rows with smaller ids are final. */
  readonly oldestId: number;
  readonly rows: readonly RowState[];
  readonly settled: readonly SettledState[];
  /** All final rows that are still to be written or that others refer to, also in a change. */
  readonly kept: readonly RowState[];
  /** Runs of repeats: the id of the first dropped row, the count, and the id of the last row. */
  readonly runs: readonly (readonly [firstId: number, count: number, lastId?: number])[];
  readonly newestId?: number;
  readonly vacantId?: number;
  /** The program has moved the cursor up. */
  readonly hasMovedUp?: true;
}

/** The rows of a StreamLog. */
export interface StreamLogRows {
  /** Rows that may still change, by id, in no order. */
  readonly rows: Map<number, LogRow>;
  /** The other rows that may still change. */
  readonly settled: SettledRows;
  /** Rows to write. */
  readonly dirty: Set<LogRow>;
  oldestId: number;
  newest: LogRow | undefined;
  /**
   * A row that was shown while it was printed and turned out to be a repeat. It stays until the next row replaces it.
   */
  vacant: LogRow | undefined;
  /** When the program last moved the cursor up; undefined: never. */
  movedUpMs: number | undefined;
}

export function createStreamLogRows(): StreamLogRows {
  const settled = new SettledRows();
  return {
    rows: new Map(),
    settled,
    dirty: new Set(),
    oldestId: 0,
    newest: undefined,
    vacant: undefined,
    movedUpMs: undefined,
  };
}

/** Adds a later change to a state: its rows replace older ones, and rows that have become final are dropped. */
export function mergeStreamLogState(older: StreamLogState, change: StreamLogState): StreamLogState {
  const rows = new Map(older.rows.map((row) => [row.id, row]));
  const settled = new Map(older.settled.map((row) => [row[0], row]));
  for (const row of change.rows) {
    rows.set(row.id, row);
    settled.delete(row.id);
  }
  for (const row of change.settled) {
    settled.set(row[0], row);
    rows.delete(row[0]);
  }
  const isOpen = (id: number): boolean => id >= change.oldestId;
  return {
    ...change,
    rows: [...rows.values()].filter(({ id }) => isOpen(id)),
    settled: [...settled.values()].filter(([id]) => isOpen(id)),
  };
}

/** `whole`: all rows; `change`: the rows that changed since the last call. */
export function takeStreamLogState(log: StreamLogRows, kind: 'whole' | 'change'): StreamLogState {
  const live = [...log.rows.values()];
  const taken = kind === 'whole' ? live : live.filter((row) => row.isUnsaved);
  for (const row of taken) row.isUnsaved = false;
  // Final rows that are still to be written wait for what is known of the store.
  const waiting = [...log.dirty].filter((row) => log.rows.get(row.id) !== row);
  const runs = new Set([...live, ...waiting].flatMap((row) => row.run ?? []));
  const previous = live.map((row) => row.previous);
  for (const row of [log.newest, log.vacant, ...previous]) if (row?.run !== undefined) runs.add(row.run);
  const referred = [...[...runs].map((run) => run.first), ...previous, ...waiting, log.newest, log.vacant];
  const kept = new Set(referred.flatMap((row) => (row === undefined || log.rows.get(row.id) === row ? [] : row)));
  const format = (row: LogRow): RowState => formatRow(row, log.dirty.has(row));
  return {
    oldestId: log.oldestId,
    rows: taken.map(format),
    settled: log.settled.takeState(kind, log.oldestId),
    kept: [...kept].map(format),
    runs: [...runs].map((run) => [run.first.id, run.count, run.lastId]),
    ...(log.newest === undefined ? {} : { newestId: log.newest.id }),
    ...(log.vacant === undefined ? {} : { vacantId: log.vacant.id }),
    ...(log.movedUpMs === undefined ? {} : { hasMovedUp: true as const }),
  };
}

/** Links each row to the one before it in the list: if a row was judged by the row before, both are in the list. */
export function restoreStreamLog(state: StreamLogState, nowMs: number): StreamLogRows {
  const states = [...state.kept, ...state.rows].sort((a, b) => a.id - b.id);
  const all = new Map<number, LogRow>();
  const live = new Map<number, LogRow>();
  const dirty = new Set<LogRow>();
  const liveIds = new Set(state.rows.map(({ id }) => id));
  let previous: LogRow | undefined;
  for (const rowState of states) {
    const isLive = liveIds.has(rowState.id);
    const row = parseRow(rowState, isLive ? previous : undefined);
    if (isLive && previous !== undefined) previous.next = row;
    previous = row;
    all.set(row.id, row);
    if (isLive) live.set(row.id, row);
    if (rowState.flags.includes('d')) dirty.add(row);
  }
  restoreRuns(state, states, all);
  const find = (id: number | undefined): LogRow | undefined => (id === undefined ? undefined : all.get(id));
  return {
    rows: live,
    settled: new SettledRows(state.settled),
    dirty,
    oldestId: state.oldestId,
    newest: find(state.newestId),
    vacant: find(state.vacantId),
    movedUpMs: state.hasMovedUp === true ? nowMs : undefined,
  };
}

function restoreRuns(state: StreamLogState, states: readonly RowState[], rows: ReadonlyMap<number, LogRow>): void {
  const runs = new Map<number, RepeatRun>();
  for (const [firstId, count, lastId = firstId] of state.runs) {
    const first = rows.get(firstId);
    if (first !== undefined) runs.set(firstId, { count, lastId, first });
  }
  for (const { id, run } of states) {
    const row = rows.get(id);
    if (row !== undefined && run !== undefined) row.run = runs.get(run);
  }
}

function formatRow(row: LogRow, isDirty: boolean): RowState {
  const { id, timeNs, text, ansi, place, run, stored, firstPart, parts } = row;
  const flags = [
    row.isEnded ? 'e' : '',
    row.isMetadata ? 'm' : '',
    row.isPiece ? 'p' : '',
    row.beginsAsJson ? 'j' : '',
    row.continues ? 'c' : '',
    isDirty ? 'd' : '',
  ];
  return {
    id,
    timeNs: String(timeNs),
    text,
    ...(ansi === undefined ? {} : { ansi }),
    place,
    flags: flags.join(''),
    ...(run === undefined ? {} : { run: run.first.id }),
    ...(stored === undefined ? {} : { stored: formatStored(row, stored) }),
    ...(firstPart === 0 ? {} : { firstPart }),
    ...(parts === 1 ? {} : { parts }),
  };
}

function formatStored(row: LogRow, { text, ansi, kind }: StoredRow): NonNullable<RowState['stored']> {
  if (text === row.text && ansi === row.ansi && kind === 'output') return true;
  return { text, kind, ...(ansi === undefined ? {} : { ansi }) };
}

function parseRow(state: RowState, previous: LogRow | undefined): LogRow {
  const { id, timeNs, text, ansi, place, flags, stored, firstPart, parts } = state;
  const row = createRow(id, BigInt(timeNs), previous, firstPart ?? 0);
  row.text = text;
  row.ansi = ansi;
  row.place = place;
  row.isEnded = flags.includes('e');
  row.isMetadata = flags.includes('m');
  row.isPiece = flags.includes('p');
  row.beginsAsJson = flags.includes('j');
  row.continues = flags.includes('c');
  row.parts = parts ?? 1;
  row.isUnsaved = false;
  if (stored === true) row.stored = { text, ansi, kind: 'output', writtenMs: 0 };
  else if (stored !== undefined) row.stored = { ...stored, ansi: stored.ansi, writtenMs: 0 };
  return row;
}
