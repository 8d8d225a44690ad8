import { dateTime, type RawTimeRange, type TimeRange } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import { act, renderHook } from '@testing-library/react';
import { goToLinkedRange } from '../../parts/page-range.js';
import { createTables } from '../../parts/components/tables.js';
import { createTableFrame } from '../../testing/frames.js';
import { createGraphs, type GraphModel } from '../model/lines/graphs.js';
import type { Extent } from '../model/scales/scale.js';
import { useZoom } from './use-zoom.js';

const [FROM_MS, TO_MS] = [1_700_000_000_000, 1_700_003_600_000];

function createGraph(): GraphModel {
  const tables = createTables([
    createTableFrame({
      rows: [
        { step: 1, loss: 0.5 },
        { step: 2, loss: 0.25 },
      ],
      timesNs: [1n, 2n],
    }),
  ]);
  const [graph] = createGraphs(tables, { kind: 'time' });
  if (graph === undefined) throw new Error('no graph');
  return graph;
}

/** The range of a page whose address has these ends. */
function createRange(from: string, to: string): TimeRange {
  const ends = { from: dateTime(FROM_MS), to: dateTime(TO_MS) };
  const read = (text: string, end: 'from' | 'to'): RawTimeRange['from'] => (text.includes('now') ? text : ends[end]);
  return { ...ends, raw: { from: read(from, 'from'), to: read(to, 'to') } };
}

/** A page of this address, on which a fixed range ends the refresh, as in Grafana. */
function openPage(address: Record<string, string>) {
  locationService.push(`/d/joblens-job?${new URLSearchParams(address).toString()}`);
  const readAddress = (): Record<string, string> => Object.fromEntries(locationService.getSearch());
  const onTimeRange = jest.fn(({ min, max }: Extent) => {
    locationService.partial({ from: String(min), to: String(max), refresh: null });
  });
  const graph = createGraph();
  const { result } = renderHook(() => {
    const { from = '', to = '' } = readAddress();
    return useZoom({ graph, timeRange: createRange(from, to), onTimeRange, onZoom: () => undefined });
  });
  const zoom = (range: Extent | undefined): void => act(() => result.current.onZoomX(range));
  return { zoom, readAddress, result };
}

describe('the end of a zoom on time', () => {
  it.each([
    ['a range that moves', { from: 'now-7d', to: 'now', refresh: '10s' }],
    ['a range that moves and stands still', { from: 'now-7d', to: 'now' }],
    ['a range that moves at its end', { from: String(FROM_MS), to: 'now', refresh: '5m' }],
    ['a range of whole days', { from: 'now-1d/d', to: 'now/d', refresh: '1m' }],
    ['a fixed range', { from: String(FROM_MS), to: String(TO_MS) }],
  ])('brings back %s', (_name, range) => {
    const address = { 'var-job': 'a-(1).b c', ...range };
    const { zoom, readAddress, result } = openPage(address);
    zoom({ min: FROM_MS + 1000, max: FROM_MS + 2000 });
    zoom({ min: FROM_MS + 1100, max: FROM_MS + 1200 });
    expect(readAddress()).toEqual({
      'var-job': 'a-(1).b c',
      from: String(FROM_MS + 1100),
      to: String(FROM_MS + 1200),
    });
    expect(result.current.isZoomed).toBe(true);
    zoom(undefined);
    expect(readAddress()).toEqual(address);
    expect(result.current.isZoomed).toBe(false);
  });
});

describe('a link to another time of the page', () => {
  it.each([
    ['of a job that runs', 'now', {}, { refresh: '10s' }],
    ['of a job that runs, on a page that refreshes', 'now', { refresh: '1m' }, { refresh: '1m' }],
    ['of a job that has ended', '2000', {}, {}],
  ])('%s follows it', (_name, to, before, after) => {
    locationService.push(`/d/joblens-job?${new URLSearchParams({ from: '1', to: '2', ...before }).toString()}`);
    goToLinkedRange('1000', to);
    expect(Object.fromEntries(locationService.getSearch())).toEqual({ from: '1000', to, ...after });
  });
});
