import { act, renderHook, waitFor } from '@testing-library/react';
import type { LogSource } from '../model/log-source.js';
import { compileSearch, type LinePattern, NO_SEARCH } from '../model/search.js';
import { useMatchCounts } from './use-match-counts.js';

/** A source whose counts are answered by hand, also where nobody waits for them any more. */
function createSource() {
  const asked: Array<(count: number) => void> = [];
  const count = (): Promise<number> => new Promise((resolve) => asked.push(resolve));
  return { source: { count } as unknown as LogSource, asked };
}

function compile(text: string): LinePattern {
  const compiled = compileSearch({ ...NO_SEARCH, text });
  if (compiled.kind !== 'ready') throw new Error(`${text} is no search.`);
  return compiled.pattern;
}

it('counts the matches of the text and of the stream that are chosen now, in whatever order the counts come', async () => {
  const [out, err] = [createSource(), createSource()];
  const [first, second] = ['lr=0.1 (a)', 'b-[2]'].map(compile);
  const { result, rerender } = renderHook(
    ({ pattern, source }: { pattern: LinePattern | undefined; source: LogSource }) =>
      useMatchCounts(pattern, source, undefined),
    { initialProps: { pattern: first, source: out.source } }
  );
  const answer = async ({ asked }: ReturnType<typeof createSource>, at: number, count: number): Promise<void> => {
    await waitFor(() => expect(asked.length).toBeGreaterThan(at));
    await act(async () => {
      asked[at]?.(count);
      await Promise.resolve();
    });
  };
  await answer(out, 0, 7);
  expect(result.current).toMatchObject({ total: 7, isSettled: true });
  rerender({ pattern: first, source: err.source });
  expect(result.current).toEqual({ isSettled: false });
  await waitFor(() => expect(err.asked).toHaveLength(1));
  rerender({ pattern: second, source: err.source });
  await answer(err, 1, 2);
  expect(result.current).toMatchObject({ total: 2, isSettled: true });
  await answer(err, 0, 500);
  expect(result.current).toMatchObject({ total: 2, isSettled: true });
});
