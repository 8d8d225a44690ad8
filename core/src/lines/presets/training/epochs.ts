import { isIdName, type NamedNumber } from '../../named-numbers.js';
import { readPairs } from '../../pairs.js';
import {
  countWords,
  dropBar,
  isCount,
  isCountName,
  isEpochName,
  isMeasure,
  isOfMeasure,
  isPlace,
  readBar,
  readNumbers,
  readRow,
  readTerse,
  type Row,
} from '../forms/counted-numbers.js';
import { definePreset } from '../forms/preset.js';
import { isSettingLine } from '../forms/settings.js';
import { addPhase, findBatchesPhase, findBegunPhase } from '../forms/phase.js';
import {
  ALL_STEPS,
  dropLoneSteps,
  type EpochPlace,
  FIRST_PLACE,
  placeInEpoch,
  setBack,
  spreadInEpoch,
  WHOLE_EPOCH,
} from './epoch-place.js';
import { ROW_NUMBER } from '../forms/row-numbers.js';
import { inferEpoch } from './training.js';
import type { Units } from '../forms/units.js';

const SEPARABLE = ['Train', 'Batch [', 'poch', 'iter', 'step', 'Iter', 'Step', ']['];
/** The unit that a heading counts; its plural is the number of all of them. */
const UNIT = /\b(?:epoch|step|iter|iteration|round|generation|update|global_step|episode|trial|cycle)$/i;
/** `Train: [0/300][10/1251]`, `Train: 0 [10/1251 (1%)]`: what is counted first is the epoch. */
const BARE_EPOCH = /\b(Train(?:ing)?): (?=\[\s*\d+\/\d+\]\s*\[\s*\d+\/|\d+ \[\s*\d+\/)/;
/** `[0/25][50/1583] Loss_D: 0.5`: so does a line of two fractions. */
const TWO_FRACTIONS = /^\s*(?=\[\d+\/\d+\]\s*\[\s*\d+\/\d+\])/;
/** `1epoch:train:1-50batch:` of ESPnet */
const JOINED_EPOCH = /\b(\d+)epoch:(\w+):\d+-(\d+)batch:/;
/** `Batch [20-40]` of MXNet */
const BATCH_RANGE = /(\bBatch \[)\d+-(?=\d+\])/;
/** `epoch1/10`, `Epoch_3`; no parts of paths. */
const GLUED_COUNT = /(?<![\w./-])(epoch|iter|step)[_-]?(\d+)(?![\w.-])(?!\/\D)/i;
/** The values of a box come in other lines. */
const BOX = /^\|[^|]*\|[^|]*\|$/;
/** AMBER and Quantum ESPRESSO print the values of a step in further lines; `**Step 1:**` is what a model wrote. */
const NO_STEP = /^\s*(?:NSTEP\s*=|iteration #\s*\d+\s+ecut=|\*\*[A-Za-z])/;
/** `epochs=50` is a number of all: what is beside it are settings, unless it measures. */
const TOTAL = /s$|^(?:total|max|num|n|number of|warm-?up)[ _]/i;
/** A layer of a network, as PyTorch prints it. */
const LAYER = /^\s*\(\w+\): \w+\(/;
/** ` *   Acc@1 19.7 Acc@5 42.2` below the batches of a test */
const SUM = /^\s*\*\s/;
const MAX_WORDS = 4;
/** Below a count, with a label such as `Results of the validation set`. */
const MAX_WORDS_BELOW = 6;
/** Before a count that a colon or an equals sign binds. */
const MAX_WORDS_BEFORE_BOUND = 8;
/** The name of the count is one of them. */
const MAX_HEADING_WORDS = 2;
/** More numbers than this are no row that somebody printed for people. */
const MAX_NUMBERS = 100;
/** The least share of numbers with a name in a row whose values nothing binds to their names. */
const MIN_NAMED = 0.4;
/** `Fold 1, layer 2, epoch 3`: so many may tell apart what the epoch is of. */
const MAX_ORDINALS = 2;
const NEEDLES = [
  ...['poch', 'ep=', 'ep ', 'ep:', 'step', 'Step', 'STEP', 'EPOCH', 'Ep', 'Train'],
  ...['iter', 'Iter', 'ound', 'atch', 'pdate', 'ITER', 'eneration', 'pisode', 'rial ', 'ycle', 'weep', 'ame'],
  ...['oss', 'OSS', 'cc', 'ACC'],
];

interface EpochsState extends EpochPlace {
  /** The counts of a line that had nothing else, such as `Epoch 3/10`: what comes below belongs to them. */
  heading: readonly (readonly [string, number | string])[];
  /** The counts of the row before; measures without a count belong to them. */
  last: readonly (readonly [string, number | string])[];
  /** The phase that has begun within the epoch of the heading; '' for none. */
  phase: string;
  /** The phase whose batches the row before has counted; '' for none. Their sum may come below. */
  batches: string;
  units: Units;
}

/**
 * Lines of programs of one's own that begin with an epoch, a step or an iteration, and name further numbers; or that
 * name a loss and the like below such a line.
 */
export const EPOCHS = definePreset<EpochsState>({
  name: 'epochs',
  program: 'lines such as Epoch [3/10], Step [5/300], loss: 0.41',
  needles: ({ heading, last }) =>
    heading.length + last.length === 0 ? NEEDLES : [...NEEDLES, ': ', ':', '=', 'begin', 'start'],
  counters: (row) => [ROW_NUMBER, ALL_STEPS, ...[...row.keys()].filter(isCountName), WHOLE_EPOCH],
  initial: { ...FIRST_PLACE, heading: [], last: [], phase: '', batches: '', units: {} },
  read(line, state) {
    if (!/\d/.test(line)) {
      state.phase = (state.heading.length > 0 ? findBegunPhase(line) : undefined) ?? state.phase;
      return undefined;
    }
    if (isNoRow(line)) {
      return undefined;
    }
    const row = readLine(separate(line), state);
    if (row === undefined) return undefined;
    const phase = SUM.test(line) && state.batches !== '' ? state.batches : state.phase;
    state.batches = findBatchesPhase(line) ?? (phase === state.batches ? phase : '');
    return spreadInEpoch(addBegunPhase(row, phase), state);
  },
});

function isNoRow(line: string): boolean {
  return line.startsWith('{') || BOX.test(line) || LAYER.test(line) || NO_STEP.test(line) || isSettingLine(line);
}

function addBegunPhase(row: Row, phase: string): Row {
  const before = `${phase}: `;
  return phase === ''
    ? row
    : new Map(Array.from(row, ([key, value]) => [isCountName(key) ? key : addPhase(key, before), value]));
}

/** With words between numbers that some programs print without. */
function separate(line: string): string {
  if (!SEPARABLE.some((text) => line.includes(text))) {
    return line;
  }
  return line
    .replace(BARE_EPOCH, '$1 Epoch: ')
    .replace(TWO_FRACTIONS, 'Epoch: ')
    .replace(JOINED_EPOCH, '$2 epoch $1 batch $3:')
    .replace(BATCH_RANGE, '$1')
    .replace(GLUED_COUNT, '$1 $2');
}

function readLine(line: string, state: EpochsState): Row | undefined {
  const behindBar = dropBar(line);
  if (behindBar === line) {
    return readText(line, state, true);
  }
  const row = readText(line, state, false);
  return row ?? (behindBar === '' ? readBarBelow(line, state) : readText(behindBar, state, true));
}

/** `isWhole`: whether it may also be a line that belongs to the counts above it. */
function readText(text: string, state: EpochsState, isWhole: boolean): Row | undefined {
  const numbers = readNumbers(text);
  if (numbers.length === 0 || numbers.length > MAX_NUMBERS) {
    return undefined;
  }
  const at = findCount(text, numbers);
  if (at >= 0) {
    return readFrom(at, text, numbers, state);
  }
  return isWhole ? (readFraction(text, numbers, state) ?? readBelow(text, numbers, state)) : undefined;
}

/** The row of a line whose count is at that place. */
function readFrom(at: number, text: string, numbers: readonly NamedNumber[], state: EpochsState): Row | undefined {
  const name = numbers[at]?.name ?? '';
  const isEpoch = isEpochName(name);
  // Another epoch, or the summary of this one.
  state.phase = isEpoch ? '' : state.phase;
  const before = numbers
    .slice(0, at)
    .filter((number) => isMeasure(text)(number) || (isEpoch && isOrdinal(text, number)));
  const values = [...before, ...numbers.slice(at)];
  const row = readRow(text, values, state);
  if (TOTAL.test(name) && !values.some(isOfMeasure)) {
    return undefined;
  }
  if ([...row.keys()].some((key) => !isCountName(key))) {
    const placed = isReadable(numbers, row) ? setBack(placeInEpoch(addEpoch(row, state), numbers, state)) : undefined;
    const isHead = !before.some(isMeasure(text));
    return placed === undefined || !isHead || TOTAL.test(name) ? placed : keepCounts(placed, state);
  }
  if (isHeading(text, numbers)) {
    state.heading = [...setBack(row)];
    state.last = [];
  }
  return undefined;
}

function keepCounts(row: Row, state: EpochsState): Row {
  state.last = [...row].filter(([key]) => isCountName(key) || key === ALL_STEPS);
  return row;
}

/** Where the count is that the line begins with; only values, places and the like may come before. -1 for none. */
function findCount(text: string, numbers: readonly NamedNumber[]): number {
  const at = numbers.findIndex(isCount);
  const count = numbers[at];
  const before = numbers.slice(0, Math.max(0, at));
  const isFirst =
    before.every(
      (number) =>
        isMeasure(text)(number) ||
        isIdName(number.name) ||
        isInBrackets(text, number) ||
        isPlace(text, number) ||
        isTaskLabel(text, number) ||
        isOrdinal(text, number)
    ) && before.filter((number) => isOrdinal(text, number)).length <= MAX_ORDINALS;
  const isBound = count !== undefined && isMeasure(text)(count);
  const maxWords = isBound && before.length === 0 ? MAX_WORDS_BEFORE_BOUND : MAX_WORDS + before.length;
  return count !== undefined && isFirst && countWords(text.slice(0, count.start)) <= maxWords ? at : -1;
}

/** `Fold 1` before an epoch. */
function isOrdinal(text: string, { name, start, end, isTotal, isBound }: NamedNumber): boolean {
  return (
    !isTotal &&
    !isBound &&
    /^[A-Za-z][A-Za-z-]*(?: [A-Za-z-]+)?$/.test(name) &&
    /^\d{1,4}$/.test(text.slice(start, end)) &&
    text.slice(0, start).trimEnd().endsWith(name)
  );
}

/** `3: ` before each line of task 3. */
function isTaskLabel(text: string, { start, end }: NamedNumber): boolean {
  return text.slice(0, start).trim() === '' && text.startsWith(': ', end);
}

function isInBrackets(text: string, { start, end }: NamedNumber): boolean {
  return text.lastIndexOf('[', start - 1) > text.lastIndexOf(']', start - 1) && text.includes(']', end);
}

function isReadable(numbers: readonly NamedNumber[], row: Row): boolean {
  const isBound = numbers.some((number) => number.isBound && !isCountName(number.name));
  return isBound || row.size >= MIN_NAMED * numbers.filter(({ isTotal }) => !isTotal).length;
}

/** `Epoch 3/10`, `Start epoch 3`, behind the head of a logger: nothing but counts. `STEPS: 3000` is a setting. */
function isHeading(text: string, numbers: readonly NamedNumber[]): boolean {
  const [start, end] = [numbers.find(isCount)?.start ?? 0, numbers.at(-1)?.end ?? 0];
  return (
    numbers.every((number) => isPlace(text, number) || number.isTotal || (isCount(number) && UNIT.test(number.name))) &&
    countWords(text.slice(0, start)) <= MAX_HEADING_WORDS &&
    countWords(text.slice(end)) <= 1
  );
}

/** `[10/1000] loss: 0.25`, `10 [D loss: 0.25]`: what is counted is not named. */
function readFraction(text: string, numbers: readonly NamedNumber[], state: EpochsState): Row | undefined {
  const [count, total] = numbers;
  const values = numbers.slice(1).filter(isMeasure(text));
  const isFraction =
    count?.name === '' &&
    (total?.isTotal === true || /^\s*\d+[:,]?\s+\S/.test(text)) &&
    /^\d+$/.test(count.text) &&
    countWords(text.slice(0, count.start)) === 0 &&
    values.some(isOfMeasure);
  if (!isFraction) {
    return undefined;
  }
  const row: Row = new Map([['step', Number(count.text)], ...readRow(text, values, state)]);
  return keepCounts(placeInEpoch(addEpoch(row, state), numbers, state), state);
}

/** `Train Loss: 0.5, Train Acc: 70%` below `Epoch 3/10`. */
function readBelow(text: string, numbers: readonly NamedNumber[], state: EpochsState): Row | undefined {
  const { heading, last } = state;
  const counts = last.length > 0 ? last : heading;
  const [first] = numbers;
  if (counts.length === 0 || first === undefined || countWords(text.slice(0, first.start)) > MAX_WORDS_BELOW) {
    return undefined;
  }
  const measures = numbers.filter(isMeasure(text));
  const row =
    first === measures[0] && measures.some(isOfMeasure)
      ? readRow(text, measures, state)
      : (readBatches(text, numbers, state) ?? readTerse(text, numbers, state));
  return row && dropLoneSteps(new Map([...counts, ...row]), state);
}

/** `Test: [ 10/20]  Time 0.5 (0.5)  Loss 1.5 (1.5)`: nothing binds its values to their names. */
function readBatches(text: string, numbers: readonly NamedNumber[], state: EpochsState): Row | undefined {
  if (findBatchesPhase(text) === undefined) return undefined;
  const values = numbers.filter(({ name, isTotal }) => name !== '' && !isTotal && !isIdName(name));
  return values.some(isOfMeasure) ? readRow(text, values, state) : undefined;
}

/** `100%|███| 10/10 [00:01<00:00, 9.9it/s, loss=0.25]` below `Epoch 3/10`. */
function readBarBelow(line: string, { heading, firstEpoch }: EpochsState): Row | undefined {
  const bar = readBar(line);
  const counts = new Map(heading);
  const epoch = counts.get('epoch');
  if (bar === undefined || typeof epoch !== 'number') {
    return undefined;
  }
  const values = readPairs(bar.pairs.split(/,\s*/));
  const first = firstEpoch < 0 ? epoch : Math.min(epoch, firstEpoch);
  counts.set('epoch', bar.done < bar.total ? inferEpoch(epoch, bar.done, bar.total, first >= 1 ? 1 : 0) : epoch);
  const named = Array.from(values, ([key, value]) => [addPhase(key, `${bar.before} `), value] as const);
  return values.size === 0 ? undefined : new Map([...counts, ...named]);
}

/** `Step 5/300 loss: 0.4` below `Epoch 3` belongs to the epoch. */
function addEpoch(row: Row, { heading }: EpochsState): Row {
  const epoch = row.has('epoch') ? undefined : heading.find(([key]) => key === 'epoch');
  return epoch === undefined ? row : new Map([epoch, ...row]);
}
