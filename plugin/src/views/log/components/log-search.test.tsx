import { EventBusSrv } from '@grafana/data';
import { act, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { LogSlice } from '../../../query-types/logs/logs.js';
import { createHoverHub } from '../../parts/hover.js';
import {
  createAsk,
  createLines,
  createLogView,
  defineSizes,
  HEIGHT,
  LINES,
  NS,
  texts,
} from '../../testing/log-panel.js';

configure({ asyncUtilTimeout: 30_000 });

beforeEach(defineSizes);

const field = (): HTMLElement => screen.getByPlaceholderText('Search the whole log');
const current = (): string | null | undefined =>
  document.querySelector('[data-current]')?.lastElementChild?.textContent;
const scrollTop = (): number => screen.getByRole('log').scrollTop;
const matches = (): string | null => screen.getByTestId('joblens-log-matches').textContent;

/** Finds the text where it is in one go, as if somebody types fast. */
async function search(text: string): Promise<void> {
  if (screen.queryByTestId('joblens-log-search') === null)
    await userEvent.click(screen.getByLabelText('Search the log'));
  fireEvent.change(field(), { target: { value: text } });
}

async function expectMatch(line: string, rank: string): Promise<void> {
  await waitFor(() => expect([current(), matches()]).toEqual([line, rank]));
}

/** Opens 5,000 lines, and goes to one of them. */
async function showAt(line: number, props: Parameters<typeof createLogView>[1] = {}): Promise<LogSlice[]> {
  const asked: LogSlice[] = [];
  const hub = createHoverHub(new EventBusSrv());
  render(createLogView(LINES, { hub, ask: createAsk(LINES, asked), ...props }));
  act(() => hub.select({}, BigInt(line + 1) * NS));
  await screen.findByText(new RegExp(`(line|mark) ${line}$`));
  return asked;
}

it('takes a match in sight without scrolling', async () => {
  await showAt(2495);
  const before = scrollTop();
  await search('mark 25');
  await expectMatch('mark 2500', '1 of 1');
  expect(scrollTop()).toBe(before);
});

it('goes to the next match out of sight, and from the same place for each text', async () => {
  await showAt(2450);
  await search('mark');
  await expectMatch('mark 2500', '26 of 50');
  await search('mark 3');
  await expectMatch('mark 3000', '2 of 11');
  await search('mark 26');
  await expectMatch('mark 2600', '1 of 1');
  await search('mark 1');
  await expectMatch('mark 100', '1 of 11');
  await search('mark');
  await expectMatch('mark 2500', '26 of 50');
});

it('goes on from the current match with Enter, and from there for the next text', async () => {
  await showAt(2450);
  await search('mark');
  await expectMatch('mark 2500', '26 of 50');
  await userEvent.type(field(), '{Enter}{Enter}');
  await expectMatch('mark 2700', '28 of 50');
  await userEvent.type(field(), '{Shift>}{Enter}{/Shift}');
  await expectMatch('mark 2600', '27 of 50');
  await search('mark 2');
  await expectMatch('mark 2600', '8 of 11');
});

it('goes upwards where the newest line is first', async () => {
  await showAt(2450, { order: 'desc' });
  await search('mark');
  await expectMatch('mark 2400', '25 of 50');
});

it('begins with the last match where the end is followed, and follows no more', async () => {
  render(createLogView(LINES, { follow: true }));
  await screen.findByText('line 4999');
  await search('mark');
  await expectMatch('mark 4900', '50 of 50');
  expect(screen.getByRole('log').dataset['following']).toBe('false');
  await search('mark 1');
  await expectMatch('mark 1900', '11 of 11');
  await search('line 49');
  await expectMatch('line 4999', '110 of 110');
});

it('begins where the viewer has gone to since the text before', async () => {
  await showAt(2450);
  await search('mark');
  await expectMatch('mark 2500', '26 of 50');
  screen.getByRole('log').scrollTo({ top: scrollTop() + 3 * HEIGHT });
  await waitFor(() => expect(texts()).not.toContain('mark 2500'));
  await search('line');
  await waitFor(() => expect(Number(current()?.slice(5))).toBeGreaterThan(2520));
});

it('searches anew when case begins to matter', async () => {
  render(createLogView([...createLines(300), { text: 'MARK', timeNs: 900n * NS }]));
  await screen.findByText('line 1');
  await search('MARK');
  await expectMatch('mark 0', '1 of 4');
  await userEvent.click(screen.getByLabelText('Match case'));
  await expectMatch('MARK', '1 of 1');
  await waitFor(() => expect(texts()).toContain('MARK'));
});

it('moves for a text only: neither for lines that come in later, nor among matches alone', async () => {
  const lines = createLines(300);
  const { rerender } = render(createLogView(lines));
  await screen.findByText('line 1');
  await search('late');
  await waitFor(() => expect(matches()).toBe('No match'));
  // The search has rested once it could move.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const later = [
    ...lines,
    ...Array.from({ length: 9 }, (_, n) => ({ text: `late ${n}`, timeNs: BigInt(900 + n) * NS })),
  ];
  rerender(createLogView(later));
  await waitFor(() => expect(matches()).toBe('9 matches'));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(current()).toBeUndefined();
  await userEvent.click(screen.getByLabelText('Show only lines that match'));
  await waitFor(() => expect(texts()).toHaveLength(9));
  await search('late 5');
  await waitFor(() => expect(texts()).toEqual(['late 5']));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(matches()).toBe('1 match');
  await userEvent.click(screen.getByLabelText('Show only lines that match'));
  await waitFor(() => expect(texts().length).toBeGreaterThan(9));
  expect(current()).toBeUndefined();
});

it('forgets where it was once the text is cleared', async () => {
  const asked = await showAt(2450);
  await search('mark');
  await expectMatch('mark 2500', '26 of 50');
  await search('');
  expect(current()).toBeUndefined();
  expect(matches()).toBe('');
  await search('line 24');
  await expectMatch('line 2490', '101 of 110');
  // The total that has just been counted is not counted again for the rank.
  const counted = asked.filter(({ want, patterns }) => want === 'count' && patterns?.[0] === '(?i)line 24');
  expect(counted.filter(({ beforeNs }) => beforeNs === undefined)).toHaveLength(1);
});
