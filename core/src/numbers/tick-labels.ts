import { PLAIN_MIN } from './format-number.js';

/** A label may be so far from its tick, as a share of the step between ticks. */
const MAX_ERROR = 1e-4;
/** What is so near to 0 is a 0 that was computed, as a share of the step. */
const ZERO_ERROR = 1e-9;
/** Digits that tell any two doubles apart. */
const MAX_DIGITS = 17;
/** Sizes from here are written with an exponent. */
const PLAIN_MAX = 1e15;
const COMPACT_UNITS = [
  { size: 1e12, suffix: 'T' },
  { size: 1e9, suffix: 'B' },
  { size: 1e6, suffix: 'M' },
] as const;

type Format = (tick: number) => string;

/** The distance of the two nearest neighbours; of a tick alone, its own size. */
function findStep(ticks: readonly number[]): number {
  let step = Infinity;
  ticks.forEach((tick, at) => {
    const distance = Math.abs(tick - (ticks[at - 1] ?? tick));
    if (distance > 0) step = Math.min(step, distance);
  });
  return Number.isFinite(step) ? step : Math.abs(ticks[0] ?? 0);
}

/** The fewest decimals that put each label where its tick is; undefined where there are too few digits for that. */
function countDecimals(ticks: readonly number[], maxError: number): number | undefined {
  for (let decimals = 0; decimals <= MAX_DIGITS; decimals++) {
    if (ticks.every((tick) => Math.abs(Number(tick.toFixed(decimals)) - tick) <= maxError)) return decimals;
  }
  return undefined;
}

function isZero(tick: number, maxError: number): boolean {
  return Math.abs(tick) <= (maxError / MAX_ERROR) * ZERO_ERROR;
}

/** Plainly, or in millions, billions or trillions; `0` has neither decimals nor a unit. */
function createPlainFormat(
  ticks: readonly number[],
  maxError: number,
  { size, suffix }: { readonly size: number; readonly suffix: string } = { size: 1, suffix: '' }
): Format | undefined {
  const decimals = countDecimals(
    ticks.map((tick) => tick / size),
    maxError / size
  );
  if (decimals === undefined) return undefined;
  return (tick) => (isZero(tick, maxError) ? '0' : `${(tick / size).toFixed(decimals)}${suffix}`);
}

function createExponentFormat(maxError: number): Format {
  return (tick) => {
    if (isZero(tick, maxError)) return '0';
    let digits = 0;
    while (digits < MAX_DIGITS && Math.abs(Number(tick.toExponential(digits)) - tick) > maxError) digits += 1;
    return tick.toExponential(digits);
  };
}

function chooseFormat(ticks: readonly number[]): Format {
  const maxError = findStep(ticks) * MAX_ERROR;
  const largest = ticks.reduce((all, tick) => Math.max(all, Math.abs(tick)), 0);
  const isPlain = largest === 0 || (largest >= PLAIN_MIN && largest < PLAIN_MAX);
  const unit = COMPACT_UNITS.find(({ size }) => largest >= size);
  const plain = isPlain ? createPlainFormat(ticks, maxError) : undefined;
  const compact = isPlain && unit !== undefined ? createPlainFormat(ticks, maxError, unit) : undefined;
  const measure = (format: Format): number => Math.max(...ticks.map((tick) => format(tick).length));
  if (plain !== undefined && compact !== undefined) return measure(compact) < measure(plain) ? compact : plain;
  return plain ?? compact ?? createExponentFormat(maxError);
}

/**
 * Labels for ticks that are evenly apart. All have the digits that the step asks for, in the shorter of two ways to
 * write them; null has none.
 */
export function labelTicks(ticks: readonly (number | null)[]): string[] {
  const format = chooseFormat(ticks.filter((tick): tick is number => tick !== null && Number.isFinite(tick)));
  return ticks.map((tick) => (tick === null || !Number.isFinite(tick) ? '' : format(tick)));
}

/** Labels for ticks of different sizes: each has the digits that it needs itself, if that tells all apart. */
export function labelLogTicks(ticks: readonly (number | null)[]): string[] {
  const labels = ticks.map((tick) => labelTicks([tick]).join(''));
  const written = labels.filter((label) => label !== '');
  return new Set(written).size === written.length ? labels : labelTicks(ticks);
}
