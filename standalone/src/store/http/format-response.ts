import { formatRfc3339Nano, nsPerUnit, type Precision } from '@joblens/core/point/timestamp';
import type { Cell, ResultBatch } from '../query/values/result-batch.js';
import { escapeTag } from '../query/show.js';
import { type ZoneOffset, formatOffset } from '../query/values/zone.js';

/** The results of one statement: its batches, and an error if it failed. */
export interface StatementOutput {
  readonly statementId: number;
  readonly batches: AsyncIterable<ResultBatch>;
  /**
   * Called if the batches throw; returns the text for `results[].error`. Throws again if it is not the statement's
   * fault.
   */
  readonly describeError: (error: unknown) => string;
}

export interface FormatOptions {
  /** Unit of times in the answer; undefined means RFC 3339 in JSON, nanoseconds in CSV. */
  readonly epoch?: Precision | undefined;
}

/** The whole answer as one JSON object, written as the rows come. */
export async function* formatJson(outputs: Iterable<StatementOutput>, options: FormatOptions): AsyncGenerator<string> {
  let separator = '{"results":[';
  let isEmpty = true;
  for (const output of outputs) {
    yield `${separator}{"statement_id":${output.statementId}`;
    separator = ',';
    isEmpty = false;
    yield* formatSeriesList(output, options);
    yield '}';
  }
  yield isEmpty ? '{}\n' : ']}\n';
}

async function* formatSeriesList(output: StatementOutput, options: FormatOptions): AsyncGenerator<string> {
  let opened = false;
  let error: string | undefined;
  try {
    for await (const batch of output.batches) {
      const rows = batch.rows.map((row) => formatRow(row, batch, options)).join(',');
      if (batch.isContinued) yield `,${rows}`;
      else yield `${opened ? ']},' : ',"series":['}{${formatHead(batch)}${rows === '' ? '' : `,"values":[${rows}`}`;
      opened = true;
    }
  } catch (reason) {
    error = output.describeError(reason);
  }
  if (opened) yield ']}]';
  if (error !== undefined) yield `,"error":${JSON.stringify(error)}`;
}

/** One JSON object per line, each with at most `chunkSize` rows of one series (`chunked=true`). */
export async function* formatChunkedJson(
  outputs: Iterable<StatementOutput>,
  options: FormatOptions & { readonly chunkSize: number }
): AsyncGenerator<string> {
  for (const { statementId, batches, describeError } of outputs) {
    let held: ResultBatch | undefined;
    let error: string | undefined;
    try {
      for await (const batch of splitRows(batches, options.chunkSize)) {
        if (held) yield formatChunk(statementId, held, options, { isCut: batch.isContinued, isLast: false });
        held = batch;
      }
    } catch (reason) {
      error = describeError(reason);
    }
    if (held) yield formatChunk(statementId, held, options, { isCut: false, isLast: error === undefined });
    if (error !== undefined) yield formatLine(statementId, `,"error":${JSON.stringify(error)}`);
    else if (!held) yield formatLine(statementId, '');
  }
}

function formatChunk(
  statementId: number,
  batch: ResultBatch,
  options: FormatOptions,
  { isCut, isLast }: { readonly isCut: boolean; readonly isLast: boolean }
): string {
  const values = `"values":[${batch.rows.map((row) => formatRow(row, batch, options)).join(',')}]`;
  const series = `{${formatHead(batch)},${values}${isCut ? ',"partial":true' : ''}}`;
  return formatLine(statementId, `,"series":[${series}]${isLast || batch.isWhole ? '' : ',"partial":true'}`);
}

function formatLine(statementId: number, rest: string): string {
  return `{"results":[{"statement_id":${statementId}${rest}}]}\n`;
}

/** Cuts and joins batches so that each has `size` rows, except the last of a series. */
async function* splitRows(batches: AsyncIterable<ResultBatch>, size: number): AsyncGenerator<ResultBatch> {
  let held: ResultBatch | undefined;
  for await (const batch of batches) {
    if (held && !batch.isContinued) yield held;
    const rows: ResultBatch['rows'] = held && batch.isContinued ? [...held.rows, ...batch.rows] : batch.rows;
    let isContinued = batch.isContinued ? (held?.isContinued ?? true) : false;
    let start = 0;
    for (; !batch.isWhole && rows.length - start > size; start += size) {
      yield { ...batch, rows: rows.slice(start, start + size), isContinued };
      isContinued = true;
    }
    held = { ...batch, rows: rows.slice(start), isContinued };
  }
  if (held) yield held;
}

function formatHead({ name, tags, columns }: ResultBatch): string {
  return [
    ...(name === undefined ? [] : [`"name":${JSON.stringify(name)}`]),
    ...(tags ? [`"tags":${JSON.stringify(Object.fromEntries(tags))}`] : []),
    `"columns":${JSON.stringify(columns)}`,
  ].join(',');
}

function formatRow(row: readonly Cell[], { hasTime, zone }: ResultBatch, { epoch }: FormatOptions): string {
  const cells = row.map((cell, i) => {
    if (i === 0 && hasTime && typeof cell === 'bigint') return formatTime(cell, epoch, zone);
    return typeof cell === 'bigint' ? String(cell) : JSON.stringify(cell);
  });
  return `[${cells.join(',')}]`;
}

function formatTime(timeNs: bigint, epoch: Precision | undefined, zone: ZoneOffset | undefined): string {
  if (epoch !== undefined) return String(timeNs / nsPerUnit(epoch));
  if (zone === undefined) return `"${formatRfc3339Nano(timeNs)}"`;
  const offsetNs = zone(timeNs);
  return `"${formatRfc3339Nano(timeNs + offsetNs).slice(0, -1)}${formatOffset(offsetNs)}"`;
}

/** CSV as InfluxDB 1.x writes it: a header when columns change, an empty line between statements, no errors. */
export async function* formatCsv(outputs: Iterable<StatementOutput>, options: FormatOptions): AsyncGenerator<string> {
  let header: string | undefined;
  let lastStatement: number | undefined;
  for (const { statementId, batches, describeError } of outputs) {
    try {
      for await (const batch of batches) {
        const columns = ['name', 'tags', ...batch.columns].map(quoteCsv).join(',');
        if (statementId !== lastStatement || columns !== header) {
          yield `${header === undefined ? '' : '\n'}${columns}\n`;
        }
        [header, lastStatement] = [columns, statementId];
        const lead = `${quoteCsv(batch.name ?? '')},${quoteCsv(formatCsvTags(batch.tags))}`;
        yield batch.rows.map((row) => `${lead},${formatCsvRow(row, batch, options)}\n`).join('');
      }
    } catch (error) {
      describeError(error);
    }
  }
}

function formatCsvRow(row: readonly Cell[], { hasTime }: ResultBatch, { epoch = 'ns' }: FormatOptions): string {
  const cells = row.map((cell, i) => {
    if (i === 0 && hasTime && typeof cell === 'bigint') return String(cell / nsPerUnit(epoch));
    if (typeof cell === 'number') return formatDecimal(cell);
    return quoteCsv(cell === null ? '' : String(cell));
  });
  return cells.join(',');
}

/** A number without exponent (Go's 'f' format): 1e-7 is 0.0000001. */
export function formatDecimal(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${digits}`;
  return `${sign}${digits.padEnd(shift + 1, '0')}`;
}

function formatCsvTags(tags: ReadonlyMap<string, string> | undefined): string {
  return [...(tags ?? [])]
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${escapeTag(key)}=${escapeTag(value)}`)
    .join(',');
}

/** Quotes as Go's encoding/csv does. */
export function quoteCsv(text: string): string {
  const isPlain = text === '' || (text !== '\\.' && !/[",\r\n]|^\p{White_Space}/u.test(text));
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
