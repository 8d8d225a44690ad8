import { act, renderHook } from '@testing-library/react';
import { Subject } from 'rxjs';
import { useAnswer } from './use-answer.js';

interface Props {
  readonly name: string | undefined;
  readonly source: object | undefined;
}

/** Questions that are answered by hand, in any order. */
function start(first: Props) {
  const asked: Array<Subject<string>> = [];
  const ask = (): Subject<string> => {
    const answers = new Subject<string>();
    asked.push(answers);
    return answers;
  };
  const hook = renderHook(({ name, source }: Props) => useAnswer(name, source, ask), { initialProps: first });
  const answer = (at: number, text: string): void => act(() => asked[at]?.next(text));
  return { ...hook, asked, answer };
}

describe('an answer', () => {
  it('is none to another question, whichever of them comes first', () => {
    const source = {};
    const { result, rerender, asked, answer } = start({ name: 'a -(1)', source });
    answer(0, 'of a');
    expect(result.current).toBe('of a');
    rerender({ name: 'b "2"', source });
    expect([result.current, asked.length]).toEqual([undefined, 2]);
    answer(0, 'late, of a');
    expect(result.current).toBeUndefined();
    answer(1, 'of b');
    expect(result.current).toBe('of b');
    rerender({ name: undefined, source });
    expect(result.current).toBeUndefined();
  });

  it('stays while the same is asked again, and when that fails', () => {
    const { result, rerender, asked, answer } = start({ name: 'a', source: {} });
    answer(0, 'first');
    rerender({ name: 'a', source: {} });
    expect([result.current, asked[0]?.observed]).toEqual(['first', false]);
    act(() => asked[1]?.error(new Error('no answer')));
    expect(result.current).toBe('first');
    rerender({ name: 'a', source: {} });
    answer(2, 'third');
    expect(result.current).toBe('third');
  });

  it('is not asked for where there is nothing to ask, or nobody', () => {
    const { result, rerender, asked, unmount } = start({ name: 'a', source: undefined });
    rerender({ name: undefined, source: {} });
    expect([asked.length, result.current]).toEqual([0, undefined]);
    rerender({ name: 'a', source: {} });
    unmount();
    expect(asked.map(({ observed }) => observed)).toEqual([false]);
  });
});
