import fc from 'fast-check';
import { createContextSource, createContextTail } from './context-source.js';
import type { PanelLogLine } from './log-model.js';
import type { SliceRequest } from './log-slices.js';
import type { LogSource } from './log-source.js';
import { readTimeNs } from './log-window.js';
import { compileSearch, findNearLines, isMatch, type LinePattern } from './search.js';

const START_NS = 1_700_000_000_000_000_000n;

function compile(text: string): LinePattern {
  const compiled = compileSearch({ text, isRegex: false, isCaseSensitive: true });
  if (compiled.kind !== 'ready') throw new Error(compiled.kind);
  return compiled.pattern;
}

const PATTERN = compile('x');

function createLine(text: string, index: number): PanelLogLine {
  const timeNs = START_NS + BigInt(index) * 1000n;
  const parts = { stream: 'stdout', kind: 'output', task: '', job: '7', user: 'ann', level: '' };
  return { ...parts, id: `l${index}`, text, timeMs: Number(timeNs / 1_000_000n), timeNs: String(timeNs) };
}

/** A store that answers as the query type Logs does. */
function createStore(lines: readonly PanelLogLine[]): LogSource {
  const select = ({ afterNs = '0', beforeNs = '9223372036854775807', patterns = [] }: Partial<SliceRequest>) =>
    lines.filter(
      (line) =>
        readTimeNs(line) > BigInt(afterNs) &&
        readTimeNs(line) < BigInt(beforeNs) &&
        patterns.every((pattern) => new RegExp(pattern).test(line.text))
    );
  return {
    read: (request) => {
      const found = select(request);
      const page = request.want === 'asc' ? found.slice(0, request.limit) : found.slice(-request.limit);
      return Promise.resolve({ lines: page, hasMore: page.length < found.length });
    },
    readAround: (timesNs, count) => {
      const places = new Set(timesNs);
      const near = findNearLines(lines, (line) => places.has(line.timeNs ?? ''), count);
      return Promise.resolve(lines.filter((_, index) => near.has(index)));
    },
    count: (bounds) => Promise.resolve(select(bounds).length),
  };
}

function findShown(lines: readonly PanelLogLine[], context: number): readonly PanelLogLine[] {
  const near = findNearLines(lines, (line) => isMatch(PATTERN, line), context);
  return lines.filter((_, index) => near.has(index));
}

const log = fc
  .array(fc.constantFrom('.', '.', '.', '.', 'x'), { minLength: 1, maxLength: 60 })
  .map((texts) => texts.map(createLine));
const context = fc.integer({ min: 1, max: 4 });
const limit = fc.integer({ min: 1, max: 30 });

it('pages both ways from any place through the matches with the lines around them', async () => {
  await fc.assert(
    fc.asyncProperty(log, context, limit, fc.nat(60), async (lines, around, pageLines, place) => {
      const source = createContextSource(createStore(lines), { pattern: PATTERN, lines: around });
      const fromNs = String(START_NS + BigInt(place) * 1000n);
      const walk = async (want: 'asc' | 'desc'): Promise<PanelLogLine[]> => {
        let found: PanelLogLine[] = [];
        let edge: string | undefined = fromNs;
        for (;;) {
          const bound: object = want === 'asc' ? { afterNs: edge } : { beforeNs: edge };
          const page = await source.read({ want, limit: pageLines, ...bound });
          found = want === 'asc' ? [...found, ...page.lines] : [...page.lines, ...found];
          if (!page.hasMore) return found;
          expect(page.lines.length).toBeGreaterThan(0);
          edge = String(readTimeNs(want === 'asc' ? found[found.length - 1] : found[0]));
        }
      };
      const shown = findShown(lines, around);
      const older = shown.filter((line) => readTimeNs(line) < BigInt(fromNs));
      const newer = shown.filter((line) => readTimeNs(line) > BigInt(fromNs));
      expect((await walk('desc')).map(({ id }) => id)).toEqual(older.map(({ id }) => id));
      expect((await walk('asc')).map(({ id }) => id)).toEqual(newer.map(({ id }) => id));
    })
  );
});

it('shows of the newest lines what the whole log shows of them', () => {
  fc.assert(
    fc.property(log, context, fc.integer({ min: 1, max: 60 }), (lines, around, count) => {
      const newest = lines.slice(-count);
      const tail = createContextTail(
        { lines: newest, hasMore: newest.length < lines.length },
        { pattern: PATTERN, lines: around }
      );
      const { first } = tail;
      if (first === undefined) return;
      const expected = findShown(lines, around).filter((line) => readTimeNs(line) >= readTimeNs(first));
      expect(tail.lines.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    })
  );
});
