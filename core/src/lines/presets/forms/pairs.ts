import { isIdName } from '../../named-numbers.js';
import { readPairs } from '../../pairs.js';
import {
  countWords,
  isCount,
  isMeasure,
  isOfMeasure,
  readBar,
  readNumbers,
  readRow,
  type Row,
} from './counted-numbers.js';
import { addPhase } from './phase.js';
import { definePreset } from './preset.js';
import { isSettingLine } from './settings.js';
import { addRowNumber, type ByTable, findTableKey, ROW_NUMBER } from './row-numbers.js';
import type { Units } from './units.js';

const NEEDLES = [
  ...['it/s', 's/it', 'oss', 'OSS', 'cc', 'ACC', 'rr', 'ERR', 'core', 'eward', 'eturn', 'psnr', 'PSNR', 'ssim', 'SSIM'],
  ...['iou', 'IoU', 'IOU', 'auc', 'AUC', 'f1', 'F1', 'mse', 'MSE', 'mae', 'MAE', 'erplexity', 'ppl', 'PPL', 'bleu'],
  ...['BLEU', 'ouge', 'ROUGE', 'recision', 'ecall', 'ice', 'ntropy', 'orm'],
  ...['valuat', 'esult'],
];
const NEEDLE = new RegExp(NEEDLES.join('|'));
const MAX_NUMBERS = 40;
const MAX_CHARS = 1000;
/** `evaluate:dev`, `Results of the test set:` behind the head of a logger. */
const PHASE_LINE =
  /(?:^|\s)(?:evaluat\w+|results?)(?: (?:on|of|for))?(?: the)?[\s:]+(dev|val|valid|validation|test)(?: set)?:?$/i;
/** A label may come before the pairs. */
const MAX_LABEL_WORDS = 3;

interface PairsState {
  /** How many rows each table has had, by its keys; and the value of those that have one, as long as it is the same. */
  readonly counts: ByTable<number>;
  readonly values: ByTable<number | string>;
  readonly units: Units;
  /** What the line before says the next row is of; '' for nothing. */
  readonly phase: string;
}

/**
 * Lines of nothing but pairs of which one is a loss, an accuracy or the like, and bars with such values. They name no
 * step, so their rows are numbered.
 */
export const PAIRS = definePreset<{ -readonly [K in keyof PairsState]: PairsState[K] }>({
  name: 'pairs',
  program: 'lines such as LR: 2e-4, Acc: 25.0, Loss: 1.02',
  needles: NEEDLES,
  counters: ['step', ROW_NUMBER],
  initial: { counts: {}, values: {}, units: {}, phase: '' },
  read(line, state) {
    if (line.length > MAX_CHARS || !NEEDLE.test(line)) {
      return undefined;
    }
    const [, phase] = PHASE_LINE.exec(line) ?? [];
    if (phase !== undefined) {
      state.phase = phase;
      return undefined;
    }
    const bar = readBar(line);
    if (bar !== undefined) {
      const values = readPairs(bar.pairs.split(/,\s*/));
      const row = new Map(Array.from(values, ([key, value]) => [addPhase(key, `${bar.before} `), value]));
      return row.size === 0
        ? undefined
        : bar.done < bar.total
          ? new Map([['step', bar.done], ...row])
          : numberRow(row, state, true);
    }
    const row = addPhaseAbove(readPairsOnly(line, state), state);
    return row && numberRow(row, state, row.size > 1);
  },
});

/** The row with the phase that the line above it tells; only the next row belongs to that. */
function addPhaseAbove(row: Row | undefined, state: { phase: string }): Row | undefined {
  if (row === undefined || state.phase === '') {
    return row;
  }
  const before = `${state.phase}: `;
  state.phase = '';
  return new Map(Array.from(row, ([key, value]) => [addPhase(key, before), value]));
}

function readPairsOnly(line: string, state: { units: Units }): Row | undefined {
  if (/^[{|"'(<-]|^\w+\(/.test(line.trimStart()) || isSettingLine(line)) {
    return undefined;
  }
  const numbers = readNumbers(line);
  const isPair = isMeasure(line);
  const isOnly =
    numbers.length > 0 &&
    numbers.length <= MAX_NUMBERS &&
    numbers.every((number) => number.isTotal || (isPair(number) && !isIdName(number.name) && !isCount(number))) &&
    numbers.some((number) => isOfMeasure(number) && /[.n]/i.test(number.text)) &&
    countWords(line) <= 2 * numbers.length + MAX_LABEL_WORDS;
  return isOnly ? readRow(line, numbers, state) : undefined;
}

/** With the number of the row in front. A single value may be a setting, until it comes again with another value. */
function numberRow(
  row: Row,
  state: { counts: ByTable<number>; values: ByTable<number | string> },
  isSure: boolean
): Row | undefined {
  const key = findTableKey(state.counts, row);
  if (key === undefined) {
    return undefined;
  }
  const before = state.counts[key] ?? 0;
  state.counts = { ...state.counts, [key]: before + 1 };
  if (isSure || (before > 0 && !(key in state.values))) {
    return addRowNumber(row, before + 1);
  }
  const [value = ''] = row.values();
  const { [key]: first, ...others } = state.values;
  const isSame = before === 0 || first === value;
  state.values = isSame ? { ...state.values, [key]: value } : others;
  return isSame ? undefined : addRowNumber(row, before + 1);
}
