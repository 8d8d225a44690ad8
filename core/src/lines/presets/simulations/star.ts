import { isNumberText, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

const FIRST_HEADING = /^\s*Time\s+Speed\s+Read\s+Read\s/;
const SECOND_HEADING = /^\s*M\/hr\s+number\s+length\s/;
const PROGRESS = /^[A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d\s+(\S.*)$/;

/** The rows of Log.progress.out. Each of its names is one word above the other: `Mapped`, `unique`. */
export const STAR = definePreset({
  name: 'star',
  program: 'STAR',
  needles: ({ names }) => (names.length === 0 ? ['Speed', 'M/hr'] : undefined),
  counters: ['Read number'],
  initial: { above: [] as readonly string[], names: [] as readonly string[] },
  read(line, state) {
    if (FIRST_HEADING.test(line)) {
      // The time has one word.
      state.above = line.trim().split(/\s+/).slice(1);
      return undefined;
    }
    if (SECOND_HEADING.test(line)) {
      const below = line.trim().split(/\s+/);
      const isWhole = below.length === state.above.length;
      Object.assign(state, {
        above: [],
        names: isWhole ? state.above.map((word, i) => `${word} ${below[i] ?? ''}`) : [],
      });
      return undefined;
    }
    const [, columns] = PROGRESS.exec(line) ?? [];
    const cells = columns?.split(/\s+/).map((cell) => cell.replace(/%$/, '')) ?? [];
    if (cells.length !== state.names.length || cells.length === 0 || !cells.every(isNumberText)) {
      return undefined;
    }
    return new Map(state.names.map((name, i) => [name, readPrintedValue(cells[i] ?? '')] as const));
  },
});
