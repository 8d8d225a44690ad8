import { dateTimeFormat } from '@grafana/data';
import { formatFineDuration } from '@joblens/core/words/duration';

const SIGNIFICANT_DIGITS = 3;
/** Parts of a millisecond that a double of today's times still holds. */
const DIGITS_OF_MS = 3;

function shorten(value: number): string {
  return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
}

/** `12.3µs`, `4.56ms`, `1.5s`, `2h 5m`: spans may be far below a millisecond. */
export function formatSpanDuration(durationMs: number): string {
  if (durationMs >= 1000) return formatFineDuration(durationMs);
  if (durationMs >= 1) return `${shorten(durationMs)}ms`;
  return durationMs > 0 ? `${shorten(durationMs * 1000)}µs` : '0';
}

/** A time with the part of its millisecond, where it has one. */
export function formatInstant(timeMs: number, timeZone: string, format = 'YYYY-MM-DD HH:mm:ss.SSS'): string {
  const micros = Math.round((timeMs - Math.floor(timeMs)) * 10 ** DIGITS_OF_MS);
  const text = dateTimeFormat(Math.floor(timeMs), { timeZone, format });
  return micros === 0 ? text : text + String(Math.min(999, micros)).padStart(DIGITS_OF_MS, '0');
}
