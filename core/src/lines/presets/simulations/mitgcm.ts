import type { MetadataRow } from '../../../table/metadata-row.js';
import { FINITE_NUMBER, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

const MONITOR = new RegExp(String.raw`%MON (\w+)\s+=\s+(${FINITE_NUMBER})$`);
/** The values of a time step are between these lines. */
const BEGIN = /\bBegin MONITOR (dynamic|\w+) field/;
const END = /\bEnd MONITOR (dynamic|\w+) field/;
const STEP = 'time_tsnumber';
const MAX_VALUES = 200;

/** One row for each `Begin MONITOR dynamic field statistics`: the extremes and means of the fields. */
export const MITGCM = definePreset({
  name: 'mitgcm',
  program: 'MITgcm',
  needles: ['%MON ', ' MONITOR '],
  counters: [STEP, 'time_secondsf'],
  initial: { isOpen: false, row: [] as ReadonlyArray<readonly [string, number | string]> },
  read(line, state): MetadataRow | undefined {
    if (BEGIN.test(line)) {
      Object.assign(state, { isOpen: true, row: [] });
      return undefined;
    }
    if (END.test(line)) {
      const row = new Map(state.row);
      Object.assign(state, { isOpen: false, row: [] });
      // What is printed of the grid once has no time.
      return row.has(STEP) && row.size > 2 ? row : undefined;
    }
    const [, name, value] = state.isOpen ? (MONITOR.exec(line) ?? []) : [];
    if (name !== undefined && value !== undefined && state.row.length < MAX_VALUES) {
      state.row = [...state.row, [name, readPrintedValue(value)]];
    }
    return undefined;
  },
});
