import type { OptionGroup, Options, Values } from '../config/option.js';
import type { Settings } from '../config/settings.js';
import { OTHER, PRINTING, STORE } from '../config/shared-options.js';
import type { SessionOptions } from '../session/session.js';
import type { Subcommand } from '../session/subcommand.js';
import { defineSubcommand } from '../session/subcommand.js';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';
import type { AskStore } from './ask-store.js';
import { createAskStore } from './ask-store.js';
import type { Column } from './column.js';
import type { Output } from './output.js';
import { openOutput } from './output.js';
import type { RowFormat, RowPrinter } from './print-rows.js';
import { createRowPrinter } from './print-rows.js';

/** What a reading subcommand works with. */
export interface Reading extends SessionOptions {
  readonly connection: InfluxConnection;
  readonly ask: AskStore;
  readonly output: Output;
  readonly format: RowFormat;
  /** Prints rows in the form that the user asked for. */
  readonly createPrinter: <Row>(columns: readonly Column<Row>[]) => RowPrinter<Row>;
  /** Reports a failure; returns its exit code, 1. */
  readonly fail: (message: string) => number;
  /** Reports options that do not go together; returns the exit code of wrong options, 2. */
  readonly refuse: (message: string) => number;
}

type Declaration<Own extends Options> = Omit<Parameters<typeof defineSubcommand<Own>>[0], 'shared' | 'start'> & {
  readonly own: OptionGroup<Own>;
  /** False for one that prints something else than rows: it has no `--json` and `--csv`. */
  readonly printsRows?: false;
  /** Runs it and resolves to the exit code. Import the code here, so that every subcommand starts fast. */
  readonly read: (reading: Reading, own: Values<Own>, args: readonly string[]) => Promise<number>;
};

/**
 * Declares a subcommand that reads from the store and prints rows. It has the options of the connection and of
 * printing: `--json`, `--csv`.
 */
export function defineReadingSubcommand<Own extends Options>(declaration: Declaration<Own>): Subcommand {
  const { read, findMistake, printsRows = true, ...description } = declaration;
  return defineSubcommand<Own>({
    ...description,
    shared: [...(printsRows ? [PRINTING] : []), STORE, OTHER],
    findMistake(own, settings, args) {
      if (settings.options.json && settings.options.csv) return 'give --json or --csv, not both';
      return findMistake?.(own, settings, args);
    },
    async start(session, own, args) {
      const { settings, report } = session;
      if (settings.destination?.kind !== 'influxdb') {
        report.error(
          'nothing says where to read; set INFLUX_HOST to an address such as http://127.0.0.1:8086, or give --url'
        );
        return 1;
      }
      return read(createReading(session, settings.destination.connection), own, args);
    },
  });
}

function createReading(session: SessionOptions, connection: InfluxConnection): Reading {
  const output = openOutput(session.host, session.report);
  const format = chooseFormat(session.settings, output);
  return {
    ...session,
    ...{ connection, output, format },
    ask: createAskStore(connection),
    createPrinter: (columns) => createRowPrinter(output, format, columns),
    fail(message) {
      session.report.error(message);
      return 1;
    },
    refuse(message) {
      session.report.error(message);
      return 2;
    },
  };
}

function chooseFormat({ options: { json, csv } }: Settings, { isTerminal }: Output): RowFormat {
  if (json) return 'json';
  if (csv) return 'csv';
  return isTerminal ? 'table' : 'tabs';
}
