import type { MetadataRow } from '../../table/metadata-row.js';
import { isNumberText, readPrintedValue } from '../printed-value.js';
import { parsePythonDict } from '../python-dict.js';
import { definePreset } from './preset.js';

/** `fit progress: (1, 2.30, {'accuracy': 0.10}, 10.3)`: the round, the loss, other metrics, and the time so far. */
const PROGRESS = /\bfit progress: \((\d+), ([^\s,]+), (\{.*\}), ([^\s,)]+)\)$/;
/** `History (loss, distributed):`, and lines such as `round 1: 0.62` below it. */
const HISTORY = /\bHistory \(([^)]*)\):$/;
const LOSS = /^loss, (centralized|distributed)$/;
const ROUND = /(?:^|[\s'])round (\d+): ([^\s']+)'?$/;

/** The loss and the metrics of each round: as the server evaluates them, and in its summary as the clients do. */
export const FLOWER = definePreset({
  name: 'flower',
  program: 'Flower',
  needles: ({ loss }) => (loss === '' ? ['fit progress: ', 'History ('] : ['fit progress: ', 'History (', 'round ']),
  counters: ['round'],
  /** The name of the loss that comes below. */
  initial: { loss: '' },
  read(line, state) {
    const [, of] = HISTORY.exec(line) ?? [];
    if (of !== undefined) {
      const [, where] = LOSS.exec(of) ?? [];
      state.loss = where === undefined ? '' : `${where} loss`;
      return undefined;
    }
    return readProgress(line) ?? (state.loss === '' ? undefined : readPast(line, state.loss));
  },
});

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
  return round === undefined || !isNumberText(value)
    ? undefined
    : new Map<string, number | string>([
        ['round', Number(round)],
        [name, readPrintedValue(value)],
      ]);
}
