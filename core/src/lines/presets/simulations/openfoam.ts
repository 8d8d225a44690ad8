import { isNumberText, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

const TIME = /^Time = ([-+.\deE]+)s?$/;
const SOLVED =
  /Solving for ([^,]{1,100}), Initial residual = ([^,]{1,100}), Final residual = ([^,]{1,100}), No Iterations (\d+)/;
const CONTINUITY = /^time step continuity errors : sum local = ([^,]+), global = ([^,]+), cumulative = ([-+.\deE]+)/;
const COURANT = /^(Interface )?Courant Number mean: (\S+) max: (\S+)/;
const DELTA_T = /^deltaT = (\S+)$/;
const END = /^ExecutionTime = (\S+) s/;
/** Keys of a step itself, which come behind its time. */
const SOLVER_KEY = /initial residual$|^continuity error/;
const MAX_KEYS = 500;

const NEEDLES = ['Time = ', 'Solving for ', 'time step continuity errors', 'Courant Number', 'deltaT = '];
/** A name of what chemistry and other models print within a time step: `Qdot`, `Phase-1 volume fraction`. */
const VALUE_NAME = /^[A-Za-z][\w.:()-]*(?: [\w.:()-]+){0,4}$/;
const MAX_VALUES = 100;
/** `min/max(T) = 293, 2000.5` and `rho max/min : 1.2 0.9` */
const EXTREMES =
  /^\s*(min\/max|max\/min)\((\w[\w.]*)\) [=:] (\S+), (\S+)$|^\s*(\w[\w.]*) (min\/max|max\/min) [=:] (\S+) (\S+)$/i;

type Pair = readonly [string, number | string];

/**
 * A row for each time step: the first initial residual of each field, the last continuity errors, the Courant numbers
 * and the execution time. It begins with `Time = ` and ends with `ExecutionTime = `.
 */
export const OPENFOAM = definePreset({
  name: 'openfoam',
  program: 'OpenFOAM',
  needles: ({ row }) => (row.some(([name]) => name === 'Time') ? [...NEEDLES, ' = ', '/m'] : NEEDLES),
  counters: ['Time'],
  initial: { row: [] as readonly Pair[] },
  read(line, state) {
    const isWithin = state.row.some(([name]) => name === 'Time');
    const solved = readPairsOf(line);
    const found = solved.length === 0 && isWithin ? readValues(line) : solved;
    if (found.length === 0) {
      return undefined;
    }
    const [[name]] = found as readonly [Pair, ...Pair[]];
    if (name === 'execution time') {
      const row = new Map([...state.row, ...found]);
      state.row = [];
      return row.has('Time') && row.size > 2 ? row : undefined;
    }
    // What is solved before the first step belongs to none.
    const kept = name === 'Time' ? state.row.filter(([key]) => !SOLVER_KEY.test(key)) : state.row;
    const known = new Map(kept);
    const isFirstOnly = name.endsWith(' initial residual');
    const pairs = isFirstOnly ? found.filter(([key]) => !known.has(key)) : found;
    if (pairs.length > 0 && known.size < MAX_KEYS) {
      state.row = [...new Map([...known, ...pairs])];
    }
    return undefined;
  },
});

function readPairsOf(line: string): readonly Pair[] {
  const pair = (name: string, text: string | undefined): Pair => [name, readPrintedValue(text ?? '')];
  const [, time] = TIME.exec(line) ?? [];
  if (time !== undefined) {
    return [pair('Time', time)];
  }
  const [, field, initial] = SOLVED.exec(line) ?? [];
  if (field !== undefined) {
    return [pair(`${field} initial residual`, initial)];
  }
  const [, local, global, cumulative] = CONTINUITY.exec(line) ?? [];
  if (local !== undefined) {
    const name = 'continuity error';
    return [pair(`${name} local`, local), pair(`${name} global`, global), pair(`${name} cumulative`, cumulative)];
  }
  const [courant, of = '', mean, max] = COURANT.exec(line) ?? [];
  if (courant !== undefined) {
    // In small letters, since of two columns that never fall the first name is X, and that must be Time.
    const number = `${of}Courant`.toLowerCase();
    return [pair(`${number} mean`, mean), pair(`${number} max`, max)];
  }
  const [, delta] = DELTA_T.exec(line) ?? [];
  if (delta !== undefined) {
    return [pair('deltaT', delta)];
  }
  const [, execution] = END.exec(line) ?? [];
  return execution === undefined ? [] : [pair('execution time', execution)];
}

/** What chemistry and other models print of a time step. */
function readValues(line: string): readonly Pair[] {
  const [, first, firstField, ...values] = EXTREMES.exec(line) ?? [];
  if (first !== undefined || values.length > 0) {
    const [low, high, field, order, a, b] = values;
    const [words, texts] = [(first ?? order ?? '').toLowerCase().split('/'), [low ?? a ?? '', high ?? b ?? '']];
    const pairs = texts.map((text, i): Pair => [
      `${firstField ?? field ?? ''} ${words[i] ?? ''}`,
      readPrintedValue(text),
    ]);
    return texts.every(isNumberText) ? pairs : [];
  }
  const pieces = line.includes(' = ') ? line.trim().split(/, | {2}/, MAX_VALUES) : [];
  const equations = pieces.map((piece) => piece.split(' = '));
  const isAll = equations.every(
    ([name = '', text = '', ...more]) => VALUE_NAME.test(name) && isNumberText(text) && more.length === 0
  );
  return isAll ? equations.map(([name = '', text = '']): Pair => [name, readPrintedValue(text)]) : [];
}
