import {
  DataSelectEvent,
  dateTime,
  EventBusSrv,
  LoadingState,
  toDataFrame,
  type DataFrame,
  type PanelProps,
} from '@grafana/data';
import { config } from '@grafana/runtime';
import { act, configure, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';
import { JoblensPanel } from './JoblensPanel.js';
import type { ViewName } from '../registry/registry.js';
import { DEFAULT_OPTIONS, type PanelOptions } from './options.js';
import { createLogFrame, createTableFrame } from '../views/testing/frames.js';

// Elements may take long to appear on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// jsdom has no canvas: what is drawn is checked in a browser, here only what surrounds it.
jest.mock('../views/graph/components/Plot.js', () => ({ Plot: () => null }));

const WIDTH = 800;
const HEIGHT = 400;

beforeAll(() => {
  // The virtual list asks for sizes, which jsdom gives as 0.
  const define = (name: string, read: (element: HTMLElement) => number): void => {
    Object.defineProperty(HTMLElement.prototype, name, {
      configurable: true,
      get(this: HTMLElement) {
        return read(this);
      },
    });
  };
  define('clientHeight', () => HEIGHT);
  define('clientWidth', () => WIDTH);
  define('offsetHeight', (element) => (element.dataset['index'] === undefined ? HEIGHT : 18));
});

function createProps(series: DataFrame[], views: ViewName[], options: object = {}): PanelProps<PanelOptions> {
  const range = { from: dateTime(0), to: dateTime(100_000) };
  return {
    data: { series, state: LoadingState.Done, timeRange: { ...range, raw: range } },
    timeRange: { ...range, raw: range },
    timeZone: 'utc',
    options: { ...DEFAULT_OPTIONS, ...options, views },
    title: 'Numbers',
    width: WIDTH,
    height: HEIGHT,
    eventBus: new EventBusSrv(),
    onOptionsChange: jest.fn(),
    onFieldConfigChange: jest.fn(),
    onChangeTimeRange: jest.fn(),
    replaceVariables: (text: string) => text.replace('$x', 'step'),
  } as unknown as PanelProps<PanelOptions>;
}

const TRAIN = createTableFrame({
  rows: [
    { step: 10, epoch: 1, loss: 3, acc: 0.1 },
    { step: 20, epoch: 1, loss: 2, acc: 0.2 },
    { step: 30, epoch: 2, loss: 1, acc: 0.3 },
  ],
});

function readDisabledNames(): string[] {
  // What only counts on, as the step does, is folded.
  const items = ['loss', 'acc'].map((name) => screen.getByTestId(`data-testid VizLegend series ${name}`));
  const names = items.map((item) => within(item).getByRole('button'));
  return names.filter((name) => name.getAttribute('aria-pressed') === 'false').map((name) => name.textContent);
}

function clickName(name: string, keys: { ctrlKey?: boolean; metaKey?: boolean; shiftKey?: boolean } = {}): void {
  fireEvent.click(screen.getByText(name), keys);
}

describe('legend', () => {
  it('shows one line on a click, all on the next, and never writes options', () => {
    const props = createProps([TRAIN], ['graph']);
    render(<JoblensPanel {...props} />);
    expect(screen.getByRole('region', { name: 'Graph of step, loss, acc against epoch' })).toBeTruthy();
    clickName('loss');
    expect(readDisabledNames()).toEqual(['acc']);
    clickName('loss');
    expect(readDisabledNames()).toEqual([]);
    expect(props.onOptionsChange).not.toHaveBeenCalled();
    expect(props.onFieldConfigChange).not.toHaveBeenCalled();
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }])('turns one line on and off with %p', (keys) => {
    render(<JoblensPanel {...createProps([TRAIN], ['graph'])} />);
    clickName('loss', keys);
    expect(readDisabledNames()).toEqual(['loss']);
    clickName('acc', keys);
    expect(readDisabledNames()).toEqual(['loss', 'acc']);
    clickName('loss', keys);
    expect(readDisabledNames()).toEqual(['acc']);
  });

  it('shows the lines of one of many tasks on a click, and turns them on and off together', () => {
    const tasks = Array.from({ length: 12 }, (_, task) => String(task));
    const tables = tasks.map((task) =>
      createTableFrame({ task, rows: [1, 2, 3].map((step) => ({ step, loss: 4 - step, rate: 1000 / step })) })
    );
    render(<JoblensPanel {...createProps(tables, ['graph'])} />);
    const readShown = (): string[] =>
      tasks.filter((task) => screen.getByText(`task ${task}`).getAttribute('aria-pressed') === 'true');
    expect(readShown()).toEqual(tasks);
    clickName('task 3');
    expect(readShown()).toEqual(['3']);
    clickName('task 5', { ctrlKey: true });
    expect(readShown()).toEqual(['3', '5']);
    clickName('task 3', { ctrlKey: true });
    expect(readShown()).toEqual(['5']);
    clickName('task 5');
    expect(readShown()).toEqual(tasks);
  });

  it('keeps the choice when new rows come and forgets it with another job', () => {
    const props = createProps([TRAIN], ['graph']);
    const { rerender } = render(<JoblensPanel {...props} />);
    clickName('loss');
    const more = createTableFrame({ rows: [3, 4].map((epoch) => ({ step: 40, epoch, loss: 0.5, acc: 0.4 })) });
    rerender(<JoblensPanel {...props} data={{ ...props.data, series: [more] }} />);
    expect(readDisabledNames()).toEqual(['acc']);
    const other = createTableFrame({ job: '8', rows: [1, 2].map((epoch) => ({ step: 1, epoch, loss: 1, acc: 1 })) });
    rerender(<JoblensPanel {...props} data={{ ...props.data, series: [other] }} />);
    expect(readDisabledNames()).toEqual([]);
  });
});

describe('X picker', () => {
  it('shows the automatic choice with its reason and changes it', async () => {
    const user = userEvent.setup();
    render(<JoblensPanel {...createProps([TRAIN], ['graph'])} />);
    const picker = screen.getByTestId('joblens-x-picker');
    expect(picker.title).toMatch(/^X: epoch — a column named epoch .*\nOther candidates: step, acc, loss$/);
    await user.click(within(picker).getByRole('combobox'));
    const names = (await screen.findAllByRole('option')).map((option) => option.textContent);
    expect(names.map((name) => name.replace(/(?<=Automatic|Time|Relative time|epoch|step|loss|acc).*/, ''))).toEqual([
      'Automatic',
      'Time',
      'Relative time',
      'epoch',
      'step',
      'acc',
      'loss',
    ]);
    await user.click(screen.getByText('Time'));
    expect(screen.getByTestId('joblens-graph').dataset['x']).toBe('time');
    expect(screen.getByTestId('joblens-x-picker').dataset['x']).toBe('time');
  });

  it('starts with the X of the options', () => {
    render(<JoblensPanel {...createProps([TRAIN], ['graph'], { x: 'step' })} />);
    expect(screen.getByTestId('joblens-x-picker').dataset['x']).toBe('step');
  });
});

function readTable(): string[][] {
  return screen.getAllByTestId('joblens-table-row').map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent)
  );
}

describe('table', () => {
  it('has the newest row first, nulls in their rows, and turns round on a click', async () => {
    const frame = createTableFrame({
      rows: [
        { b: 1, a: 'x' },
        { b: null, a: 'y' },
        { b: 3, a: null },
      ],
    });
    render(<JoblensPanel {...createProps([frame], ['table'])} />);
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['time', 'b', 'a']);
    const newest = [
      ['1970-01-01 00:00:02.000', '3', ''],
      ['1970-01-01 00:00:01.000', '', 'y'],
      ['1970-01-01 00:00:00.000', '1', 'x'],
    ];
    expect(readTable()).toEqual(newest);
    await userEvent.click(screen.getByTestId('joblens-table-order'));
    expect(readTable()).toEqual([...newest].reverse());
  });

  it('keeps only the rows in sight in the document, and the height of all', () => {
    const frame = createTableFrame({ rows: Array.from({ length: 5000 }, (_, n) => ({ n })) });
    render(<JoblensPanel {...createProps([frame], ['table'], { pageSize: 5000 })} />);
    const region = screen.getByRole('region', { name: 'Rows' });
    const readRows = (): string[] => readTable().map((cells) => cells[1] ?? '');
    expect(readRows()[0]).toBe('4999');
    expect(readRows().length).toBeLessThan(60);
    fireEvent.scroll(region, { target: { scrollTop: 26 * 2500 } });
    expect(readRows()).toContain('2499');
    expect(readRows().length).toBeLessThan(60);
    const spacers = [...region.querySelectorAll('tbody tr[aria-hidden] td')] as HTMLElement[];
    const spacedPx = spacers.reduce((sum, cell) => sum + Number.parseInt(cell.style.height, 10), 0);
    expect(spacedPx + 26 * readRows().length).toBe(26 * 5000);
    expect(screen.getAllByTestId('joblens-table-row')[0]?.getAttribute('aria-rowindex')).toBe(
      String(5000 - Number(readRows()[0]) + 1)
    );
  });

  it('goes through the pages and offers every table', async () => {
    const many = createTableFrame({ rows: Array.from({ length: 25 }, (_, n) => ({ n })) });
    const few = createTableFrame({ rows: [{ other: 1 }] });
    render(<JoblensPanel {...createProps([few, many], ['table'], { pageSize: 10 })} />);
    expect(readTable()[0]?.[1]).toBe('24');
    expect(screen.getByText('1–10 of 25 rows')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Last page' }));
    expect(readTable().map((cells) => cells[1])).toEqual(['4', '3', '2', '1', '0']);
    await userEvent.click(screen.getByRole('tab', { name: 'other' }));
    expect(readTable().map((cells) => cells[1])).toEqual(['1']);
  });

  it('has a tab for each table, which the arrow keys reach', async () => {
    const frames = ['a', 'b', 'c'].map((key, n) => createTableFrame({ rows: [{ [key]: n }] }));
    render(<JoblensPanel {...createProps(frames, ['table'])} />);
    const tabs = within(screen.getByRole('tablist', { name: 'Table to show' })).getAllByRole('tab');
    expect(tabs.map((tab) => tab.title)).toEqual(['a: 1 row', 'b: 1 row', 'c: 1 row']);
    act(() => tabs[0]?.focus());
    await userEvent.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(tabs[2]);
    expect(tabs.map((tab) => tab.getAttribute('aria-selected'))).toEqual(['false', 'false', 'true']);
    expect(readTable().map((cells) => cells[1])).toEqual(['2']);
  });

  it('offers many tables as a list', async () => {
    const frames = Array.from({ length: 13 }, (_, n) => createTableFrame({ rows: [{ [`table${n}`]: n }] }));
    render(<JoblensPanel {...createProps(frames, ['table'])} />);
    expect(screen.queryAllByRole('tab')).toEqual([]);
    await userEvent.click(within(screen.getByTestId('joblens-table-chooser')).getByRole('combobox'));
    await userEvent.click(await screen.findByText('table7'));
    expect(readTable().map((cells) => cells[1])).toEqual(['7']);
  });

  it('takes the log to the exact time of a row on a click', async () => {
    const props = createProps([createTableFrame({ rows: [{ a: 1 }], timesNs: [1_500_000_123n] })], ['table']);
    const selected: unknown[] = [];
    props.eventBus.getStream(DataSelectEvent).subscribe(({ payload }) => selected.push(payload.point));
    render(<JoblensPanel {...props} />);
    await userEvent.click(screen.getAllByTestId('joblens-table-row')[0] as HTMLElement);
    expect(selected).toEqual([{ time: 1500, timeNs: '1500000123' }]);
  });
});

describe('log', () => {
  const lines = (): string[] =>
    screen.getAllByTestId('joblens-log-line').map((line) => line.lastElementChild?.textContent ?? '');

  it('shows standard output by default and the other stream when asked', async () => {
    const frame = createLogFrame([{ text: '\u001b[01;31mout\u001b[0m' }, { text: 'err', stream: 'stderr' }]);
    render(<JoblensPanel {...createProps([frame], ['log'])} />);
    expect(lines()).toEqual(['out']);
    expect(screen.getByText('out').style.fontWeight).toBe('700');
    await userEvent.click(within(screen.getByTestId('joblens-log-stream')).getByLabelText('both'));
    expect(lines()).toEqual(['out', 'err']);
  });

  it('turns the order round', async () => {
    render(<JoblensPanel {...createProps([createLogFrame([{ text: 'a' }, { text: 'b' }])], ['log'])} />);
    expect(lines()).toEqual(['a', 'b']);
    await userEvent.click(screen.getByTestId('joblens-log-order'));
    expect(lines()).toEqual(['b', 'a']);
  });

  it('rewrites a live line in its place', () => {
    const props = createProps([createLogFrame([{ text: ' 10%' }, { text: 'next' }])], ['log']);
    const { rerender } = render(<JoblensPanel {...props} />);
    const [before] = screen.getAllByTestId('joblens-log-line');
    const series = [createLogFrame([{ text: ' 90%' }, { text: 'next' }])];
    rerender(<JoblensPanel {...props} data={{ ...props.data, series }} />);
    expect(screen.getAllByTestId('joblens-log-line')[0]).toBe(before);
    expect(lines()).toEqual([' 90%', 'next']);
  });

  it('marks the line at the instant that another panel shows', () => {
    const props = createProps([createLogFrame([{ text: 'a' }, { text: 'b' }])], ['log']);
    render(<JoblensPanel {...props} />);
    const [first, second] = screen.getAllByTestId('joblens-log-line');
    expect(first?.className).toBe(second?.className);
    act(() => {
      props.eventBus.publish({ type: 'data-hover', payload: { point: { time: 1200 } } } as never);
    });
    expect(second?.className).not.toBe(first?.className);
  });

  it('says what it leaves out', () => {
    render(<JoblensPanel {...createProps([createLogFrame([{ text: 'a' }], { isLimited: true })], ['log'])} />);
    expect(screen.getByTestId('joblens-log-limit').textContent).toBe('The newest 1 lines; older ones are not shown');
  });
});

describe('views', () => {
  it.each<[ViewName, string]>([
    ['graph', 'No metadata in this time range'],
    ['table', 'No metadata in this time range'],
    ['log', 'No log lines in this time range'],
  ])('an empty %s says why', (view, title) => {
    render(<JoblensPanel {...createProps([], [view])} />);
    expect(screen.getByRole('status').textContent).toContain(title);
  });

  it.each(['graph', 'table', 'log', 'job', 'jobs'] as const)(
    'says of another data source in the view %s what the answer lacks, and nothing of jobs',
    (view) => {
      const frame = toDataFrame({ name: 'cpu (host="a-1.(b)")', fields: [] });
      const props = createProps([frame], [view]);
      const request = { targets: [{ refId: 'A', datasource: { type: 'influxdb', uid: 'x' } }] };
      render(<JoblensPanel {...props} data={{ ...props.data, request } as never} />);
      const text = screen.getByRole('status').textContent;
      expect(text).toMatch(/^Nothing for the view .* in this answerIt draws .*; the answer has none[.]$/);
      expect(text).not.toMatch(/printed|opt|known/);
    }
  );

  it('tells a wrong query from an empty answer', () => {
    const props = createProps([], ['log']);
    const request = { targets: [{ refId: 'A', queryType: 'metadata' }] };
    render(<JoblensPanel {...props} data={{ ...props.data, request } as never} />);
    expect(screen.getByRole('status').textContent).toContain('No query for logs');
  });

  it('says that text alone cannot be drawn', () => {
    render(<JoblensPanel {...createProps([createTableFrame({ rows: [{ a: 'x' }] })], ['graph'])} />);
    const { textContent } = screen.getByRole('status');
    expect(textContent).toBe(
      'No numbers to draw' + 'The row that was read has no finite number. The table view shows what is there.'
    );
  });

  it('opens the first tab that has something and moves by arrow keys', async () => {
    render(<JoblensPanel {...createProps([createLogFrame([{ text: 'a' }])], ['graph', 'table', 'log'])} />);
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Log');
    screen.getByRole('tab', { selected: true }).focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Graph');
    expect(screen.getByTestId('joblens-empty')).toBeTruthy();
  });

  it('keeps what the viewer chose behind a tab, until the options or the job change', async () => {
    const props = createProps([TRAIN, createLogFrame([{ text: 'a' }])], ['graph', 'log'], {
      x: 'step',
      layout: 'tabs',
    });
    const { rerender } = render(<JoblensPanel {...props} />);
    const readX = (): string | undefined => screen.getByTestId('joblens-x-picker').dataset['x'];
    await userEvent.click(within(screen.getByTestId('joblens-x-picker')).getByRole('combobox'));
    await userEvent.click(await screen.findByText('Time'));
    clickName('loss');
    await userEvent.click(screen.getByRole('tab', { name: 'Log' }));
    await userEvent.click(screen.getByRole('tab', { name: 'Graph' }));
    expect(readX()).toBe('time');
    clickName('loss');
    expect(readX()).toBe('time');
    rerender(<JoblensPanel {...props} options={{ ...props.options, x: 'acc' } as PanelOptions} />);
    expect(readX()).toBe('acc');
    rerender(<JoblensPanel {...props} />);
    expect(readX()).toBe('step');
  });

  it('stacks the views where the panel is high', () => {
    const props = createProps([TRAIN, createLogFrame([{ text: 'a' }])], ['graph', 'table', 'log']);
    render(<JoblensPanel {...props} height={900} />);
    for (const id of ['joblens-graph', 'joblens-table', 'joblens-log']) expect(screen.getByTestId(id)).toBeTruthy();
  });

  it('shows the views side by side where the panel is wide, and the options ask for it', () => {
    const props = createProps([TRAIN, createLogFrame([{ text: 'a' }])], ['graph', 'log'], { layout: 'columns' });
    const { rerender } = render(<JoblensPanel {...props} />);
    const readSize = (name: string): string[] => {
      const { width, height } = screen.getByRole('group', { name }).style;
      return [width, height];
    };
    expect(readSize('Graph')).toEqual(['396px', '400px']);
    expect(readSize('Log')).toEqual(['396px', '400px']);
    expect(within(screen.getByRole('group', { name: 'Log' })).getByTestId('joblens-log')).toBeTruthy();
    rerender(<JoblensPanel {...props} width={375} height={900} />);
    expect(readSize('Log')[0]).toBe('375px');
    expect(screen.getByTestId('joblens-graph')).toBeTruthy();
  });
});

describe('the header that Grafana lays over a panel without a title', () => {
  const { version } = config.buildInfo;
  afterEach(() => {
    config.buildInfo.version = version;
    delete (config.featureToggles as Record<string, unknown>)['newPanelChromeUI'];
  });

  it.each([
    ['9.5.21', '', false, HEIGHT - 24],
    ['9.5.21', 'Numbers', false, HEIGHT],
    ['9.5.21', '', true, HEIGHT],
    ['10.4.1', '', false, HEIGHT],
    ['13.2.2', '', false, HEIGHT],
  ])('covers nothing in %s with the title %j (new header: %s)', (grafana, title, isNew, heightPx) => {
    config.buildInfo.version = grafana;
    if (isNew) Object.assign(config.featureToggles, { newPanelChromeUI: true });
    const props = {
      ...createProps([TRAIN, createLogFrame([{ text: 'a' }])], ['graph', 'log'], { layout: 'tabs' }),
      title,
    };
    render(<JoblensPanel {...props} />);
    const panel = screen.getByTestId('joblens-panel');
    expect((panel.firstElementChild as HTMLElement).style.height).toBe(`${heightPx}px`);
    expect(Number.parseInt(panel.style.paddingTop, 10)).toBe(HEIGHT - heightPx);
  });
});
