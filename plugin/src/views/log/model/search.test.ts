import fc from 'fast-check';
import { createLogFrame } from '../../testing/frames.js';
import { createLogModel } from './log-model.js';
import { compileSearch, findNearLines, isMatch, markSpans, type LinePattern } from './search.js';
import { parseSgr, stripSgr } from './sgr.js';

function compile(text: string, options: { isRegex?: boolean; isCaseSensitive?: boolean } = {}): LinePattern {
  const compiled = compileSearch({ text, isRegex: false, isCaseSensitive: false, ...options });
  if (compiled.kind !== 'ready') throw new Error(compiled.kind);
  return compiled.pattern;
}

it.each([
  ['loss', {}, 'Loss=1', '(?i)loss', true],
  ['loss', { isCaseSensitive: true }, 'Loss=1', 'loss', false],
  ['a.b', {}, 'axb', '(?i)a\\.b', false],
  ['[1/2] (x)|y', {}, 'at [1/2] (x)|y', '(?i)\\[1/2\\] \\(x\\)\\|y', true],
  ['^\\d+ [a-c]', { isRegex: true }, '12 b', '(?i)^\\d+ [a-c]', true],
  ['\\', {}, 'a\\b', '(?i)\\\\', true],
  ['日本', {}, 'x日本語', '(?i)日本', true],
])('finds %p with %p in %p', (text, options, line, source, found) => {
  const pattern = compile(text, options);
  const [panelLine] = createLogModel([createLogFrame([{ text: line }])]).lines;
  expect(pattern.source).toBe(source);
  expect(panelLine !== undefined && isMatch(pattern, panelLine)).toBe(found);
});

it('looks through colours', () => {
  const [line] = createLogModel([createLogFrame([{ text: 'a \u001b[31mER\u001b[1mROR\u001b[0m' }])]).lines;
  expect(line !== undefined && isMatch(compile('error'), line)).toBe(true);
});

it('says what is wrong with an expression', () => {
  expect(compileSearch({ text: '(', isRegex: true, isCaseSensitive: false })).toMatchObject({ kind: 'wrong' });
  expect(compileSearch({ text: '', isRegex: true, isCaseSensitive: false })).toEqual({ kind: 'none' });
});

it('finds any text as it is written', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, text, after) => {
      expect(compile(text, { isCaseSensitive: true }).findRanges(before + text + after).length).toBeGreaterThan(0);
    })
  );
});

it('marks each match across spans of colour, and changes no text', () => {
  const spans = parseSgr('one \u001b[31mtw\u001b[1mo thr\u001b[0mee one');
  const pieces = markSpans(spans, compile('two|one', { isRegex: true }).findRanges('one two three one'));
  expect(pieces.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual(['one', 'tw', 'o', 'one']);
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', '\u001b[31m', '\u001b[0m')), (parts) => {
      const line = parts.join('');
      const text = stripSgr(line);
      const marked = markSpans(parseSgr(line), compile('ab', { isCaseSensitive: true }).findRanges(text));
      expect(marked.map((piece) => piece.text).join('')).toBe(text);
      const inside = marked.filter(({ isMarked }) => isMarked).map((piece) => piece.text);
      expect(inside.join('')).toBe((text.match(/ab/g) ?? []).join(''));
    })
  );
});

it('marks all matches of a line that was tested before', () => {
  const pattern = compile('mark');
  const [line] = createLogModel([createLogFrame([{ text: 'mark mark' }])]).lines;
  expect(line !== undefined && isMatch(pattern, line)).toBe(true);
  expect(pattern.findRanges('mark mark')).toHaveLength(2);
});

it('marks no match of nothing', () => {
  expect(compile('x*', { isRegex: true }).findRanges('axxb')).toEqual([[1, 3]]);
});

it('keeps the lines around a match', () => {
  const items = 'a b c d e f g h'.split(' ');
  const isWanted = (item: string): boolean => item === 'c' || item === 'g';
  const filterWithContext = (all: readonly string[], isIn: (item: string) => boolean, context: number): string[] => {
    const near = findNearLines(all, isIn, context);
    return all.filter((_, index) => near.has(index));
  };
  expect(filterWithContext(items, isWanted, 0).join('')).toBe('cg');
  expect(filterWithContext(items, isWanted, 1).join('')).toBe('bcdfgh');
  expect(filterWithContext(items, isWanted, 2).join('')).toBe('abcdefgh');
});
