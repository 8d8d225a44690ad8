import type { NamedNumber } from '../../named-numbers.js';
import { isCountName, isEpochName, type Row } from '../forms/counted-numbers.js';
import { addRowNumber, type ByTable, findTableKey } from '../forms/row-numbers.js';
import { inferEpoch } from './training.js';

// Where a row is within its epoch, so that the rows of one epoch do not share one place on X.

/** Behind the names of steps, since of two counters that never fall the first name is X. */
export const WHOLE_EPOCH = 'whole epoch';
/** Behind the names of steps as well: a step that never falls is X. */
export const ALL_STEPS = 'steps in all';
const STEP =
  /\b(?:step|iter|iteration|it|(?:mini-?)?batch|update|global_step|time_?steps?)(?:[ _](?:i|idx|index|id|no|num|number|nr))?$/;
/** From this many rows with the same epoch on, they are not one of each phase. */
const MIN_REPEATS = 3;

export interface EpochPlace {
  firstEpoch: number;
  /** The epoch of the row before: its greatest step, and the steps of all epochs before it. */
  steps: { readonly epoch: number; readonly most: number; readonly before: number };
  /** For each table: its last epoch, the rows with it, all rows, and whether an epoch ever had many. */
  repeats: ByTable<readonly [epoch: number, same: number, rows: number, isMany: boolean]>;
}

export const FIRST_PLACE: EpochPlace = { firstEpoch: -1, steps: { epoch: -1, most: -1, before: 0 }, repeats: {} };

/** In `step=5/2500, epoch=0` the step counts the whole job: with `epoch` as X, many rows would be in one place. */
export function setBack(row: Row): Row {
  return isStepFirst(row) ? renameEpoch(row) : row;
}

/** A trial or a round that comes before the epoch is no step. */
function isStepFirst(row: Row): boolean {
  const first = [...row.keys()].find(isCountName) ?? '';
  return first !== 'epoch' && STEP.test(first) && Number.isInteger(row.get('epoch'));
}

function renameEpoch(row: Row): Row {
  return new Map(Array.from(row, ([key, value]) => [key === 'epoch' ? WHOLE_EPOCH : key, value]));
}

/** With steps of a known number of steps within epochs, the epoch gets a fraction. */
export function placeInEpoch(row: Row, numbers: readonly NamedNumber[], state: EpochPlace): Row {
  const epoch = row.get('epoch');
  if (typeof epoch !== 'number' || !Number.isInteger(epoch)) {
    return row;
  }
  // What comes before the epoch is not counted within it, unless it is a batch.
  if (isStepFirst(row) && !/batch/.test([...row.keys()].find(isCountName) ?? '')) {
    return row;
  }
  if (state.firstEpoch < 0) {
    state.firstEpoch = epoch;
  }
  // `Train Epoch: 1 [640/60000 (1%)]` does not name what it counts.
  const at = numbers.findIndex(
    ({ isTotal, name }) => isTotal && (name === '' || (isCountName(name) && !isEpochName(name)))
  );
  const [step, total] = [numbers[at - 1], numbers[at]];
  if (step !== undefined && total !== undefined) {
    const first = Math.min(state.firstEpoch, epoch) >= 1 ? 1 : 0;
    row.set('epoch', inferEpoch(epoch, Number(step.text), Number(total.text), first));
    return row;
  }
  return addUp(row, epoch, state);
}

/** Where nothing says how long an epoch is: the steps of the epochs so far are added up. */
function addUp(row: Row, epoch: number, state: EpochPlace): Row {
  const [key = '', step] = [...row].find(([name, value]) => STEP.test(name) && Number.isInteger(value)) ?? [];
  if (typeof step !== 'number') {
    return row;
  }
  const { steps } = state;
  // Tasks may print in another order, so a small fall is none.
  const isBack = step * 2 <= steps.most && step < steps.most - 1;
  if (epoch === steps.epoch && !isBack) {
    state.steps = { ...steps, most: Math.max(steps.most, step) };
  } else {
    // A step that counts on through the epochs has its place already. A lower epoch is one of another run.
    const before = step > steps.most && epoch > steps.epoch ? steps.before : steps.before + steps.most + 1;
    state.steps = { epoch, most: step, before };
  }
  const entries = [...renameEpoch(row)];
  const at = entries.findIndex(([name]) => name === key) + 1;
  return new Map([...entries.slice(0, at), [ALL_STEPS, state.steps.before + step], ...entries.slice(at)]);
}

/** Numbers the rows of a table that has many in an epoch, and nothing that counts them. */
export function spreadInEpoch(row: Row, state: EpochPlace): Row {
  const epoch = row.get('epoch');
  const key = findTableKey(state.repeats, row);
  if (typeof epoch !== 'number' || !Number.isInteger(epoch) || key === undefined) {
    return row;
  }
  const [lastEpoch, lastSame, lastRows, wasMany] = state.repeats[key] ?? [epoch, 0, 0, false];
  const same = epoch === lastEpoch ? lastSame + 1 : 1;
  const [rows, isMany] = [lastRows + 1, wasMany || same >= MIN_REPEATS];
  state.repeats = { ...state.repeats, [key]: [epoch, same, rows, isMany] };
  return isMany ? addRowNumber(renameEpoch(row), rows) : row;
}

/** A value that comes once below the steps of an epoch is of the epoch; one that comes again is of its step. */
export function dropLoneSteps(row: Row, state: EpochPlace): Row {
  if (!row.has(ALL_STEPS)) {
    return row;
  }
  const alone = new Map([...row].filter(([key]) => key !== ALL_STEPS));
  const key = findTableKey(state.repeats, alone);
  const epoch = Number(row.get(WHOLE_EPOCH));
  const [lastEpoch, , rows, wasMany] = (key === undefined ? undefined : state.repeats[key]) ?? [-1, 0, 0, false];
  const isMany = wasMany || (rows > 0 && epoch === lastEpoch);
  if (key !== undefined) {
    state.repeats = { ...state.repeats, [key]: [epoch, 1, rows + 1, isMany] };
  }
  return isMany ? row : alone;
}
