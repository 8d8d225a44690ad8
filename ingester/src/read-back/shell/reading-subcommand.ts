import { err, ok, type Result } from '@joblens/core/result/result';
import { type OptionGroup, type Options, readOptions, type TypedOptions, type Values } from '../../config/option.js';
import type { Settings } from '../../config/settings.js';
import { OTHER, PRINTING, STORE } from '../../config/shared-options.js';
import { defineSubcommand, type Subcommand } from '../../session/subcommand.js';
import type { Failure, UnknownJob } from './failure.js';
import type { Reading } from './reading.js';

type Declaration<Own extends Options> = Omit<Parameters<typeof defineSubcommand<Own>>[0], 'shared' | 'start'> & {
  readonly own: OptionGroup<Own>;
  /** False for one that prints something else than rows: it has no `--json` and `--csv`. */
  readonly printsRows?: false;
  /** Runs it and resolves to the exit code. Import the code here, so that every subcommand starts fast. */
  readonly read: (reading: Reading, own: Values<Own>, args: readonly string[]) => Promise<number>;
};

/** A subcommand that reads, which can also be run on another reading than that of the command line. */
export interface ReadingSubcommand extends Subcommand {
  /** Reads its own options as somebody would type them. The error is one line. */
  readonly prepareReading: (
    typed: TypedOptions,
    settings: Settings,
    args: readonly string[]
  ) => Result<(reading: Reading) => Promise<number>, string>;
}

/**
 * Declares a subcommand that reads from the store and prints rows. It has the options of the connection and of
 * printing: `--json`, `--csv`.
 */
export function defineReadingSubcommand<Own extends Options>(declaration: Declaration<Own>): ReadingSubcommand {
  const { read, findMistake, printsRows = true, ...description } = declaration;
  const subcommand = defineSubcommand<Own>({
    ...description,
    shared: [...(printsRows ? [PRINTING] : []), STORE, OTHER],
    findMistake(own, settings, args) {
      if (settings.options.json && settings.options.csv) return 'give --json or --csv, not both';
      if (printsRows && settings.options.raw && !settings.options.csv) return '--raw is for CSV: give --csv, too';
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
      const { createReading } = await import('./reading.js');
      const reading = createReading(session, settings.destination.connection);
      let unknown: UnknownJob | undefined;
      const keepUnknownJob =
        (code: number, say: (failure: Failure) => number) =>
        (failure: Failure): number => {
          if (typeof failure === 'string') return say(failure);
          unknown = failure;
          return code;
        };
      const fail = keepUnknownJob(1, reading.fail);
      const code = await read({ ...reading, fail, refuse: keepUnknownJob(2, reading.refuse) }, own, args);
      if (unknown === undefined) return code;
      const { explainFailure } = await import('./near-job.js');
      report.error(await explainFailure(reading, unknown));
      return code;
    },
  });
  return {
    ...subcommand,
    prepareReading(typed, settings, args) {
      const own = readOptions(declaration.own.options, typed, {});
      if (!own.ok) return own;
      const mistake = findMistake?.(own.value, settings, args);
      return mistake === undefined ? ok((reading) => read(reading, own.value, args)) : err(mistake);
    },
  };
}
