import type { MetadataRow } from '../../../table/metadata-row.js';
import { isNumberText, readPrintedValue } from '../../printed-value.js';
import { parsePythonDict } from '../../python-dict.js';
import { definePreset } from '../forms/preset.js';

/** `fit progress: (1, 2.30, {'accuracy': 0.10}, 10.3)`: the round, the loss, other metrics, and the time so far. */
const PROGRESS = /\bfit progress: \((\d+), ([^\s,]+), (\{.*\}), ([^\s,)]+)\)$/;
/** `History (loss, distributed):`, and lines such as `round 1: 0.62` below it. */
const HISTORY = /\bHistory \(([^)]*)\):$/;
const LOSS = /^loss, (centralized|distributed)$/;
const METRICS = /^metrics, (centralized|distributed)(?:, (fit|evaluate))?$/;
/** `{'accuracy': [(1, 0.25),` and `(2, 0.5)]}` below `History (metrics, distributed, fit):`, one round a line. */
const METRIC = /(?:^|[\s{])'([^'()]+)': \[(?=\()/;
const PAIR = /^\((\d+), ([^\s,()]+)\)(,|\]\}?|\],)'?$/;
const ROUND = /(?:^|[\s'])round (\d+): ([^\s']+)'?$/;

/** The loss and the metrics of each round: as the server evaluates them, and in its summary as the clients do. */
export const FLOWER = definePreset({
  name: 'flower',
  program: 'Flower',
  needles: ({ loss, of }) => [
    ...['fit progress: ', 'History ('],
    ...(loss === '' ? [] : ['round ']),
    ...(of === '' ? [] : ['(']),
  ],
  counters: ['round'],
  /** The name of the loss that comes below; whose metrics come, and the name of the one that has begun. */
  initial: { loss: '', of: '', metric: '' },
  read(line, state) {
    const [, heading] = HISTORY.exec(line) ?? [];
    if (heading !== undefined) {
      const [, where] = LOSS.exec(heading) ?? [];
      const [, of, phase] = METRICS.exec(heading) ?? [];
      state.loss = where === undefined ? '' : `${where} loss`;
      state.of = of === undefined ? '' : phase === undefined ? of : `${of} ${phase}`;
      state.metric = '';
      return undefined;
    }
    const past = state.loss === '' ? undefined : readPast(line, state.loss);
    return readProgress(line) ?? past ?? (state.of === '' ? undefined : readMetric(line, state));
  },
});

/** A line with several rounds has no row: it would be a row for each. */
function readMetric(line: string, state: { of: string; metric: string }): MetadataRow | undefined {
  const [begin, metric] = METRIC.exec(line) ?? [];
  state.metric = metric ?? state.metric;
  const from = begin === undefined ? line.indexOf('(') : line.indexOf(begin) + begin.length;
  const [, round, value = '', end = ''] = state.metric === '' || from < 0 ? [] : (PAIR.exec(line.slice(from)) ?? []);
  const name = `${state.of} ${state.metric}`;
  if (end.startsWith(']')) state.metric = '';
  if (end.endsWith('}')) state.of = '';
  return round === undefined || !isNumberText(value) ? undefined : toRow(round, name, value);
}

function readProgress(line: string): MetadataRow | undefined {
  const [, round, loss = '', metrics = '', seconds = ''] = PROGRESS.exec(line) ?? [];
  const others = metrics === '{}' ? new Map<string, number | string>() : parsePythonDict(metrics, 'metadata');
  if (round === undefined || others === undefined || !isNumberText(loss) || !isNumberText(seconds)) {
    return undefined;
  }
  const values = [...others, ['time', readPrintedValue(seconds)] as const];
  return new Map([['round', Number(round)], ['loss', readPrintedValue(loss)], ...values]);
}

function readPast(line: string, name: string): MetadataRow | undefined {
  const [, round, value = ''] = ROUND.exec(line) ?? [];
  return round === undefined || !isNumberText(value) ? undefined : toRow(round, name, value);
}

function toRow(round: string, name: string, value: string): MetadataRow {
  return new Map<string, number | string>([
    ['round', Number(round)],
    [name, readPrintedValue(value)],
  ]);
}
