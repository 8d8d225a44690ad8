import {
  type DataFrame,
  dateTime,
  EventBusSrv,
  FieldType,
  LoadingState,
  type PanelProps,
  toDataFrame,
} from '@grafana/data';
import { act, render, screen } from '@testing-library/react';
import React from 'react';
import { createCustomMeta } from '../frames/frame-meta.js';
import { createTableFrame } from '../views/testing/frames.js';
import { JoblensPanel } from './JoblensPanel.js';
import { DEFAULT_OPTIONS, type PanelOptions } from './options.js';

// jsdom has no canvas.
jest.mock('../views/graph/components/Plot.js', () => ({ Plot: () => null }));
jest.mock('../views/gantt/components/GanttCanvas.js', () => ({ GanttCanvas: () => null }));

/** What a query for spans answers: so many, one second long each. */
function createSpansFrame(count: number): DataFrame {
  const rows = Array.from({ length: count }, (_, at) => at);
  const field = (name: string, type: FieldType, values: unknown[]) => ({ name, type, values, config: {} });
  return toDataFrame({
    name: 'spans',
    meta: { custom: createCustomMeta({ kind: 'spans' }) },
    fields: [
      field('start', FieldType.time, rows),
      field(
        'end',
        FieldType.time,
        rows.map((at) => at + 1)
      ),
      field(
        'name',
        FieldType.string,
        rows.map((at) => `a-(${at})`)
      ),
      field(
        'duration',
        FieldType.number,
        rows.map(() => 1)
      ),
    ],
  });
}

/** Rows that look like spans. */
const TABLE = createTableFrame({
  rows: [
    { step: 1, duration: 3 },
    { step: 2, duration: 4 },
  ],
});

function createProps(series: DataFrame[]): PanelProps<PanelOptions> {
  const range = { from: dateTime(0), to: dateTime(100_000) };
  return {
    data: { series, state: LoadingState.Done, timeRange: { ...range, raw: range } },
    timeRange: { ...range, raw: range },
    ...{ timeZone: 'utc', title: 'Numbers', width: 800, height: 400, eventBus: new EventBusSrv() },
    options: { ...DEFAULT_OPTIONS, views: ['graph', 'gantt', 'table'], layout: 'tabs' },
    ...{ onOptionsChange: jest.fn(), onFieldConfigChange: jest.fn(), onChangeTimeRange: jest.fn() },
    replaceVariables: (text: string) => text,
  } as unknown as PanelProps<PanelOptions>;
}

function readTabs(): string[] {
  return screen.getAllByRole('tab').map(({ textContent }) => textContent);
}

it.each<[string, DataFrame[], string[], string]>([
  ['spans and rows', [TABLE, createSpansFrame(2)], ['Graph', 'Gantt', 'Table'], 'Graph'],
  ['rows alone', [TABLE, createSpansFrame(0)], ['Graph', 'Table'], 'Graph'],
  ['spans alone', [createSpansFrame(2)], ['Graph', 'Gantt', 'Table'], 'Gantt'],
  ['nothing', [createSpansFrame(0)], ['Graph', 'Table'], 'Graph'],
])('has a tab for spans where a job has some, and opens what has something: %s', (_name, series, tabs, shown) => {
  render(<JoblensPanel {...createProps(series)} />);
  expect(readTabs()).toEqual(tabs);
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe(shown);
});

it('draws no durations of spans as lines, and no rows as spans', () => {
  const { unmount } = render(<JoblensPanel {...createProps([TABLE, createSpansFrame(3)])} />);
  expect(screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'))).toEqual([
    'Graph of step against duration',
  ]);
  unmount();
  const props = createProps([TABLE, createSpansFrame(3)]);
  render(<JoblensPanel {...props} options={{ ...props.options, views: ['gantt'] }} />);
  expect(screen.getByTestId('joblens-gantt-note').textContent).toBe('3 spans');
});

it('keeps the tab that a viewer looks at when its spans are out of the range', () => {
  const props = createProps([createSpansFrame(2)]);
  const { rerender } = render(<JoblensPanel {...props} />);
  act(() => screen.getByRole('tab', { name: 'Gantt' }).click());
  rerender(<JoblensPanel {...props} data={{ ...props.data, series: [TABLE, createSpansFrame(0)] }} />);
  expect(readTabs()).toEqual(['Graph', 'Gantt', 'Table']);
  expect(screen.getByRole('status').textContent).toContain('No spans in this time range');
});
