import { suggestNearest } from '@joblens/core/console/find-nearest';
import { option, toggle } from '../../config/option.js';
import { DESTINATION, IMPORTED_JOB, OTHER, OUT, SPOOL, TABLE_LIMITS } from '../../config/shared-options.js';
import { formatChoice, nonEmptyText } from '../../config/value-types.js';
import { defineSubcommand } from '../../session/subcommand.js';
import { IMPORTERS } from './importers.js';
import { clockOffset } from './job/read-time.js';

const KINDS = IMPORTERS.map(({ kind }) => kind);
const KIND_WIDTH = Math.max(...KINDS.map((kind) => kind.length));

export const IMPORT = defineSubcommand({
  name: 'import',
  summary: 'Bring in what another program has recorded: its rows, spans and events become those of a job.',
  argument: {
    form: '<kind>',
    words: KINDS,
    help: formatChoice(KINDS),
    further: { form: '<source...>', help: 'what to read' },
  },
  own: {
    title: 'What it belongs to, and when it was:',
    options: {
      attach: toggle('--attach', {
        help: 'the job of --job is logged already: add to it, and change nothing of what it is and when it ran',
      }),
      offset: option('--offset <time>', clockOffset, {
        help: 'added to times of a clock that is no wall clock: seconds, or when its zero was (2026-11-23T14:30:00Z)',
        shownDefault: 'such a clock begins when the file was changed last',
      }),
      time: option('--time <column>', nonEmptyText, {
        help: 'the column, or the key of JSON, that tells the time of a row',
        shownDefault: 'time, timestamp and the like',
      }),
    },
  },
  shared: [IMPORTED_JOB, DESTINATION, OUT, SPOOL, TABLE_LIMITS, OTHER],
  examples: [
    'joblens import trace step.pt.trace.json.gz --job 123 --attach',
    'joblens import tensorboard logs',
    'joblens import dask-dump dump.msgpack.gz --job dask-7',
    'joblens import jsonl metrics.jsonl',
    "joblens import csv results.csv.gz --time 'Wall time' --tag project=climate",
    'joblens import csv sensors.csv --offset 2026-11-23T14:30:00Z --out points.lp',
  ],
  remarks: `
${IMPORTERS.map(({ kind, help }) => `${kind.padEnd(KIND_WIDTH)}  ${help}`).join('\n')}

A file may be packed with gzip. To import is to opt in: nothing else is asked.
The same source gives the same points, so importing it again doubles nothing.
Ctrl+C stops; the same command then goes on where it was. What is left out is
counted and said at the end, with the reason and the place of the first.

Exit code: 0; 1 when the source cannot be read or points could not be sent; 130
when it was stopped; 2 when the options are wrong.`,
  findMistake({ attach }, { options }, [kind = '', ...sources]) {
    if (attach && options.job === undefined) return 'give the job that --attach adds to, with --job';
    if (!KINDS.includes(kind)) {
      return `cannot import ${JSON.stringify(kind)}: give ${formatChoice(KINDS)}${suggestNearest(kind, KINDS)}`;
    }
    return sources.length === 1 ? undefined : `give one source: joblens import ${kind} SOURCE`;
  },
  async start(session, { attach: isAttached, offset: offsetNs, time: timeKey }, [kind = '', source = '']) {
    const importer = IMPORTERS.find((each) => each.kind === kind);
    if (importer === undefined) return 1;
    const { importSource } = await import('./import.js');
    return importSource({ ...session, importer, source, isAttached, offsetNs, timeKey });
  },
});
