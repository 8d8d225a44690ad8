import { type DataFrame, dateTime, EventBusSrv, FieldType, toDataFrame } from '@grafana/data';
import { screen } from '@testing-library/react';
import React from 'react';
import { delay, of } from 'rxjs';
import { createJobsFrame } from '../../query-types/jobs/jobs.js';
import type { LogSlice } from '../../query-types/logs/logs.js';
import { createLogModel } from '../log/model/log-model.js';
import { LogView } from '../log/components/LogView.js';
import { createHoverHub } from '../parts/hover.js';
import type { Ask } from '../view.js';
import { createLogFrame } from './frames.js';

export const HEIGHT = 400;
export const NS = 1_000_000n;

/** One line of a job's log. */
export interface Line {
  readonly text: string;
  readonly timeNs: bigint;
  readonly stream?: 'stdout' | 'stderr';
}

export function createLines(count: number): Line[] {
  return Array.from({ length: count }, (_, n) => ({
    text: n % 100 === 0 ? `mark ${n}` : `line ${n}`,
    timeNs: BigInt(n + 1) * NS,
  }));
}

export const LINES = createLines(5000);

/** The virtual list asks for sizes and scrolls, which jsdom does not know. */
export function defineSizes(): void {
  const define = (name: string, read: (element: HTMLElement) => number): void => {
    Object.defineProperty(HTMLElement.prototype, name, {
      configurable: true,
      get(this: HTMLElement) {
        return read(this);
      },
    });
  };
  define('clientHeight', () => HEIGHT);
  define('clientWidth', () => 800);
  define('offsetHeight', (element) => (element.dataset['index'] === undefined ? HEIGHT : 18));
  define('scrollHeight', () => 1_000_000);
  // jsdom does not scroll.
  HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, options?: ScrollToOptions | number) {
    if (typeof options !== 'object') return;
    this.scrollTop = options.top ?? 0;
    this.dispatchEvent(new Event('scroll'));
  };
}

/** As a busy browser: the page scrolls at once, and is told of it later. */
export function delayScrollEvents(delayMs: number): void {
  HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, options?: ScrollToOptions | number) {
    if (typeof options === 'object') this.scrollTop = options.top ?? 0;
    setTimeout(() => this.dispatchEvent(new Event('scroll')), delayMs);
  };
}

/** The store's case-insensitive groups, as this test's lines need them. */
function isMatch(pattern: string, text: string): boolean {
  return new RegExp(pattern.replace(/\(\?i\)/g, '').replace(/\(\?i:/g, '(?:'), 'i').test(text);
}

/** Answers slices of the log as the data source does. */
export function createAsk(lines: readonly Line[], asked: LogSlice[] = [], state?: string): Ask {
  return ({ query }) => {
    if (query?.['queryType'] === 'jobs') return of(state === undefined ? [] : [createStateFrame(state)]);
    const { slice, limit = 1000, stream = 'both' } = query as { slice: LogSlice; limit?: number; stream?: string };
    asked.push(slice);
    const found = lines.filter(
      ({ timeNs, text, stream: own = 'stdout' }) =>
        (stream === 'both' || stream === own) &&
        (slice.afterNs === undefined || timeNs > BigInt(slice.afterNs)) &&
        (slice.beforeNs === undefined || timeNs < BigInt(slice.beforeNs)) &&
        (slice.patterns ?? []).every((pattern) => isMatch(pattern, text))
    );
    if (slice.want === 'streams') {
      const streams = [...new Set(lines.map(({ stream: own = 'stdout' }) => own))];
      return of([toDataFrame({ fields: [{ name: 'stream', type: FieldType.string, values: streams }] })]);
    }
    if (slice.want === 'around') {
      const wanted = lines.flatMap(({ timeNs }, at) => (slice.timesNs?.includes(String(timeNs)) === true ? [at] : []));
      const near = lines.filter((_, at) => wanted.some((place) => Math.abs(place - at) <= limit));
      return of([createLogFrame(near)]).pipe(delay(1));
    }
    if (slice.want === 'count') {
      return of([toDataFrame({ fields: [{ name: 'lines', type: FieldType.number, values: [found.length] }] })]);
    }
    const page = slice.want === 'asc' ? found.slice(0, limit) : found.slice(-limit);
    return of([createLogFrame(page, { isLimited: page.length < found.length })]).pipe(delay(1));
  };
}

function createStateFrame(state: string): DataFrame {
  const jobs = [{ job: '7', user: 'ann', timeNs: 1n, values: new Map(), state }];
  return createJobsFrame({ refId: 'A', jobs, totalJobs: 1, nowMs: 1, executedQuery: '' });
}

type Shown = Partial<React.ComponentProps<typeof LogView>>;

/** The log of these lines, of which the newest are in the panel's own answer. */
export function createLogView(lines: readonly Line[], props: Shown = {}): React.ReactElement {
  const newest = createLogFrame(lines.slice(-1000), { isLimited: lines.length > 1000 });
  const place = { width: 800, height: HEIGHT, timeZone: 'utc', rangeKey: 'r', jobName: '7', isOneJob: true };
  const hub = createHoverHub(new EventBusSrv());
  const [from, to] = [lines[0], lines[lines.length - 1]].map((line) => dateTime(Number((line?.timeNs ?? 0n) / NS)));
  const ends = { from: from ?? dateTime(0), to: to ?? dateTime(0) };
  const log = {
    timeRange: { ...ends, raw: ends },
    model: createLogModel([newest]),
    hub,
    follow: false,
    order: 'asc' as const,
    ask: createAsk(lines),
    onDraw: undefined,
  };
  return <LogView {...log} {...place} {...props} />;
}

/** The texts of the lines that are in the document. */
export const texts = (): string[] =>
  screen.queryAllByTestId('joblens-log-line').map((line) => line.lastElementChild?.textContent ?? '');
/** What the toolbar says of the loaded lines. */
export const note = (): string => screen.queryByTestId('joblens-log-limit')?.textContent ?? '';
