import type { Settings } from '../../config/settings.js';
import type { SessionOptions } from '../../session/session-options.js';
import type { InfluxConnection } from '../../sinks/influxdb/connection.js';
import { type AskStore, createAskStore } from './ask-store.js';
import type { Column } from './column.js';
import { type Failure, formatFailure } from './failure.js';
import { type Output, openOutput } from './output.js';
import { createRowPrinter, type RowFormat, type RowPrinter } from './print-rows.js';

/** What a reading subcommand works with. */
export interface Reading extends SessionOptions {
  readonly connection: InfluxConnection;
  readonly ask: AskStore;
  readonly output: Output;
  readonly format: RowFormat;
  /** Prints rows in the form that the user asked for. */
  readonly createPrinter: <Row>(columns: readonly Column<Row>[]) => RowPrinter<Row>;
  /** Reports a failure; returns its exit code, 1. */
  readonly fail: (failure: Failure) => number;
  /** Reports options that do not go together; returns the exit code of wrong options, 2. */
  readonly refuse: (failure: Failure) => number;
}

/** Makes what a reading subcommand works with. */
export function createReading(session: SessionOptions, connection: InfluxConnection): Reading {
  const output = openOutput(session.host, session.report);
  const format = chooseFormat(session.settings, output);
  return {
    ...session,
    ...{ connection, output, format },
    ask: createAskStore(connection),
    createPrinter: (columns) => createRowPrinter(output, format, columns, session.settings.options.raw),
    fail(failure) {
      session.report.error(formatFailure(failure));
      return 1;
    },
    refuse(failure) {
      session.report.error(formatFailure(failure));
      return 2;
    },
  };
}

function chooseFormat({ options: { json, csv } }: Settings, { isTerminal }: Output): RowFormat {
  if (json) return 'json';
  if (csv) return 'csv';
  return isTerminal ? 'table' : 'tabs';
}
