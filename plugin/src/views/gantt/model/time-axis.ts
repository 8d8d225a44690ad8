import { dateTimeFormat, dateTimeForTimeZone } from '@grafana/data';
import { DAY_MS, MINUTE_MS } from '@joblens/core/numbers/time-units';
import { chooseStep, listLinearTicks } from '../../graph/model/scales/axis-steps.js';
import { chooseTimeFormat, DURATION_STEPS_MS } from '../../graph/model/scales/time-ticks.js';
import type { Extent } from '../../graph/model/scales/scale.js';
import { formatInstant } from './span-words.js';
import { toPx, type Viewport } from './viewport.js';

export interface TimeTick {
  readonly leftPx: number;
  readonly label: string;
}

/** For `14:25`, for parts of a minute, and for parts of a millisecond. */
const ROOMS_PX = { minutes: 64, seconds: 96, micros: 128 } as const;
const FINE_STEPS_MS = [1, 2, 5].flatMap((digit) => [digit * 1e-3, digit * 1e-2, digit * 1e-1]).sort((a, b) => a - b);
const STEPS_MS = [...FINE_STEPS_MS, ...DURATION_STEPS_MS];

/** The finest step whose labels have room: they are longer for finer steps. */
function chooseLabelledStep(local: Extent, widthPx: number): number {
  const choose = (roomPx: number): number => chooseStep(local, widthPx / roomPx, STEPS_MS);
  const stepMs = choose(ROOMS_PX.minutes);
  if (stepMs >= MINUTE_MS) return stepMs;
  const finerMs = choose(ROOMS_PX.seconds);
  return finerMs >= 1 ? finerMs : choose(ROOMS_PX.micros);
}

/** Round times of the time zone, with labels that tell neighbours apart. */
export function listTimeTicks(viewport: Viewport, timeZone: string): readonly TimeTick[] {
  const { min, max, widthPx } = viewport;
  const offsetMs = dateTimeForTimeZone(timeZone, min).utcOffset() * MINUTE_MS;
  // Ticks are counted from the edge of a day: no double divides today's times into microseconds.
  const originMs = Math.floor(min) + offsetMs - ((Math.floor(min) + offsetMs) % DAY_MS) - offsetMs;
  const local = { min: min - originMs, max: max - originMs };
  const stepMs = chooseLabelledStep(local, widthPx);
  const format = chooseTimeFormat(stepMs, max - min);
  return listLinearTicks(local, stepMs).map((tick) => {
    const timeMs = originMs + tick;
    const label = stepMs < 1 ? formatInstant(timeMs, timeZone, format) : dateTimeFormat(timeMs, { timeZone, format });
    return { leftPx: toPx(timeMs, viewport), label };
  });
}
