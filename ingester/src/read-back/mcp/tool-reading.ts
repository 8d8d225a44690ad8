import { createBoundedLines, type BoundedLines, cutText } from './answer.js';
import type { ToolContext } from './tool.js';
import type { Column } from '../shell/column.js';
import { showJson } from '../../host/show-json.js';
import type { Failure } from '../shell/failure.js';
import { formatJson, type RowPrinter } from '../shell/print-rows.js';
import type { Reading } from '../shell/reading.js';

/** A value of more characters is cut: a configuration may be long, and other rows are to have room. */
const CELL_CHARS = 2000;

/** What a command printed where an agent asked for it. */
export interface Printed {
  readonly bounded: BoundedLines;
  /** What it would have said on stderr. */
  readonly notes: string[];
  failure?: Failure;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** A reading for a command: it gets rows as objects of JSON, from an offset on, until there is no more room. */
export function createToolReading(
  { reading, maxChars, linkJob }: ToolContext,
  { offset, limit }: Page
): { readonly reading: Reading; readonly printed: Printed } {
  const bounded = createBoundedLines(maxChars, limit);
  const printed: Printed = { bounded, notes: [] };
  const fail = (failure: Failure, code: number): number => {
    printed.failure = failure;
    return code;
  };
  const note = (message: string): void => void printed.notes.push(message);
  let skipped = 0;

  function createPrinter<Row>(columns: readonly Column<Row>[]): RowPrinter<Row> {
    const capped = [...columns, ...createLinkColumn(columns, linkJob)].map(capColumn);
    return {
      print(rows) {
        for (const row of rows) {
          if (skipped < offset) skipped++;
          else if (!bounded.add(showJson(formatJson(capped, row).trimEnd()))) return Promise.resolve(false);
        }
        return Promise.resolve(true);
      },
    };
  }

  return {
    printed,
    reading: {
      ...reading,
      createPrinter,
      format: 'json',
      report: { error: (message) => void fail(message, 1), warn: note, info: note, debug: () => undefined },
      fail: (failure) => fail(failure, 1),
      refuse: (failure) => fail(failure, 2),
    },
  };
}

function capColumn<Row>(column: Column<Row>): Column<Row> {
  return {
    ...column,
    json: (row) => {
      const text = column.json?.(row) ?? JSON.stringify(column.value(row));
      return text.length > CELL_CHARS ? JSON.stringify(cutText(text, CELL_CHARS)) : text;
    },
  };
}

/** The page of the job of each row, where rows name a job and somebody has said where the pages are. */
function createLinkColumn<Row>(
  columns: readonly Column<Row>[],
  linkJob: ToolContext['linkJob']
): readonly Column<Row>[] {
  const textOf = (name: string, row: Row): string | undefined => {
    const value = columns.find((column) => column.name === name)?.value(row);
    return typeof value === 'string' ? value : undefined;
  };
  const timeOf = (name: string, row: Row): number | undefined => {
    const time = textOf(name, row);
    return time === undefined ? undefined : Date.parse(time);
  };
  return [
    {
      name: 'page',
      value: (row) => {
        const [job, user] = [textOf('job', row), textOf('user', row)];
        if (job === undefined || user === undefined) return undefined;
        return linkJob({ job, user, fromMs: timeOf('started', row), toMs: timeOf('ended', row) });
      },
    },
  ];
}
