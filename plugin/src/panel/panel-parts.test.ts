import { DataHoverClearEvent, DataHoverEvent, EventBusSrv } from '@grafana/data';
import fc from 'fast-check';
import { findTimeOfX, findXOfTime } from './graph/x-times.js';
import { createHoverHub, findRowAt } from './hover.js';
import { followAfterScroll, isAtNewest } from './log/follow.js';
import type { GraphLine } from './model/graphs.js';
import { DEFAULT_OPTIONS, readOptions, type PanelOptions } from './options.js';
import { chooseLayout, splitHeight } from './view-layout.js';

it.each<[string, Partial<PanelOptions> | undefined, Partial<PanelOptions>]>([
  ['nothing stored', undefined, DEFAULT_OPTIONS],
  ['one view', { views: ['log'] }, { views: ['log'], pageSize: 100 }],
  ['views in a fixed order', { views: ['log', 'graph'] }, { views: ['graph', 'log'] }],
  ['no view', { views: [] }, { views: ['graph', 'table', 'log'] }],
  ['an empty X', { x: '' }, { x: 'auto' }],
  ['a page of nothing', { pageSize: 0 }, { pageSize: 100 }],
  ['a broken page size', { pageSize: NaN }, { pageSize: 100 }],
  ['a page without end', { pageSize: 1e9 }, { pageSize: 10_000 }],
])('reads options with %s', (_name, stored, expected) => {
  expect(readOptions(stored)).toMatchObject(expected);
});

it.each([
  ['auto', 3, 700, 'stack'],
  ['auto', 3, 500, 'tabs'],
  ['auto', 2, 408, 'stack'],
  ['tabs', 2, 2000, 'tabs'],
  ['stack', 3, 100, 'stack'],
] as const)('lays %s with %p views in %p px out as %s', (layout, count, height, expected) => {
  expect(chooseLayout(layout, count, height)).toBe(expected);
});

it('fills the panel with a stack and its gaps, never more', () => {
  fc.assert(
    fc.property(fc.subarray(['graph', 'table', 'log'] as const, { minLength: 1 }), fc.nat(3000), (views, height) => {
      const heights = splitHeight(views, height);
      const used = heights.reduce((sum, each) => sum + each, 0) + 8 * (views.length - 1);
      expect(used).toBeLessThanOrEqual(Math.max(height, 8 * (views.length - 1)));
      expect(heights.every((each) => each >= 0)).toBe(true);
    })
  );
});

const place = (scrollTop: number) => ({ scrollTop, scrollHeight: 1000, clientHeight: 200 });

it.each([
  ['away from the end by hand', true, true, 500, 'asc', false],
  ['to the end by hand', false, true, 800, 'asc', true],
  ['nearly to the end by hand', false, true, 790, 'asc', true],
  ['away without a hand, as new lines do', true, false, 500, 'asc', true],
  ['to the end without a hand', false, false, 800, 'asc', false],
  ['away from the top by hand', true, true, 500, 'desc', false],
  ['to the top by hand', false, true, 0, 'desc', true],
] as const)('follows after scrolling %s', (_name, was, isByHand, scrollTop, order, expected) => {
  expect(followAfterScroll(was, isByHand, place(scrollTop), order)).toBe(expected);
});

it('is at the newest line when nothing can be scrolled', () => {
  expect(isAtNewest({ scrollTop: 0, scrollHeight: 100, clientHeight: 200 }, 'asc')).toBe(true);
});

it('finds the newest row at an instant', () => {
  expect([5, 10, 15, 20, 99].map((timeMs) => findRowAt([10, 15, 15, 20], timeMs))).toEqual([0, 0, 2, 3, 3]);
  expect(findRowAt([], 5)).toBe(-1);
});

describe('hover', () => {
  it('reaches the other views and the bus, and not its source', () => {
    const bus = new EventBusSrv();
    const hub = createHoverHub(bus);
    hub.connect();
    const heard: [string, number | undefined][] = [];
    const [graph, table] = [{}, {}];
    hub.subscribe(graph, (timeMs) => heard.push(['graph', timeMs]));
    hub.subscribe(table, (timeMs) => heard.push(['table', timeMs]));
    bus.getStream(DataHoverEvent).subscribe((event) => {
      heard.push(['bus', (event.payload as unknown as { point: { time: number } }).point.time]);
    });
    hub.publish(graph, 5);
    hub.publish(graph, undefined);
    expect(heard).toEqual([
      ['table', 5],
      ['bus', 5],
      ['table', undefined],
    ]);
  });

  it('hears other panels until it stops', () => {
    const bus = new EventBusSrv();
    const hub = createHoverHub(bus);
    const stop = hub.connect();
    const heard: (number | undefined)[] = [];
    hub.subscribe({}, (timeMs) => heard.push(timeMs));
    bus.publish(new DataHoverEvent({ point: { time: 7 } }));
    bus.publish(new DataHoverEvent({ point: { x: 1 } }));
    bus.publish(new DataHoverClearEvent());
    stop();
    bus.publish(new DataHoverEvent({ point: { time: 8 } }));
    expect(heard).toEqual([7, undefined]);
  });
});

it('goes from X to time and back, to the newest row of a repeated X', () => {
  const line = { name: 'a', xs: [1, 2, 1], ys: [1, 1, 1], timesMs: [10, 20, 30] } as unknown as GraphLine;
  expect(findTimeOfX([line], 1)).toBe(30);
  expect(findTimeOfX([line], 9)).toBeUndefined();
  expect([5, 20, 25, 99].map((timeMs) => findXOfTime([line], timeMs))).toEqual([1, 2, 2, 1]);
});
