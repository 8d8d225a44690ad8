import { HOUR_MS } from '../../../numbers/time-units.js';
import { readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

const WRF_STEP = /^\s*(?:d\d+ \S+ +)?Timing for main: time (\S+) on domain +(\d+): +(-?[\d.]+) elapsed seconds/;
const MPAS_STEP = /^\s*Begin timestep (\S+)$/;
const MPAS_RANGE = /^\s*global min, max (\w+) +(\S+) +(\S+)$/;
const MPAS_END = /^\s*Timing for integration step: +(\S+) s$/;
const MODEL_TIME = /^(\d{4})-(\d\d)-(\d\d)_(\d\d):(\d\d):(\d\d)/;

type Pair = readonly [string, number | string];

/** The hours of a model time since the first one; a model's year may be any. */
function countHours(text: string, state: { startMs: number | null }): number | undefined {
  const [year, month, day, hour, minute, second] = MODEL_TIME.exec(text)?.slice(1).map(Number) ?? [];
  if (year === undefined || month === undefined) {
    return undefined;
  }
  const timeMs = Date.UTC(year, month - 1, day, hour, minute, second);
  state.startMs ??= timeMs;
  return Math.round(((timeMs - state.startMs) / HOUR_MS) * 1e6) / 1e6;
}

/** How long each step took, over the time in the model; of MPAS also the extremes of the winds. */
export const WRF = definePreset({
  name: 'wrf',
  program: 'WRF, MPAS',
  needles: ['Timing for ', 'Begin timestep ', 'global min, max '],
  counters: ['model hours'],
  initial: { startMs: null as number | null, row: [] as readonly Pair[] },
  read(line, state) {
    const [, time = '', domain = '', seconds] = WRF_STEP.exec(line) ?? [];
    if (seconds !== undefined) {
      const hours = countHours(time, state);
      return hours === undefined
        ? undefined
        : new Map<string, number | string>([
            ['model hours', hours],
            [`domain ${domain} seconds`, readPrintedValue(seconds)],
          ]);
    }
    const [, begin] = MPAS_STEP.exec(line) ?? [];
    if (begin !== undefined) {
      const hours = countHours(begin, state);
      state.row = hours === undefined ? [] : [['model hours', hours]];
      return undefined;
    }
    return state.row.length === 0 ? undefined : readMpas(line, state);
  },
});

function readMpas(line: string, state: { row: readonly Pair[] }): ReadonlyMap<string, number | string> | undefined {
  const [, name = '', min = '', max] = MPAS_RANGE.exec(line) ?? [];
  if (max !== undefined) {
    state.row = [
      ...new Map([...state.row, [`${name} min`, readPrintedValue(min)], [`${name} max`, readPrintedValue(max)]]),
    ];
    return undefined;
  }
  const [, seconds] = MPAS_END.exec(line) ?? [];
  if (seconds === undefined) {
    return undefined;
  }
  const row = new Map<string, number | string>([...state.row, ['seconds', readPrintedValue(seconds)]]);
  state.row = [];
  return row;
}
