import { configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  createAsk,
  createLines,
  createLogView,
  defineSizes,
  type Line,
  LINES,
  NS,
  texts,
} from '../../testing/log-panel.js';
import { readLinkedTime, setLinkedTime } from '../model/log-link.js';

configure({ asyncUtilTimeout: 30_000 });

beforeAll(defineSizes);

// A line that somebody went to is in the address.
afterEach(() => setLinkedTime(undefined));

const error = (text: string, at: number): Line => ({ text, timeNs: BigInt(at) * NS, stream: 'stderr' });

it('shows matches with the lines around them, from the whole log', async () => {
  render(createLogView(LINES));
  await userEvent.click(screen.getByLabelText('Search the log'));
  await userEvent.type(screen.getByPlaceholderText('Search the whole log'), 'mark 1');
  await userEvent.click(screen.getByLabelText('Show only lines that match'));
  await userEvent.selectOptions(screen.getByLabelText('Lines around each match'), '2');
  const around = (at: number): string[] =>
    [at - 2, at - 1, at, at + 1, at + 2].map((n) => (n === at ? `mark ${n}` : `line ${n}`));
  const expected = [100, ...Array.from({ length: 10 }, (_, n) => 1000 + n * 100)].flatMap(around);
  // Where the list stands depends on which matches were found first.
  await waitFor(() => {
    const start = expected.indexOf(texts()[0] ?? '');
    expect(texts().length).toBeGreaterThan(30);
    expect(texts()).toEqual(expected.slice(start, start + texts().length));
  });
  // A line around a match has a link of its own, as each line of the log.
  expect(screen.getAllByTitle(/put this line into the address/)).toHaveLength(texts().length);
  const [first] = screen.getAllByTestId('joblens-log-line');
  const [place] = /\d+$/.exec(texts()[0] ?? '') ?? [];
  await userEvent.click(within(first ?? document.body).getByTitle(/put this line into the address/));
  expect(readLinkedTime()).toBe((BigInt(place ?? -1) + 1n) * NS);
});

describe('streams', () => {
  it('offers the streams of the store, even if all loaded lines are of one', async () => {
    render(createLogView([error('warm up', 0), ...createLines(3000)]));
    await userEvent.click(await screen.findByRole('radio', { name: 'stderr' }));
    await waitFor(() => expect(texts()).toEqual(['warm up']));
  });

  it('shows the loaded stream first', async () => {
    const lines = [...createLines(10), ...Array.from({ length: 1500 }, (_, n) => error(`e ${n}`, 100 + n))];
    render(createLogView(lines, { follow: true }));
    await screen.findByText('e 1499');
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'both' })).checked).toBe(true);
    expect(texts()).toContain('e 1499');
  });

  it('offers no choice where there is one stream', async () => {
    render(createLogView(LINES));
    await screen.findByText(/of 5,000 lines/);
    expect(screen.queryByTestId('joblens-log-stream')).toBeNull();
  });
});

describe('the end of the job', () => {
  it('offers no way to the end of a log that is wholly in sight', async () => {
    const all = createLines(4);
    render(createLogView(all, { follow: true, ask: createAsk(all, [], 'COMPLETED') }));
    await screen.findByText('line 3');
    await waitFor(() => expect(screen.getByRole('log').dataset['following']).toBe('false'));
    await userEvent.click(screen.getByTestId('joblens-log-first'));
    expect(screen.queryByTestId('joblens-log-follow')).toBeNull();
  });

  const lines = [...createLines(1000), error('ValueError: bad shape', 1000), ...createLines(3000).slice(1000)];

  it('stops following, says so, and leads to the error of a job that fails', async () => {
    const { rerender } = render(createLogView(lines, { follow: true, ask: createAsk(lines, [], 'RUNNING') }));
    await screen.findByText('line 2999');
    expect(screen.getByRole('log').dataset['following']).toBe('true');
    expect(screen.queryByTestId('joblens-log-end-notice')).toBeNull();
    rerender(createLogView(lines, { follow: true, ask: createAsk(lines, [], 'FAILED') }));
    const notice = await screen.findByTestId('joblens-log-end-notice');
    expect(notice.textContent).toContain('The job has failed, so the log is no longer followed.');
    expect(screen.getByRole('log').dataset['following']).toBe('false');
    expect(texts()).toContain('line 2999');
    await userEvent.click(screen.getByText('Go to the error'));
    await screen.findByText('ValueError: bad shape');
    await userEvent.click(screen.getByLabelText('Close the notice'));
    expect(screen.queryByTestId('joblens-log-end-notice')).toBeNull();
  });

  it('says nothing about a job that had ended before', async () => {
    render(createLogView(lines, { follow: true, ask: createAsk(lines, [], 'COMPLETED') }));
    await waitFor(() => expect(screen.getByRole('log').dataset['following']).toBe('false'));
    expect(screen.queryByTestId('joblens-log-end-notice')).toBeNull();
  });
});

describe('keys', () => {
  const selected = (): string[] =>
    screen
      .getAllByTestId('joblens-log-line')
      .filter((line) => line.dataset['selected'] === 'true')
      .map((line) => line.lastElementChild?.textContent ?? '');

  it('selects lines with the arrows, copies them, and says them', async () => {
    const user = userEvent.setup();
    render(createLogView(createLines(50)));
    screen.getByRole('log').focus();
    await user.keyboard('{ArrowDown}');
    expect(selected()).toEqual(['mark 0']);
    await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    expect(selected()).toEqual(['line 1', 'line 2', 'line 3']);
    expect(screen.getByTestId('joblens-log-spoken').textContent).toBe('line 3; 3 lines selected');
    const setData = jest.fn();
    fireEvent.copy(screen.getByRole('log'), { clipboardData: { setData } });
    expect(setData).toHaveBeenCalledWith('text/plain', 'line 1\nline 2\nline 3');
    await user.keyboard('{ArrowUp}');
    expect(selected()).toEqual(['line 2']);
    await user.keyboard('{Escape}');
    expect(selected()).toEqual([]);
  });

  it('goes to both ends', async () => {
    render(createLogView(LINES));
    screen.getByRole('log').focus();
    await userEvent.keyboard('{Home}');
    await screen.findByText('mark 0');
    await userEvent.keyboard('{End}');
    await screen.findByText('line 4999');
  });

  it('searches, and goes from match to match', async () => {
    render(createLogView(createLines(500)));
    const log = screen.getByRole('log');
    log.focus();
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(screen.getByPlaceholderText('Search the whole log'));
    await userEvent.keyboard('mark');
    log.focus();
    const current = (): string | null | undefined =>
      document.querySelector('[data-current]')?.lastElementChild?.textContent;
    await userEvent.keyboard('n');
    const first = current();
    await userEvent.keyboard('n');
    expect(current()).not.toBe(first);
    await userEvent.keyboard('{Shift>}N{/Shift}');
    expect(current()).toBe(first);
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(screen.getByPlaceholderText('Search the whole log'));
  });

  it('is described', () => {
    render(createLogView(createLines(5)));
    const log = screen.getByRole('log');
    expect(log.getAttribute('aria-keyshortcuts')).toContain('Shift+ArrowDown');
    const help = document.getElementById(log.getAttribute('aria-describedby') ?? '');
    expect(help?.textContent).toContain('Arrow keys select a line');
  });
});

it('has the field for a time in place of the number of lines where there is no room for both', async () => {
  render(createLogView(LINES));
  await screen.findByText(/of 5,000 lines/);
  await userEvent.click(screen.getByLabelText('Go to a time'));
  await screen.findByLabelText('Time to go to');
  expect(screen.queryByText(/of 5,000 lines/)).toBeNull();
  await userEvent.click(screen.getByLabelText('Go to a time'));
  await screen.findByText(/of 5,000 lines/);
});

it('lets no line show through the button to the end', async () => {
  render(createLogView(LINES));
  await userEvent.click(await screen.findByLabelText('Go to the first line'));
  const button = await screen.findByTestId('joblens-log-follow');
  const { backgroundColor } = getComputedStyle(button.parentElement ?? button);
  expect(backgroundColor).toMatch(/^rgb\(/);
});

it('hides metadata lines of the whole log, says so, and remembers it', async () => {
  localStorage.clear();
  const lines = createLines(3000).map(({ timeNs }, n) => ({
    text: n % 500 === 0 ? `saved model-${n} (best)` : `{"step": ${n}, "loss (a-b)": 0.5}`,
    timeNs,
  }));
  const saved = [0, 500, 1000, 1500, 2000, 2500].map((n) => `saved model-${n} (best)`);
  const { unmount } = render(createLogView(lines));
  expect(screen.queryByTestId('joblens-log-hidden')).toBeNull();
  await userEvent.click(screen.getByLabelText('Hide metadata lines'));
  await waitFor(() => expect(texts()).toEqual(saved));
  expect(screen.getByTestId('joblens-log-hidden').textContent).toContain('Metadata lines (JSON) are hidden');
  unmount();
  // On a narrow panel, the choice is in the menu.
  render(createLogView(lines, { width: 400 }));
  await waitFor(() => expect(texts()).toEqual(saved));
  await userEvent.click(screen.getByLabelText('More'));
  await userEvent.click(await screen.findByText('Hide metadata lines'));
  await waitFor(() => expect(screen.queryByTestId('joblens-log-hidden')).toBeNull());
  await waitFor(() => expect(texts().some((text) => text.startsWith('{'))).toBe(true));
  await userEvent.click(screen.getByLabelText('More'));
  await userEvent.click(await screen.findByText('Hide metadata lines'));
  (await screen.findByText('Show')).focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByTestId('joblens-log-hidden')).toBeNull());
  // The button is gone: the keyboard goes on in the lines.
  expect(document.activeElement).toBe(screen.getByRole('log'));
  expect(localStorage.getItem('joblens.log.hides-metadata')).toBe('false');
});
