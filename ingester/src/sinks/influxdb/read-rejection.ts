import { parseJson as parseBoundedJson } from '@joblens/core/json/bounded-json';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import type { PointBatch } from '../../queue/point-queue.js';
import { splitPoints } from '../point-bytes.js';
import type { NamedPoint, RejectionHint } from '../sink.js';

const UNPARSABLE = /(?:^|\n|: )unable to parse '/;
const DROPPED = / dropped=(\d+)\s*$/;
const TYPE_CONFLICT = /input field "(.*)" on measurement "(.*)" is type (\w+)/;
/** InfluxDB's names of types, and the JavaScript types of parsed points. */
const JS_TYPES: ReadonlyMap<string, string> = new Map([
  ['float', 'number'],
  ['integer', 'bigint'],
  ['string', 'string'],
  ['boolean', 'boolean'],
]);
/** Version 3 may shorten the line that it names. */
const COMPARED_CHARS = 100;
const END = /\n$/;

/**
 * Finds the points of the batch that a 400 or 422 is about. `text` is the answer's body, `message` its message.
 * Formats: `unable to parse 'LINE': reason` (models/points.go of 1.x and 2.x), `… dropped=N` and field type conflicts
 * (tsdb/shard.go of 1.x and 2.x), lists of `line_number`, `original_line` and `error_message`
 * (influxdb3_server/src/http.rs of version 3).
 */
export function readRejection(text: string, message: string, batch: PointBatch): RejectionHint | undefined {
  const lines = splitPoints(batch).map((point) => point.toString().replace(END, ''));
  const points = [...readUnparsable(message, lines), ...readNumbered(text, lines)];
  if (points.length > 0) return { kind: 'points', points };
  const dropped = Number(DROPPED.exec(message)?.[1] ?? 0);
  if (dropped === lines.length) return { kind: 'all' };
  const indexes = readSuspects(message, lines);
  return indexes.length > 0 && indexes.length < lines.length ? { kind: 'suspects', indexes } : undefined;
}

/** Only whole points of the batch count: a line may itself contain the text that ends it in the message. */
function readUnparsable(message: string, lines: readonly string[]): NamedPoint[] {
  const [, ...parts] = message.replace(DROPPED, '').split(UNPARSABLE);
  if (parts.length === 0) return [];
  const indexes = new Map(lines.map((line, index) => [line, index]));
  return parts.flatMap((part) => {
    for (let end = part.indexOf("': "); end >= 0; end = part.indexOf("': ", end + 1)) {
      const index = indexes.get(part.slice(0, end));
      if (index !== undefined) return [{ index, reason: `unable to parse: ${part.slice(end + 3)}` }];
    }
    return [];
  });
}

function readNumbered(text: string, lines: readonly string[]): NamedPoint[] {
  const data = readField(parseJson(text), 'data');
  return (Array.isArray(data) ? (data as unknown[]) : [data]).flatMap((entry) => {
    const [number, line, reason] = ['line_number', 'original_line', 'error_message'].map((name) =>
      readField(entry, name)
    );
    if (typeof number !== 'number' || typeof line !== 'string' || line === '') return [];
    const isIt = lines[number - 1]?.startsWith(line.slice(0, COMPARED_CHARS)) === true;
    return isIt ? [{ index: number - 1, reason: String(reason) }] : [];
  });
}

/** The points of the measurement whose field has the refused type. */
function readSuspects(message: string, lines: readonly string[]): number[] {
  const [, field = '', measurement = '', type = ''] = TYPE_CONFLICT.exec(message) ?? [];
  const jsType = JS_TYPES.get(type);
  if (jsType === undefined) return [];
  return lines.flatMap((line, index) => {
    const [point] = parseLineProtocol(line, { precision: 'ns', defaultTimeNs: 0n }).points;
    return point?.measurement === measurement && typeof point.fields.get(field) === jsType ? [index] : [];
  });
}

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  const parsed = /^\s*[{[]/.test(text) ? parseBoundedJson(text) : undefined;
  return parsed?.ok === true ? parsed.value : undefined;
}

/** A field of a JSON object; undefined where there is none. */
export function readField(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined;
}
