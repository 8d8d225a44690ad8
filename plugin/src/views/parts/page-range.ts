import type { TimeRange } from '@grafana/data';
import { locationService } from '@grafana/runtime';

/** The time range of the page as its address has it, so that `now` stays `now`, and how often the page asks again. */
export interface PageRange {
  /** Milliseconds, or a text such as `now-7d`. */
  readonly from: string;
  readonly to: string;
  /** Undefined where the page stands still. */
  readonly refresh: string | undefined;
}

/** A page of a running job asks again this often. */
export const LIVE_REFRESH = '10s';
const REFRESH = 'refresh';

function readRefresh(): string | undefined {
  const refresh = locationService.getSearch().get(REFRESH) ?? '';
  return refresh === '' ? undefined : refresh;
}

/** The present range, to return to. */
export function readPageRange({ raw }: Pick<TimeRange, 'raw'>): PageRange {
  const format = (end: TimeRange['raw']['from']): string => (typeof end === 'string' ? end : String(end.valueOf()));
  return { from: format(raw.from), to: format(raw.to), refresh: readRefresh() };
}

/** Whether the range moves with the time. */
export function isMoving({ from, to }: PageRange): boolean {
  return [from, to].some((end) => end.includes('now'));
}

/** Grafana ends the refresh of a page whose range is fixed, so whoever leads to one that moves brings it back. */
export function goToPageRange({ from, to, refresh }: PageRange): void {
  locationService.partial({ from, to, ...(refresh !== undefined && { [REFRESH]: refresh }) });
}

/** To the range of a link; one that follows a job asks again, too. */
export function goToLinkedRange(from: string, to: string): void {
  goToPageRange({ from, to, refresh: to === 'now' ? (readRefresh() ?? LIVE_REFRESH) : undefined });
}
