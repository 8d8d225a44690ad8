import type { LogKind } from '@joblens/core/schema/measurements';

/** How a row is stored. */
export type RowPlace =
  /** Not decided yet: the row is still being printed. */
  | 'open'
  | 'line'
  | 'command'
  /** Dropped as a repeat; the run's notice takes its place. */
  | 'notice'
  /** Dropped as a further repeat or a further empty line. */
  | 'dropped'
  /** Not logged in the mode in force. */
  | 'skipped';

/** A run of lines that were dropped because they equal the line before. */
export interface RepeatRun {
  count: number;
  /** The id of the last row in it. */
  lastId: number;
  /** The first dropped row: the notice is stored at its time. */
  readonly first: LogRow;
}

export interface StoredRow {
  readonly text: string;
  /** '' when the colours were taken away again, undefined when there never were any. */
  readonly ansi: string | undefined;
  readonly kind: LogKind;
  readonly writtenMs: number;
}

/** A row that may still change. */
export interface LogRow {
  /** The renderer's id of the row. */
  readonly id: number;
  timeNs: bigint;
  text: string;
  ansi: string | undefined;
  isEnded: boolean;
  isMetadata: boolean;
  /** A piece of a line that was too long for one row. */
  isPiece: boolean;
  /** The first piece of its line begins as JSON does. */
  beginsAsJson: boolean;
  /** The next row is the next piece of the same line. */
  continues: boolean;
  place: RowPlace;
  run: RepeatRun | undefined;
  /** The stored line in the row's place, and when it was written. */
  stored: StoredRow | undefined;
  /** Since when it waits to be written, where only what is final is written. */
  heldMs: number;
  /** How many points the earlier pieces of the same line take. */
  readonly firstPart: number;
  /** How many points the row took when it was last written. */
  parts: number;
  previous: LogRow | undefined;
  next: LogRow | undefined;
  /** The row has changed since its state was last taken (StreamLogState). */
  isUnsaved: boolean;
}

export function createRow(id: number, timeNs: bigint, previous: LogRow | undefined, firstPart = 0): LogRow {
  return {
    id,
    timeNs,
    text: '',
    ansi: undefined,
    isEnded: false,
    isMetadata: false,
    isPiece: false,
    beginsAsJson: false,
    continues: false,
    place: 'open',
    run: undefined,
    stored: undefined,
    heldMs: 0,
    firstPart,
    parts: 1,
    previous,
    next: undefined,
    isUnsaved: true,
  };
}
