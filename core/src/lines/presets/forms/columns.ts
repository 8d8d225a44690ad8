import type { MetadataRow } from '../../../table/metadata-row.js';
import { isNumberText, readPrintedValue } from '../../printed-value.js';
import { isCountName } from './counted-numbers.js';
import { definePreset } from './preset.js';

/** Fewer columns under a heading may be anything. */
const MIN_COLUMNS = 2;
const MAX_COLUMNS = 200;

/** `||d||` of Ipopt is one name. */
function hasBars(text: string): boolean {
  return text.includes('|') && text.replace(/\|\|\w+\|\|/g, '').includes('|');
}

/** Values without spaces between them: `1,0.5,0.7`; with semicolons in spreadsheets of half of the world. */
const SEPARATED = /^[^\s,;|]+(?:([,;])[^\s,;|]*)(?:\1[^\s,;|]*)*$/;

function findSeparator(text: string): string | RegExp {
  return SEPARATED.exec(text)?.[1] ?? /\s+/;
}

/** The cells of a line: between bars, commas or semicolons, else between spaces. */
function splitCells(line: string): readonly string[] {
  // `# step energy` is a heading as well.
  const text = line.trim().replace(/^#\s+(?=\S)/, '');
  const cells = hasBars(text) ? text.replace(/^\||\|$/g, '').split('|') : text.split(findSeparator(text));
  return cells.length > MAX_COLUMNS ? [] : cells.map((cell) => cell.trim());
}

/** `#"Step","Speed (ns/day)"`: a comma may be in a name. */
const QUOTED_HEADING = /^#?\s*"[^"]+"(?:,\s*"[^"]+")+$/;

/** The names of the columns in a heading; none if the line is none. */
export function readHeading(line: string): readonly string[] {
  if (QUOTED_HEADING.test(line.trim())) {
    return toNames(Array.from(line.matchAll(/"([^"]+)"/g), ([, name = '']) => name.trim()));
  }
  // Names of several words have two spaces between them.
  const text = dropLabel(line.trim().replace(/^#\s+(?=\S)/, ''));
  const wide = /\S {2,}\S/.test(text) && !hasBars(line) ? text.split(/\s{2,}/) : undefined;
  return toNames(wide !== undefined && wide.length >= MIN_COLUMNS ? wide : splitCells(text));
}

function toNames(names: readonly string[]): readonly string[] {
  const isHeading =
    names.length >= MIN_COLUMNS &&
    names.every(
      (name) => /[A-Za-z#]/.test(name) && !isNumberText(name) && name.length <= 40 && !/[=:,;]$|^[-=]+$/.test(name)
    );
  return isHeading && new Set(names).size === names.length ? names : [];
}

/** `ENERGY:   100  20.5` has a label before its columns, and its heading may have one. */
function dropLabel(line: string): string {
  return line.replace(/^\s*[A-Za-z]\w*:\s+/, '');
}

/**
 * Times in a column are no numbers, and are left out; so are a number with a mark behind it, and `-`, which says that
 * there is none.
 */
const NO_NUMBER = /^(?:\d+:\d\d(?::\d\d)?(?:\.\d+)?|-{1,3}|n\/a|[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?[A-Za-z])$/i;
/** `time/iter` of Fluent is over two columns: the time that is left, and the iterations. */
const TWO_COLUMNS = /^time\/(?=iter$)/;

export function readColumnRow(names: readonly string[], line: string): MetadataRow | undefined {
  if (names.length === 0) {
    return undefined;
  }
  const cells = splitCells(dropLabel(line));
  const columns = cells.length === names.length ? names : splitNames(names);
  if (cells.length !== columns.length || !cells.every((cell) => isNumberText(cell) || NO_NUMBER.test(cell))) {
    return undefined;
  }
  const row = columns.flatMap((name, i): (readonly [string, number | string])[] => {
    const cell = cells[i] ?? '';
    return isNumberText(cell) ? [[name, readPrintedValue(cell)]] : [];
  });
  return row.length < MIN_COLUMNS ? undefined : new Map(row);
}

/** Columns that only one space separates were taken for one name. */
function splitNames(names: readonly string[]): readonly string[] {
  return toNames(names.flatMap((name) => (TWO_COLUMNS.test(name) ? ['time', name] : name.split(' '))));
}

/** A rule between a heading and its rows, or a blank line. */
export const RULE = /^[\s|+:=-]*$/;

/** Columns of numbers right under a heading with as many names, as many programs print them. */
export const COLUMNS = definePreset({
  name: 'columns',
  program: 'columns of numbers under a heading',
  needles: () => undefined,
  counters: (row) => [...row.keys()].filter(isCountName),
  initial: { names: [] as readonly string[], isOpen: false },
  read(line, state) {
    const row = readColumnRow(state.names, line);
    if (row !== undefined) {
      state.isOpen = true;
      return row;
    }
    // Lines between rows do not end the table, but another heading does.
    const names = readHeading(line);
    if (names.length > 0 && (!state.isOpen || names.length === splitCells(dropLabel(line)).length)) {
      state.names = names;
      state.isOpen = false;
    } else if (!state.isOpen && !RULE.test(line)) {
      state.names = [];
    }
    return undefined;
  },
});

/** GROMACS has a heading of its own: Step, Time. */
const LAMMPS_HEADING = /^\s*Step\s+(?!Time(?:\s+Lambda)?\s*$)[A-Za-z]/;
const LAMMPS_STEP = /^-+ Step\s+(\d+) -+ CPU\s*=\s*([\d.]+)/;
/** From the first letter of a word. One character of the value is taken: no name begins in the rest of its word. */
const LAMMPS_PAIR = /(?<!\S)[^\sA-Za-z]*([A-Za-z]\S*)\s*=\s*(?=(\S+))\S/g;

interface LammpsState {
  readonly names: readonly string[];
  /** The rows of `thermo_style multi`, as far as they came. */
  readonly multi: readonly (readonly [string, number | string])[];
}

/** Columns of `thermo` under a heading that begins with Step, and those of `thermo_style multi`. */
export const LAMMPS = definePreset<{ -readonly [K in keyof LammpsState]: LammpsState[K] }>({
  name: 'lammps',
  program: 'LAMMPS',
  needles: ({ names, multi }) => (names.length + multi.length === 0 ? ['Step '] : undefined),
  counters: ['Step'],
  initial: { names: [], multi: [] },
  read(line, state) {
    const [, step, cpu] = LAMMPS_STEP.exec(line) ?? [];
    if (step !== undefined || line.startsWith('Loop time')) {
      const row = state.multi.length > 2 ? new Map(state.multi) : undefined;
      state.names = [];
      state.multi =
        step === undefined
          ? []
          : [
              ['Step', Number(step)],
              ['CPU', Number(cpu)],
            ];
      return row;
    }
    if (state.multi.length > 0) {
      const pairs = [...line.matchAll(LAMMPS_PAIR)].filter(([, , value = '']) => isNumberText(value));
      state.multi = [
        ...state.multi,
        ...pairs.map(([, key = '', value = '']) => [key, readPrintedValue(value)] as const),
      ];
      return undefined;
    }
    if (LAMMPS_HEADING.test(line)) {
      const names = line.trim().split(/\s+/);
      state.names = names.length >= MIN_COLUMNS && !names.some(isNumberText) ? names : [];
      return undefined;
    }
    return readColumnRow(state.names, line);
  },
});
