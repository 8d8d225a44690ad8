import type { DataFrame } from '@grafana/data';
import { act, render } from '@testing-library/react';
import React from 'react';
import { Subject } from 'rxjs';
import type { FoldedMeta } from '../../../../frames/frame-meta.js';
import { createTables, type PanelTable } from '../../../parts/components/tables.js';
import { createTableFrame } from '../../../testing/frames.js';
import type { Ask, AskChanges } from '../../../view.js';
import { createGraphs, type GraphModel } from './graphs.js';
import { findTimesOfX, useZoomedTables, type ZoomedTables } from './zoomed-tables.js';

const NS_PER_MS = 1_000_000n;

function createFrame(steps: readonly number[]): DataFrame {
  const rows = steps.map((step) => ({ step, loss: 1 / (1 + step) }));
  return createTableFrame({ rows, timesNs: steps.map((step) => BigInt(step * 10) * NS_PER_MS) });
}

function fold(table: PanelTable | undefined): PanelTable {
  if (table === undefined) throw new Error('no table');
  const folded: FoldedMeta = { rows: 1000, rowsPerPoint: 32, isAggregated: false };
  return { ...table, folded };
}

const STEPS = [0, 100, 200, 300, 400];
const FOLDED = fold(createTables([createFrame(STEPS)])[0]);

function firstGraph(tables: readonly PanelTable[]): GraphModel {
  const [graph] = createGraphs(tables, { kind: 'key', key: 'step' });
  if (graph === undefined) throw new Error('no graph');
  return graph;
}

describe('findTimesOfX', () => {
  it.each([
    ['points inside', { min: 90, max: 210 }, { from: 0, to: 3001 }],
    ['no point inside', { min: 110, max: 120 }, { from: 1000, to: 2001 }],
    ['the end', { min: 390, max: 1000 }, { from: 3000, to: 4001 }],
  ])('finds the time from the point before to the point behind, with %s', (_name, range, times) => {
    expect(findTimesOfX(firstGraph([FOLDED]).lines, range)).toEqual(times);
  });

  it('begins before the first point where that stands for many rows', () => {
    const lines = firstGraph([FOLDED]).lines.map((line) => ({ ...line, band: { mins: line.ys, maxes: line.ys } }));
    expect(findTimesOfX(lines, { min: -20, max: 50 })).toEqual({ from: -1000, to: 1001 });
    expect(findTimesOfX(lines, { min: 120, max: 150 })).toEqual({ from: 1000, to: 2001 });
  });

  it('finds none beside the lines', () => {
    expect(findTimesOfX(firstGraph([FOLDED]).lines, { min: 500, max: 600 })).toBeUndefined();
  });
});

describe('useZoomedTables', () => {
  function renderHook(tables: readonly PanelTable[]) {
    const asked: AskChanges[] = [];
    const answers = new Subject<readonly DataFrame[]>();
    const ask = (changes: AskChanges): Subject<readonly DataFrame[]> => {
      asked.push(changes);
      return answers;
    };
    const seen: ZoomedTables[] = [];
    // The panel's function is another one after each refresh.
    function Host({ resetKey, now = ask }: { readonly resetKey: string; readonly now?: Ask }): null {
      seen.push(useZoomedTables(tables, now, resetKey));
      return null;
    }
    const { rerender } = render(<Host resetKey="a" />);
    const last = (): ZoomedTables => seen.at(-1) ?? { tables: [], onZoom: () => undefined };
    return {
      asked,
      answers,
      last,
      steps: () => last().tables[0]?.columns.find(({ name }) => name === 'step')?.values,
      reset: () => rerender(<Host resetKey="b" />),
      refresh: () => rerender(<Host resetKey="a" now={(changes) => ask(changes)} />),
      zoom: (range: { min: number; max: number } | undefined) => act(() => last().onZoom(firstGraph(tables), range)),
    };
  }

  it('asks for the time of the zoom, and draws what is there until the answer comes', () => {
    const { asked, answers, steps, zoom } = renderHook([FOLDED]);
    zoom({ min: 110, max: 190 });
    expect(asked).toEqual([{ range: { from: 1000, to: 2001 } }]);
    expect(steps()).toEqual(STEPS);
    act(() => answers.next([createFrame([100, 150, 200])]));
    expect(steps()).toEqual([100, 150, 200]);
    zoom(undefined);
    expect(steps()).toEqual(STEPS);
    expect(answers.observed).toBe(false);
  });

  it('keeps what is there when the answer holds nothing', () => {
    const { answers, steps, zoom } = renderHook([FOLDED]);
    zoom({ min: 110, max: 190 });
    act(() => answers.next([]));
    expect(steps()).toEqual(STEPS);
  });

  it('ends the zoom with another job or another X', () => {
    const { answers, steps, zoom, reset } = renderHook([FOLDED]);
    zoom({ min: 110, max: 190 });
    act(() => answers.next([createFrame([100, 150, 200])]));
    reset();
    expect(steps()).toEqual(STEPS);
  });

  it('gives the same tables again after a refresh without new rows, so that nothing is drawn anew', () => {
    const { last, refresh } = renderHook([FOLDED]);
    const { tables } = last();
    refresh();
    expect(last().tables).toBe(tables);
  });

  it('asks for nothing where every row is drawn already', () => {
    const { asked, zoom } = renderHook(createTables([createFrame(STEPS)]));
    zoom({ min: 110, max: 190 });
    expect(asked).toEqual([]);
  });
});
