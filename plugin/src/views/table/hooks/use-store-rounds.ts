import { useRef } from 'react';
import { Subject } from 'rxjs';
import type { ReadRows, RowPage, RowQuestion } from '../model/store-rows.js';

/** Questions to the store that belong together. */
interface StoreRound {
  /** Gives the answer to `use`, unless another round has begun by then. */
  ask(question: RowQuestion, limit: number, use: (answer: RowPage) => void): void;
}

interface StoreRounds {
  /** Begins another round; what the one before still asks is cancelled. */
  readonly start: () => StoreRound;
  readonly current: () => StoreRound;
}

/** The value of the latest render, for what runs between renders. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

/** Asks the store as the panel last did, since `read` is another one with each refresh. */
export function useStoreRounds(read: ReadRows | undefined, onProblem: (problem: string) => void): StoreRounds {
  const latest = useLatest({ read, onProblem });
  const cancelled = useRef(new Subject<unknown>());
  const create = (own: Subject<unknown>): StoreRound => ({
    ask: (question, limit, use) => {
      const isCurrent = (): boolean => cancelled.current === own;
      latest.current.read?.(question, limit, own).then(
        (answer) => {
          if (isCurrent()) use(answer);
        },
        (error: unknown) => {
          if (isCurrent()) latest.current.onProblem(error instanceof Error ? error.message : String(error));
        }
      );
    },
  });
  return {
    start: () => {
      cancelled.current.next(undefined);
      cancelled.current = new Subject();
      return create(cancelled.current);
    },
    current: () => create(cancelled.current),
  };
}
