import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { JsonValue } from '@joblens/core/schema/job-point';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { formatLocalTime } from './local-time.js';

/** One column of what a reading subcommand prints, in each of its forms. */
export interface Column<Row> {
  /** Its name in JSON and CSV. */
  readonly name: string;
  /** In the head of the table; the name in capitals by default, with spaces for `_`. */
  readonly head?: string;
  /** As programs read it; undefined where a row has none: left out of JSON, and empty elsewhere. */
  readonly value: (row: Row) => JsonValue | undefined;
  /** The same as JSON, where it has numbers that a value cannot hold; undefined where `value` is right. */
  readonly json?: (row: Row) => string | undefined;
  /** As people read it, in the table on a terminal; the value by default. */
  readonly shown?: (row: Row) => string;
  readonly align?: 'right';
  /** Its texts are cut where the terminal is too narrow; other columns are cut only if that does not suffice. */
  readonly shrinks?: true;
  /** Left out of the table where none of the rows has a text, and first where the terminal is too narrow. */
  readonly isMinor?: true;
  /** Minor columns with the highest rank are left out first where the terminal is too narrow; default 0. */
  readonly rank?: number;
  /** Not left out for having no text: rows that come later may have some. */
  readonly mayFill?: boolean;
  readonly color?: (row: Row) => CellColor | undefined;
  /** Only in JSON and CSV. */
  readonly isDetail?: true;
}

export type CellColor = 'red' | 'green' | 'yellow' | 'blue' | 'dim';

/** A column of times: RFC 3339 in UTC with nanoseconds for programs, local time to the second on a terminal. */
export function createTimeColumn<Row>(name: string, timeNs: (row: Row) => bigint | undefined): Column<Row> {
  return {
    name,
    value: (row) => {
      const time = timeNs(row);
      return time === undefined ? undefined : formatRfc3339Nano(time);
    },
    shown: (row) => {
      const time = timeNs(row);
      return time === undefined ? '' : formatLocalTime(Number(time / NS_PER_MS));
    },
  };
}

/** A cell as text for programs. */
export function formatCell<Row>({ value, json }: Column<Row>, row: Row): string {
  const found = value(row);
  return typeof found === 'string' ? found : (json?.(row) ?? formatValue(found));
}

/** A value as text: a string as it is, anything else as JSON. */
export function formatValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
