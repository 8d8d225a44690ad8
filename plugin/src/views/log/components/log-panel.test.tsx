import { EventBusSrv } from '@grafana/data';
import { act, configure, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { throwError } from 'rxjs';
import type { LogSlice } from '../../../query-types/logs/logs.js';
import { createHoverHub, type HoverHub } from '../../parts/hover.js';
import { saveFile } from '../../parts/save-file.js';
import {
  createAsk,
  createLines,
  createLogView,
  defineSizes,
  delayScrollEvents,
  HEIGHT,
  LINES,
  NS,
  note,
  texts,
} from '../../testing/log-panel.js';
import type { Ask } from '../../view.js';

jest.mock('../../parts/save-file.js', () => ({ saveFile: jest.fn() }));

configure({ asyncUtilTimeout: 30_000 });

beforeEach(defineSizes);

function show(lines = LINES, follow = false): { hub: HoverHub; asked: LogSlice[] } {
  const asked: LogSlice[] = [];
  const hub = createHoverHub(new EventBusSrv());
  render(createLogView(lines, { hub, follow, ask: createAsk(lines, asked) }));
  return { hub, asked };
}

it('loads older lines near the edge, and says exactly where in the log it is', async () => {
  show();
  await screen.findByText('mark 4000');
  expect(texts().length).toBeLessThan(100);
  await screen.findByText(/of 5,000 lines/);
  expect(note()).toMatch(/^[123],001–5,000 of 5,000 lines$/);
  // What one reads stays where it is.
  expect(texts()).toContain('mark 4000');
});

it('goes to the first line, to the end, and to what another view selects', async () => {
  const { hub } = show();
  await userEvent.click(screen.getByTestId('joblens-log-first'));
  await screen.findByText('mark 0');
  act(() => hub.select({}, 2500n * NS));
  await screen.findByText('line 2499');
  await userEvent.click(screen.getByTestId('joblens-log-end'));
  await screen.findByText('line 4999');
});

it('searches the whole log: counts, goes on beyond the loaded lines, and shows matches alone', async () => {
  const { asked } = show();
  await userEvent.click(screen.getByLabelText('Search the log'));
  await userEvent.type(screen.getByPlaceholderText('Search the whole log'), 'MARK 1');
  // No match is below the loaded lines, so the search begins anew at the beginning.
  await screen.findByText('1 of 11');
  await waitFor(() => expect(texts()).toContain('mark 100'));
  await userEvent.keyboard('{Enter}');
  await screen.findByText('2 of 11');
  await waitFor(() => expect(texts()).toContain('mark 1000'));
  expect(asked.some(({ want, patterns }) => want === 'asc' && patterns?.[0] === '(?i)MARK 1')).toBe(true);
  await userEvent.clear(screen.getByPlaceholderText('Search the whole log'));
  await userEvent.type(screen.getByPlaceholderText('Search the whole log'), 'mark 42');
  await userEvent.click(screen.getByLabelText('Show only lines that match'));
  await screen.findByText('1 match');
  await waitFor(() => expect(texts()).toEqual(['mark 4200']));
  expect(screen.getByTestId('joblens-log-line').querySelector('mark')?.textContent).toBe('mark 42');
});

it('says what is wrong with an expression', async () => {
  show();
  await userEvent.click(screen.getByLabelText('Search the log'));
  await userEvent.click(screen.getByLabelText('Regular expression'));
  await userEvent.type(screen.getByPlaceholderText('Search the whole log'), '(a');
  expect(screen.getByTestId('joblens-log-matches').textContent).not.toBe('');
});

const TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "train.py", line 8, in <module>',
  '    train()',
  'RuntimeError: out of memory',
];

it('opens a failed job where its traceback is, also in stderr, with no other query', async () => {
  const traceback = TRACEBACK.map((text, n) => ({ text, timeNs: BigInt(6001 + n) * NS, stream: 'stderr' as const }));
  const { asked } = show([...createLines(6000), ...traceback], true);
  await screen.findByText('RuntimeError: out of memory');
  expect(texts().slice(-3)).toEqual(['line 5999', TRACEBACK[0], TRACEBACK[3]]);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'both' }).checked).toBe(true);
  await screen.findByText('5,005–6,004 of 6,004 lines');
  expect(new Set(asked.map(({ want }) => want))).toEqual(new Set(['count']));
});

it('counts again when the store could not', async () => {
  const asked: LogSlice[] = [];
  const answer = createAsk(LINES, asked);
  const fail: Ask = (changes) => {
    const { slice } = changes.query as { slice?: LogSlice };
    const isFirst = slice?.want === 'count' && !asked.some(({ want }) => want === 'count');
    const frames = answer(changes);
    return isFirst ? throwError(() => new Error('busy')) : frames;
  };
  render(createLogView(LINES, { ask: fail, follow: true }));
  await screen.findByText('4,001–5,000 of 5,000 lines');
});

it('shows the lines of a level, from the whole log', async () => {
  const lines = createLines(5000).map((line, n) => (n % 1000 === 7 ? { ...line, text: `ERROR ${n}` } : line));
  show(lines);
  await userEvent.selectOptions(screen.getByLabelText('Levels'), 'error');
  await waitFor(() => expect(texts()).toEqual(['ERROR 7', 'ERROR 1007', 'ERROR 2007', 'ERROR 3007', 'ERROR 4007']));
  await userEvent.selectOptions(screen.getByLabelText('Levels'), 'all');
  await waitFor(() => expect(texts().length).toBeGreaterThan(5));
});

it('shows with the errors where their stack traces pass', async () => {
  const trace = ['Traceback (most recent call last):', '  File "a.py", line 3, in f', '    g()', 'ValueError: bad'];
  const lines = createLines(5000).map((line, n) => ({
    ...line,
    text: n < 4000 ? line.text : (trace[n - 4000] ?? 'x'),
  }));
  show(lines);
  await userEvent.selectOptions(screen.getByLabelText('Levels'), 'error');
  await waitFor(() => expect(texts()).toEqual([trace[0], trace[1], trace[3]]));
});

it('shows matches alone, and all lines again', async () => {
  show();
  await userEvent.click(screen.getByLabelText('Search the log'));
  await userEvent.type(screen.getByPlaceholderText('Search the whole log'), 'mark 47');
  await userEvent.click(screen.getByLabelText('Show only lines that match'));
  await waitFor(() => expect(texts()).toEqual(['mark 4700']));
  await userEvent.click(screen.getByLabelText('Show only lines that match'));
  await waitFor(() => expect(texts().length).toBeGreaterThan(5));
});

function readBlob(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error('not readable'));
    reader.readAsText(blob);
  });
}

it.each([
  ['The whole log, plain', '7.log', (line: string) => line],
  ['The whole log, with colours', '7.ansi.log', (line: string) => `\u001b[31m${line}\u001b[0m`],
])('downloads: %s', async (item, name, colour) => {
  const save = jest.mocked(saveFile);
  save.mockClear();
  // More lines than one page of a download has.
  const lines = createLines(12_000).map((line) => ({ ...line, text: `\u001b[31m${line.text}\u001b[0m` }));
  show(lines);
  await userEvent.click(screen.getByTestId('joblens-log-download'));
  await userEvent.click(await screen.findByText(item));
  await waitFor(() => expect(save).toHaveBeenCalledTimes(1));
  const [savedName, blob] = save.mock.calls[0] ?? [];
  expect(savedName).toBe(name);
  const expected = createLines(12_000).map(({ text }) => `${colour(text)}\n`);
  expect(await readBlob(blob as Blob)).toBe(expected.join(''));
});

it('keeps in sight what somebody went to, though older lines come before the event of its scroll', async () => {
  delayScrollEvents(400);
  const { hub, asked } = show();
  await userEvent.click(screen.getByTestId('joblens-log-first'));
  await screen.findByText('mark 0');
  act(() => hub.select({}, 2501n * NS));
  await screen.findByText('mark 2500');
  // The new lines are shown where the old ones were scrolled to, at first: near their beginning.
  await waitFor(() => expect(asked.filter(({ want }) => want === 'desc').length).toBeGreaterThan(1));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const place = screen.getByText('mark 2500').closest<HTMLElement>('[data-index]')?.style.transform ?? '';
  const offset = Number(/translateY\((.*)px\)/.exec(place)?.[1]) - screen.getByRole('log').scrollTop;
  expect(offset).toBeGreaterThanOrEqual(0);
  expect(offset).toBeLessThan(HEIGHT);
});
