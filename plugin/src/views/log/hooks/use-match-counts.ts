import { useEffect, useState } from 'react';
import type { PanelLogLine } from '../model/log-model.js';
import type { LogSource } from '../model/log-source.js';
import { readTimeNs } from '../model/log-window.js';
import type { LinePattern } from '../model/search.js';

/** The match that the viewer is at. */
export interface CurrentMatch {
  readonly line: PanelLogLine;
  /** The search went there by itself, right after it had counted. */
  readonly isByTyping: boolean;
}

interface MatchCounts {
  readonly total?: number;
  readonly rank?: number;
  /** The text has rested, and the store has answered if it was asked. */
  readonly isSettled: boolean;
}

interface Answer {
  readonly pattern?: LinePattern;
  readonly source?: LogSource | undefined;
  readonly total?: number;
  readonly rank?: number;
}

const COUNT_DELAY_MS = 350;

/** The number of matches in the whole log, and the place of the current one. Without a source nothing is counted. */
export function useMatchCounts(
  pattern: LinePattern | undefined,
  source: LogSource | undefined,
  current: CurrentMatch | undefined
): MatchCounts {
  const [answer, setAnswer] = useState<Answer>({});
  const currentNs = current === undefined ? undefined : String(readTimeNs(current.line));
  // The same text counts otherwise in the lines of another stream or level.
  const isOwn = (one: Answer): boolean => one.pattern === pattern && one.source === source;
  const isKnown = current?.isByTyping === true && isOwn(answer);
  const knownTotal = isKnown ? answer.total : undefined;
  useEffect(() => {
    if (pattern === undefined) return undefined;
    const controller = new AbortController();
    const patterns = [pattern.source];
    const read = async (): Promise<Answer> => {
      if (source === undefined) return { pattern, source };
      const [total, before] = await Promise.all([
        knownTotal ?? source.count({ patterns }, controller.signal),
        currentNs === undefined ? undefined : source.count({ patterns, beforeNs: currentNs }, controller.signal),
      ]);
      return { pattern, source, total, ...(before !== undefined && { rank: before + 1 }) };
    };
    const ask = (): void => {
      read().then(
        (found) => {
          if (!controller.signal.aborted) setAnswer(found);
        },
        () => {
          if (!controller.signal.aborted) setAnswer((last) => (isOwn(last) ? last : { pattern, source }));
        }
      );
    };
    // The matches in the loaded lines are there meanwhile.
    const timer = setTimeout(ask, knownTotal === undefined ? COUNT_DELAY_MS : 0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
    // What is known when the current match changes counts; the answer itself is no reason to ask again.
  }, [pattern, source, currentNs]);
  return isOwn(answer) ? { ...answer, isSettled: true } : { isSettled: false };
}
