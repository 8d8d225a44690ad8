import { LogDocument } from './log-document.js';
import type { PanelLogLine } from './log-model.js';
import type { SliceRequest } from './log-slices.js';
import type { LogSource } from './log-source.js';
import { type LogSlicePage, type LogTail, readTimeNs } from './log-window.js';

const TAIL_LINES = 10;

function createLine(at: number): PanelLogLine {
  const parts = { stream: 'stdout', kind: 'output', task: '', job: 'a-(1)', user: 'ann', level: 'error' };
  return { ...parts, id: String(at), text: `e ${at}`, timeMs: 0, timeNs: String(at) };
}

/** A log of so many lines, one a nanosecond, of which some match; it answers when it is let. */
function createLog(matches: readonly number[]) {
  let length = 100;
  const asked: SliceRequest[] = [];
  const aborted: SliceRequest[] = [];
  let isHeld = false;
  const waiting: Array<() => void> = [];
  const read: LogSource['read'] = async (slice, signal, onStep): Promise<LogSlicePage> => {
    asked.push(slice);
    signal?.addEventListener('abort', () => void aborted.push(slice));
    onStep?.(50n);
    if (isHeld) await new Promise<void>((resolve) => void waiting.push(resolve));
    const [low, high] = [BigInt(slice.afterNs ?? -1), BigInt(slice.beforeNs ?? length)];
    const found = matches.filter((at) => at < length && BigInt(at) > low && BigInt(at) < high).map(createLine);
    const lines = slice.want === 'desc' ? found.slice(-slice.limit) : found.slice(0, slice.limit);
    return { lines, hasMore: lines.length < found.length };
  };
  const createTail = (): LogTail => ({
    lines: matches.filter((at) => at < length && at >= length - TAIL_LINES).map(createLine),
    ...{ hasMore: true, fromNs: BigInt(length - TAIL_LINES), toNs: BigInt(length - 1) },
  });
  const document = new LogDocument({ read, isSearch: true }, createTail());
  return {
    ...{ document, asked, aborted },
    texts: () => document.state.window.lines.map(({ text }) => text),
    refresh: async (newLines: number): Promise<void> => {
      length += newLines;
      document.setTail(createTail(), true);
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    hold: (isOn: boolean): void => {
      isHeld = isOn;
      if (!isOn) for (const go of waiting.splice(0)) go();
    },
  };
}

describe('a log of which the lines have to match', () => {
  it.each([
    ['none matches', [], []],
    ['few match', [3, 7], ['e 3', 'e 7']],
    ['those that match are at the end', [95, 97], ['e 95', 'e 97']],
  ])('is searched once, and after a refresh of a silent job not again, where %s', async (_name, matches, expected) => {
    const { document, asked, refresh, texts } = createLog(matches);
    await document.loadOlder();
    expect(texts()).toEqual(expected);
    const searches = asked.length;
    for (let refreshes = 0; refreshes < 5; refreshes += 1) {
      await refresh(0);
      expect(document.state.window.hasOlder).toBe(false);
      await document.loadOlder();
    }
    expect(asked).toHaveLength(searches);
    expect(texts()).toEqual(expected);
  });

  it.each([
    ['fewer lines than a refresh brings', 5],
    ['more lines than a refresh brings', 500],
  ])('is asked for what is new alone after %s', async (_name, newLines) => {
    const { document, asked, refresh, texts } = createLog([3, 103, 300]);
    await document.loadOlder();
    asked.length = 0;
    await refresh(newLines);
    await document.loadOlder();
    expect(asked.every(({ afterNs }) => BigInt(afterNs ?? 0) >= 99n)).toBe(true);
    expect(texts()).toEqual(['e 3', 'e 103', 'e 300'].filter((text) => Number(text.slice(2)) < 100 + newLines));
    expect(document.state.window).toMatchObject({ hasOlder: false, hasNewer: false });
  });

  it('tells how far a search is, ends it, and goes on from there', async () => {
    const { document, asked, aborted, hold, texts } = createLog([7]);
    hold(true);
    const loading = document.loadOlder();
    expect(document.state).toMatchObject({ loading: 'older', reachedNs: 50n });
    document.stop();
    expect(aborted).toHaveLength(1);
    hold(false);
    await loading;
    expect(document.state).toMatchObject({ loading: undefined, isStopped: true, reachedNs: 50n });
    expect(texts()).toEqual([]);
    // The list asks for more by itself as long as it has room.
    await document.loadOlder();
    expect(asked).toHaveLength(1);
    await document.resume();
    expect(asked[1]).toMatchObject({ want: 'desc', beforeNs: '50' });
    expect(texts()).toEqual(['e 7']);
    expect(document.state.isStopped).toBe(false);
  });

  it.each<[string, (document: LogDocument) => unknown]>([
    ['another place is asked for', (document) => document.goToFirst()],
    ['the end is asked for', (document) => document.goToEnd()],
    ['nobody looks at it any more', (document) => document.dispose()],
  ])('is no longer searched once %s', (_name, leave) => {
    const { document, aborted, hold } = createLog([]);
    hold(true);
    void document.loadOlder();
    void leave(document);
    expect(aborted.map(({ want }) => want)).toEqual(['desc']);
    hold(false);
  });

  it('keeps a match that comes while older lines are searched', async () => {
    const { document, hold, refresh, texts } = createLog([7, 101]);
    hold(true);
    const loading = document.loadOlder();
    await refresh(5);
    hold(false);
    await loading;
    expect(texts()).toEqual(['e 7', 'e 101']);
    expect(document.state.window.lines.map(readTimeNs)).toEqual([7n, 101n]);
  });
});
