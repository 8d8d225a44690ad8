import type { FieldValue, Point } from '@joblens/core/point/point';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import { splitPoints } from '../sinks/point-bytes.js';
import type { Store, StoreAnswer } from './fault-proxy.js';

/** How versions tell of bad points: `mute` is a store that says nothing of use. */
export const DIALECTS = ['1.x', '2.x', '3.x', '3.x all or nothing', 'mute'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Field values by series, time and field. */
export type StoredFields = Map<string, FieldValue>;

export interface FakeInfluxdb {
  readonly store: Store;
  readonly fields: StoredFields;
}

const STORED: StoreAnswer = { status: 204, headers: { 'x-influxdb-version': '1.8.10' }, body: '' };

interface BadPoint {
  readonly index: number;
  readonly line: string;
  readonly message: string;
  /** The type of a field, not the syntax. */
  readonly isConflict: boolean;
}

const isRefusedWhole = (dialect: Dialect, bad: readonly BadPoint[]): boolean =>
  dialect === '3.x all or nothing' || dialect === 'mute' || (dialect === '2.x' && bad.some((p) => !p.isConflict));

/** A store in memory that takes and refuses writes as an InfluxDB does; a field `loss` must be a number. */
export function createFakeInfluxdb(dialect: Dialect): FakeInfluxdb {
  const fields: StoredFields = new Map();
  return {
    fields,
    store(_path, body) {
      const bad: BadPoint[] = [];
      const good: Point[] = [];
      for (const [index, bytes] of splitPoints({ bytes: body, points: 0 }).entries()) {
        const line = bytes.toString().replace(/\n$/, '');
        const { points, errors } = parseLineProtocol(line, { precision: 'ns', defaultTimeNs: 0n });
        const [point] = points;
        if (point === undefined) {
          bad.push({ index, line, message: errors[0]?.message ?? 'no point', isConflict: false });
        } else if (typeof point.fields.get('loss') === 'string') {
          bad.push({ index, line, message: describeConflict(point.measurement), isConflict: true });
        } else good.push(point);
      }
      if (bad.length === 0 || !isRefusedWhole(dialect, bad)) for (const point of good) storeFields(fields, point);
      return Promise.resolve(bad.length === 0 ? STORED : complain(dialect, bad));
    },
  };
}

function describeConflict(measurement: string): string {
  return `field type conflict: input field "loss" on measurement "${measurement}" is type string, already exists as type float`;
}

export function storeFields(stored: StoredFields, { measurement, tags, timeNs, fields }: Point): void {
  for (const [name, value] of fields) stored.set(JSON.stringify([measurement, [...tags], String(timeNs), name]), value);
}

function complain(dialect: Dialect, bad: readonly BadPoint[]): StoreAnswer {
  const unparsable = bad.filter(({ isConflict }) => !isConflict);
  const conflicts = bad.length - unparsable.length;
  const messages = unparsable.map(({ message }) => message).join('\n');
  const conflict = `${bad.find(({ isConflict }) => isConflict)?.message ?? ''} dropped=${conflicts}`;
  const list = bad.map(({ index, line, message }) => ({
    original_line: line.slice(0, 300),
    line_number: index + 1,
    error_message: message,
  }));
  switch (dialect) {
    case '1.x': {
      const error = `partial write: ${messages === '' ? conflict : `${messages} dropped=0`}`;
      return { status: 400, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) };
    }
    case '2.x':
      return messages === ''
        ? { status: 422, body: JSON.stringify({ code: 'unprocessable entity', message: `partial write: ${conflict}` }) }
        : { status: 400, body: JSON.stringify({ code: 'invalid', message: messages }) };
    case '3.x': {
      const error = 'partial write of line protocol occurred';
      return { status: 400, body: JSON.stringify({ error, data: list.slice(0, 100) }) };
    }
    case '3.x all or nothing':
      return { status: 400, body: JSON.stringify({ error: 'line protocol parsing error', data: list[0] }) };
    case 'mute':
      return { status: 400, body: 'no' };
  }
}
