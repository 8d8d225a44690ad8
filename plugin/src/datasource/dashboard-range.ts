import { dateTime, type TimeRange } from '@grafana/data';
import { WEEK_MS } from '@joblens/core/numbers/time-units';
import { type TemplateSource, toValues } from '../template/template.js';

/**
 * The dashboard's time range, for what Grafana asks without one (before 10.3): its template service knows it as
 * `$__from` and `$__to`, in milliseconds. Where it knows none, the last week.
 */
export function readDashboardRange(templates: TemplateSource, nowMs: number): TimeRange {
  const fromMs = readMs(templates, '$__from') ?? nowMs - WEEK_MS;
  const toMs = readMs(templates, '$__to') ?? nowMs;
  const [from, to] = [dateTime(fromMs), dateTime(toMs)];
  return { from, to, raw: { from, to } };
}

function readMs(templates: TemplateSource, variable: string): number | undefined {
  const text = templates.replace(variable, {}, (value) => toValues(value)[0] ?? '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
