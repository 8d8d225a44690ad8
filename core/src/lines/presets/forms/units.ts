import type { NamedNumber } from '../../named-numbers.js';
import { readPrintedValue } from '../../printed-value.js';

// Programs that print for people change the unit on the way: `980k`, then `1.2M`; `98.5ms`, then `1.1s`.

/** The unit that each column has, which is that of its first value. */
export type Units = Readonly<Record<string, string>>;

/** Bounds the state: the units of further columns are not kept. */
const MAX_UNITS = 200;

const factors = (units: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(units).flatMap(([names, factor]) => names.split(' ').map((name) => [name, factor] as const)));

const TIMES = factors({
  ...{ ns: 1e-9, 'us µs μs': 1e-6, ms: 1e-3, 's sec secs second seconds': 1 },
  ...{ 'm min mins minute minutes': 60, 'h hr hrs hour hours': 3600, 'd day days': 86_400 },
});
const COUNTS = new Map([['', 1], ...factors({ 'k K': 1e3, M: 1e6, 'B G': 1e9, T: 1e12 })]);
/** Leaves out `MB` and its like: nobody knows whether it is 1,000 or 1,024 times `KB`. */
const BYTES = factors({ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 });

const TABLES = [COUNTS, TIMES, BYTES];

/**
 * The value of a number in the unit of its column, which the first one tells; undefined if it has another unit, and
 * nobody knows how many of the one are the other.
 */
export function readInUnit(
  key: string,
  { text, unit }: Pick<NamedNumber, 'text' | 'unit'>,
  state: { units: Units }
): number | string | undefined {
  const value = readPrintedValue(text);
  const first = Object.hasOwn(state.units, key) ? state.units[key] : undefined;
  if (first === unit || typeof value === 'string') {
    return value;
  }
  const table = TABLES.find((one) => one.has(unit) && one.has(first ?? unit));
  // Zero and the like are often printed without the unit.
  if (first === undefined || (first === '' && table === undefined)) {
    keepUnit(key, unit, state);
    return value;
  }
  return table === undefined ? (unit === '' ? value : undefined) : convert(value, table, { from: unit, to: first });
}

function keepUnit(key: string, unit: string, state: { units: Units }): void {
  if (Object.hasOwn(state.units, key) || Object.keys(state.units).length < MAX_UNITS) {
    state.units = { ...state.units, [key]: unit };
  }
}

function convert(
  value: number,
  table: ReadonlyMap<string, number>,
  { from, to }: { readonly from: string; readonly to: string }
): number {
  return Number(((value * (table.get(from) ?? 1)) / (table.get(to) ?? 1)).toPrecision(15));
}
