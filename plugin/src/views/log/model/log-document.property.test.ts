import fc from 'fast-check';
import type { PanelLogLine } from './log-model.js';
import { type DocumentSource, LogDocument } from './log-document.js';
import type { SliceRequest } from './log-slices.js';
import { findLineAt, readTimeNs, type LogSlicePage, type LogTail } from './log-window.js';

const START_NS = 1_700_000_000_000_000_000n;

function createLine(timeNs: bigint, id: string, text = id): PanelLogLine {
  const parts = { stream: 'stdout', kind: 'output', task: '', job: '7', user: 'ann', level: '' };
  return { ...parts, id, text, timeMs: Number(timeNs / 1_000_000n), timeNs: String(timeNs) };
}

/** Lines of several writers, some at the same time. */
const log = fc.array(fc.constantFrom(0n, 1n, 3n, 1_000_000n), { minLength: 1, maxLength: 60 }).map((gaps) => {
  let timeNs = START_NS;
  return gaps.map((gapNs, index) => createLine((timeNs += gapNs), `l${index}`));
});

/** A store that answers pages as the query type Logs: whole instants, or more lines than asked for. */
class FakeStore implements DocumentSource {
  all: readonly PanelLogLine[];
  readonly isMatch: (line: PanelLogLine) => boolean;

  constructor(all: readonly PanelLogLine[], isMatch: (line: PanelLogLine) => boolean = () => true) {
    this.all = all;
    this.isMatch = isMatch;
  }

  get lines(): readonly PanelLogLine[] {
    return this.all.filter(this.isMatch);
  }

  #select({ afterNs, beforeNs }: Partial<SliceRequest>): readonly PanelLogLine[] {
    return this.lines.filter((line) => {
      const timeNs = readTimeNs(line);
      return (
        (afterNs === undefined || timeNs > BigInt(afterNs)) && (beforeNs === undefined || timeNs < BigInt(beforeNs))
      );
    });
  }

  /** The newest lines, and of them those that match. */
  tail(limit: number): LogTail {
    const { lines, hasMore } = new FakeStore(this.all).page({ want: 'desc', limit });
    const [fromNs, toNs] = [lines[0], lines[lines.length - 1]].map(readTimeNs) as [bigint, bigint];
    return { lines: lines.filter(this.isMatch), hasMore, fromNs, toNs };
  }

  grow(count: number): void {
    const lastNs = readTimeNs(this.all[this.all.length - 1]);
    const more = Array.from({ length: count }, (_, n) => createLine(lastNs + BigInt(n + 1), `m${lastNs}-${n}`));
    this.all = [...this.all, ...more];
  }

  page(request: SliceRequest): LogSlicePage {
    const found = this.#select(request);
    const isDesc = request.want === 'desc';
    const edge = isDesc ? found[found.length - request.limit] : found[request.limit - 1];
    if (edge === undefined) return { lines: found, hasMore: false };
    const edgeNs = readTimeNs(edge);
    const lines = found.filter((line) => (isDesc ? readTimeNs(line) >= edgeNs : readTimeNs(line) <= edgeNs));
    return { lines, hasMore: lines.length < found.length };
  }

  read(request: SliceRequest): Promise<LogSlicePage> {
    return Promise.resolve(this.page(request));
  }

  count(bounds: Partial<SliceRequest>): Promise<number> {
    return Promise.resolve(this.#select(bounds).length);
  }
}

/** The window is a run of the log without a gap, and knows truly what is beyond it. */
function expectRun({ state: { window } }: LogDocument, { lines }: FakeStore): void {
  const ids = window.lines.map(({ id }) => id);
  const [firstId] = ids;
  if (firstId === undefined) {
    expect(window.hasOlder || lines.length === 0).toBe(true);
    return;
  }
  const from = lines.findIndex(({ id }) => id === firstId);
  expect(ids).toEqual(lines.slice(from, from + ids.length).map(({ id }) => id));
  const rest = lines.length - from - ids.length;
  if (!window.hasOlder) expect(from).toBe(0);
  if (window.olderCount !== undefined) expect(window.olderCount).toBe(from);
  if (!window.hasNewer) expect(rest).toBe(0);
  if (window.newerCount !== undefined) expect(window.newerCount).toBe(rest);
}

type Step = readonly [name: 'older' | 'newer' | 'first' | 'end' | 'count' | 'place' | 'grow' | 'follow', at: number];

async function goToPlace(document: LogDocument, store: FakeStore, at: number): Promise<void> {
  const target = readTimeNs(store.all[at % store.all.length]);
  await document.goTo(target);
  const { window } = document.state;
  const found = window.lines[findLineAt(window.lines, target)];
  expect(found?.id).toBe(store.lines[findLineAt(store.lines, target)]?.id);
}

type Walk = (document: LogDocument, store: FakeStore, at: number) => void | Promise<void>;
const WALKS: Readonly<Record<Exclude<Step[0], 'grow' | 'follow'>, Walk>> = {
  older: (document) => document.loadOlder(),
  newer: (document) => document.loadNewer(),
  first: (document) => document.goToFirst(),
  end: (document) => {
    document.goToEnd();
  },
  count: (document) => document.countRest(),
  place: goToPlace,
};

const steps = fc.array(
  fc.tuple(
    fc.constantFrom<Step[0]>('older', 'newer', 'first', 'end', 'count', 'place', 'grow', 'follow'),
    fc.nat({ max: 60 })
  ),
  { maxLength: 30 }
);

it('shows a run of the log without gap or double, wherever the viewer goes, while lines come', async () => {
  await fc.assert(
    fc.asyncProperty(
      log,
      steps,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 8, max: 30 }),
      fc.constantFrom(1, 2),
      async (lines, walk, pageLines, maxLines, every) => {
        const store = new FakeStore(lines, every === 1 ? undefined : ({ id }) => id.length % every === 0);
        const document = new LogDocument(store, store.tail(pageLines), pageLines, maxLines);
        let isFollowing = true;
        for (const [step, at] of walk) {
          if (step === 'follow') isFollowing = !isFollowing;
          else if (step === 'grow') {
            store.grow(at % 12);
            document.setTail(store.tail(pageLines), isFollowing);
          } else await WALKS[step](document, store, at);
          expectRun(document, store);
        }
        await document.goToFirst();
        for (let page = 0; page < 200 && document.state.window.hasNewer; page++) await document.loadNewer();
        expectRun(document, store);
        expect(document.state.window.hasNewer).toBe(false);
      }
    ),
    { numRuns: 300 }
  );
});

it('keeps no more lines than it may, and comes back for those that it dropped', async () => {
  const store = new FakeStore(Array.from({ length: 500 }, (_, n) => createLine(START_NS + BigInt(n), `l${n}`)));
  const document = new LogDocument(store, store.tail(20), 20, 60);
  for (let page = 0; page < 24; page++) await document.loadOlder();
  expect(document.state.window.lines.map(({ id }) => id)).toEqual(store.lines.slice(0, 60).map(({ id }) => id));
  expect(document.state.window).toMatchObject({ hasOlder: false, hasNewer: true });
  await document.countRest();
  expect(document.state.window.newerCount).toBe(440);
  await document.loadNewer();
  expect(document.state.window).toMatchObject({ olderCount: 20, newerCount: 420 });
});

it('replaces a line that was rewritten in place', () => {
  const store = new FakeStore([createLine(1n, 'a'), createLine(2n, 'b', ' 10%')]);
  const document = new LogDocument(store, store.tail(5));
  store.all = [createLine(1n, 'a'), createLine(2n, 'b', ' 90%'), createLine(3n, 'c')];
  document.setTail(store.tail(2), true);
  expect(document.state.window.lines.map(({ text }) => text)).toEqual(['a', ' 90%', 'c']);
});

it('says why it cannot load, and loads when asked again', async () => {
  const store = new FakeStore([createLine(1n, 'a'), createLine(2n, 'b')]);
  const read = jest.spyOn(store, 'read').mockRejectedValueOnce(new Error('no answer'));
  const document = new LogDocument(store, store.tail(1), 1);
  await document.loadOlder();
  expect(document.state).toMatchObject({ error: 'no answer', loading: undefined });
  await document.loadOlder();
  expect(read).toHaveBeenCalledTimes(2);
  expect(document.state.error).toBeUndefined();
  expect(document.state.window.lines.map(({ id }) => id)).toEqual(['a', 'b']);
});

it('goes to the place asked for last, whichever answer comes first', async () => {
  const store = new FakeStore(Array.from({ length: 100 }, (_, n) => createLine(START_NS + BigInt(n), `l${n}`)));
  const document = new LogDocument(store, store.tail(5), 5);
  const slow = document.loadOlder();
  await Promise.all([document.goTo(START_NS + 50n), document.goTo(START_NS + 10n), slow]);
  expect(document.state.window.lines.map(({ id }) => id)).toContain('l10');
  expectRun(document, store);
});
