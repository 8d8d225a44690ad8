import { useCallback, useEffect, useState } from 'react';
import type { JobsQuestion } from '../../../query-types/jobs/select-jobs.js';
import type { ViewProps } from '../../view.js';
import { type JobsModel, readJobsModel } from '../model/jobs-model.js';

/** A person who types is faster. */
const PAUSE_MS = 200;

export interface FoundJobs {
  /** The newest answer; to an earlier question while that of this one is awaited. */
  readonly model: JobsModel | undefined;
  /** Whether more of the answer is to come. */
  readonly isLoading: boolean;
  readonly problem: string | undefined;
  /** Whether a person has stopped the search of this question. */
  readonly isStopped: boolean;
  readonly onStopped: (isStopped: boolean) => void;
}

type Answer = Pick<FoundJobs, 'model' | 'isLoading' | 'problem'>;

const NOTHING: Answer = { model: undefined, isLoading: false, problem: undefined };

/** The store's answers to a question that the list alone cannot answer; asked again with each refresh. */
export function useFoundJobs(question: JobsQuestion | undefined, ask: ViewProps['ask']): FoundJobs {
  const [found, setFound] = useState(NOTHING);
  const text = question === undefined ? undefined : JSON.stringify(question);
  const [stopped, setStopped] = useState<string | undefined>(undefined);
  const isStopped = text !== undefined && stopped === text;
  useEffect(() => {
    if (text === undefined || ask === undefined) {
      setFound(NOTHING);
      return undefined;
    }
    setFound((known) => ({ ...known, isLoading: !isStopped, problem: undefined }));
    if (isStopped) return undefined;
    const open = (): { unsubscribe: () => void } =>
      ask({ query: { question: JSON.parse(text) as JobsQuestion } }).subscribe({
        next: (frames) => {
          const model = readJobsModel(frames);
          setFound({ model, isLoading: model.isLoading, problem: undefined });
        },
        error: (error: unknown) =>
          setFound((known) => ({ ...known, isLoading: false, problem: error instanceof Error ? error.message : '' })),
        complete: () => setFound((known) => ({ ...known, isLoading: false })),
      });
    let asked: ReturnType<typeof open> | undefined;
    const timer = setTimeout(() => {
      asked = open();
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      asked?.unsubscribe();
    };
  }, [ask, text, isStopped]);
  const onStopped = useCallback((isOn: boolean) => setStopped(isOn ? text : undefined), [text]);
  return { ...found, isStopped, onStopped };
}
