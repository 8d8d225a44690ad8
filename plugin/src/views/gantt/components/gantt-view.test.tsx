import { type DataFrame, dateTime, EventBusSrv, FieldType, toDataFrame } from '@grafana/data';
import { act, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { gantt } from '../../gantt.js';
import { createHoverHub, type HoverHub } from '../../parts/hover.js';
import type { ViewProps } from '../../view.js';
import { HEAD_PX } from '../model/paint-chart.js';

// Elements may take long to appear on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// jsdom has no canvas: what is drawn is checked in a browser, here only what surrounds it.
jest.mock('./GanttCanvas.js', () => ({ GanttCanvas: () => null }));

const START_MS = 1_700_000_000_000;
const LENGTH_MS = 100_000;
/** Two workers of this title are 16 characters wide at most: the least gutter. */
const GUTTER_PX = 88;
const WIDTH = GUTTER_PX + 1000;
const PX_PER_MS = 1000 / LENGTH_MS;

beforeAll(() => {
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => WIDTH });
});

function createFrame(rows: ReadonlyArray<readonly [from: number, to: number | null, name: string, worker: string]>) {
  const column = (name: string, type: FieldType, at: number) => ({
    ...{ name, type, config: {} },
    values: rows.map((row) => (type === FieldType.time && row[at] !== null ? START_MS + Number(row[at]) : row[at])),
  });
  return toDataFrame({
    fields: [
      column('start', FieldType.time, 0),
      column('end', FieldType.time, 1),
      column('name', FieldType.string, 2),
      column('worker', FieldType.string, 3),
      { name: 'data', type: FieldType.string, config: {}, values: rows.map(() => '{"bytes": 12, "key": "(x-1)"}') },
    ],
  });
}

const SPANS = createFrame([
  [10_000, 30_000, 'load (a)', 'w-0'],
  [40_000, 60_000, 'train', 'w-0'],
  [45_000, 50_000, 'step-1', 'w-0'],
  [20_000, 90_000, 'send', 'w-1'],
]);

interface Shown {
  readonly hub: HoverHub;
  readonly selected: bigint[];
  readonly hovered: Array<number | undefined>;
  readonly onTimeRange: jest.Mock;
  readonly chart: HTMLElement;
  readonly area: HTMLElement;
}

function show(frames: readonly DataFrame[] = [SPANS]): Shown {
  const ends = { from: dateTime(START_MS), to: dateTime(START_MS + LENGTH_MS) };
  const hub = createHoverHub(new EventBusSrv());
  const [selected, hovered]: [bigint[], Array<number | undefined>] = [[], []];
  hub.onSelect({}, (timeNs) => selected.push(timeNs));
  hub.subscribe({}, (timeMs) => hovered.push(timeMs));
  const onTimeRange = jest.fn();
  const props = {
    ...{ width: WIDTH, height: 500, timeZone: 'utc', timeRange: { ...ends, raw: ends }, onTimeRange, annotations: [] },
    ...{ jobKey: '[]', source: '', hub, replaceVariables: (text: string) => text, ask: undefined },
  } as ViewProps;
  render(gantt.open(frames).draw(props, {}));
  const chart = screen.getByTestId('joblens-gantt');
  const area = chart.querySelector<HTMLElement>('[data-testid="joblens-gantt-area"]') ?? chart;
  return { hub, selected, hovered, onTimeRange, chart, area };
}

/** At an instant in the first lane of the first row. jsdom has no pointers: a mouse has the same coordinates. */
function point(area: HTMLElement, type: string, timeMs: number): void {
  const clientX = GUTTER_PX + timeMs * PX_PER_MS;
  fireEvent(area, new MouseEvent(type, { bubbles: true, clientX, clientY: HEAD_PX + 10, button: 0 }));
}

const toNs = (timeMs: number): bigint => BigInt(START_MS + timeMs) * 1_000_000n;

it('takes the log to the instant of a click, and tells all others where the mouse is', async () => {
  const { area, selected, hovered } = show();
  point(area, 'pointerdown', 50_000);
  point(area, 'pointerup', 50_000);
  expect(selected).toEqual([toNs(50_000)]);
  point(area, 'pointermove', 20_000);
  await waitFor(() => expect(hovered.at(-1)).toBe(START_MS + 20_000));
  const tooltip = screen.getByTestId('joblens-gantt-tooltip').textContent;
  for (const part of ['load (a)', 'w-0', 'Duration20s', 'bytes12', 'key(x-1)']) expect(tooltip).toContain(part);
  fireEvent.pointerLeave(area);
  await waitFor(() => expect(screen.queryByTestId('joblens-gantt-tooltip')).toBeNull());
  expect(hovered.at(-1)).toBeUndefined();
});

it('tells what a finger tapped until it taps elsewhere', async () => {
  const { area, chart, selected } = show();
  const tap = (type: string): void => {
    const event = new MouseEvent(type, { bubbles: true, clientX: GUTTER_PX + 500, clientY: HEAD_PX + 10, button: 0 });
    fireEvent(area, Object.assign(event, { pointerType: 'touch', pointerId: 1 }));
  };
  for (const type of ['pointerdown', 'pointerup', 'pointerout']) tap(type);
  expect(selected).toEqual([toNs(50_000)]);
  await act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(screen.getByTestId('joblens-gantt-tooltip').textContent).toContain('train');
  fireEvent.blur(chart);
  await waitFor(() => expect(screen.queryByTestId('joblens-gantt-tooltip')).toBeNull());
});

it('shows the instant that is pointed at elsewhere', async () => {
  const { hub } = show();
  act(() => hub.publish({}, START_MS + 25_000));
  const cursor = await screen.findByTestId('joblens-gantt-cursor');
  expect(cursor.style.left).toBe(`${GUTTER_PX + 250}px`);
});

it('draws the time of the spans where they are a sliver of the range, until somebody zooms', async () => {
  const { hub, chart, onTimeRange } = show([createFrame([[1000, 1800, 'load (a)-1', 'w-0']])]);
  act(() => hub.publish({}, START_MS + 1400));
  const cursor = await screen.findByTestId('joblens-gantt-cursor');
  expect(cursor.style.left).toBe(`${GUTTER_PX + 500}px`);
  expect(onTimeRange).not.toHaveBeenCalled();
  fireEvent.keyDown(chart, { key: '+' });
  await waitFor(() => expect(onTimeRange).toHaveBeenCalled());
  const [{ from, to }] = onTimeRange.mock.lastCall as [{ from: number; to: number }];
  expect([from, to].map((end) => end > START_MS + 900 && end < START_MS + 1900)).toEqual([true, true]);
});

it('goes from bar to bar by arrow keys, and to the log by Enter', () => {
  const { chart, selected, hovered } = show();
  const press = (key: string): void => void fireEvent.keyDown(chart, { key });
  const spoken = (): string => screen.getByRole('status').textContent;
  press('ArrowRight');
  expect(spoken()).toContain('load (a)');
  press('ArrowRight');
  press('Enter');
  expect(selected).toEqual([toNs(40_000)]);
  press('ArrowDown');
  expect(spoken()).toContain('step-1');
  press('ArrowDown');
  expect(spoken()).toContain('send');
  press('ArrowUp');
  press('ArrowUp');
  press('ArrowLeft');
  press('ArrowLeft');
  expect(hovered.at(-1)).toBe(START_MS + 10_000);
  press('Escape');
  expect(spoken()).toBe('');
  expect(hovered.at(-1)).toBeUndefined();
});

it('zooms the dashboard by a drag, and by keys once they rest', async () => {
  const { area, chart, onTimeRange, selected } = show();
  point(area, 'pointerdown', 30_000);
  area.setPointerCapture = () => undefined;
  point(area, 'pointermove', 20_000);
  point(area, 'pointerup', 20_000);
  expect(onTimeRange).toHaveBeenCalledWith({ from: START_MS + 20_000, to: START_MS + 30_000 });
  expect(selected).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Reset zoom' }));
  expect(onTimeRange).toHaveBeenLastCalledWith({ from: START_MS, to: START_MS + LENGTH_MS });
  onTimeRange.mockClear();
  fireEvent.keyDown(chart, { key: '+' });
  fireEvent.keyDown(chart, { key: '+' });
  await waitFor(() => expect(onTimeRange).toHaveBeenCalled());
  expect(onTimeRange.mock.calls).toEqual([[{ from: START_MS + 37_500, to: START_MS + 62_500 }]]);
});

it('counts what a search finds, and goes over that alone', () => {
  const { chart } = show();
  fireEvent.change(screen.getByLabelText('Search names'), { target: { value: '/^s/' } });
  expect(screen.getByTestId('joblens-gantt-note').textContent).toBe('2 of 4 spans');
  fireEvent.keyDown(chart, { key: 'ArrowRight' });
  expect(screen.getByRole('status').textContent).toContain('step-1');
});

it('says what is missing of frames that are no spans, and nothing is to be drawn of empty ones', () => {
  const numbers = toDataFrame({ fields: [{ name: 'loss', type: FieldType.number, values: [1], config: {} }] });
  const empty = toDataFrame({ fields: [] });
  expect([gantt.open([SPANS]), gantt.open([numbers]), gantt.open([empty])].map(({ isEmpty }) => isEmpty)).toEqual([
    ...[false, false, true],
  ]);
  const ends = { from: dateTime(0), to: dateTime(1) };
  const props = { width: 800, height: 300, timeRange: { ...ends, raw: ends } } as unknown as ViewProps;
  render(gantt.open([numbers]).draw(props, {}));
  expect(screen.getByTestId('joblens-empty').textContent).toMatch(/No field is a time of start.*loss/);
});
