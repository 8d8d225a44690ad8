import { useEffect, useRef } from 'react';
import { findNearest, type SearchedLog, type SearchStart } from '../model/find-match.js';
import type { LogOrder, PanelLogLine } from '../model/log-model.js';
import { readTimeNs } from '../model/log-window.js';
import type { LinePattern } from '../model/search.js';

export interface TypedJumpInput extends SearchedLog {
  readonly order: LogOrder;
  readonly isFollowing: boolean;
  /** Only lines that match are shown: nothing moves then. */
  readonly isFilter: boolean;
  /** The lines that are wholly in sight, in the order shown. */
  readonly readSight: () => readonly PanelLogLine[];
  readonly goTo: (timeNs: bigint) => void;
  /** Stays where it is, though more lines come. */
  readonly stay: () => void;
}

interface TypedJump extends TypedJumpInput {
  readonly pattern: LinePattern | undefined;
  /** The field is empty. */
  readonly isCleared: boolean;
  /** The text has rested, and its matches are counted. */
  readonly isSettled: boolean;
  readonly onFound: (line: PanelLogLine) => void;
  readonly onFailed: (error: unknown) => void;
}

interface Journey {
  readonly start: SearchStart;
  /** Where the search has led to from there. */
  readonly at: PanelLogLine | undefined;
}

const has = (lines: readonly PanelLogLine[], line: PanelLogLine | undefined): boolean =>
  lines.some(({ id }) => id === line?.id);

/** The same start as for the text before, unless the viewer has moved away from where that led to. */
function readStart(journey: Journey | undefined, { readSight, isFollowing }: TypedJumpInput): SearchStart {
  const sight = readSight();
  const isSame = journey !== undefined && (has(sight, journey.at) || sight[0]?.id === journey.start.sight[0]?.id);
  return isSame && !isFollowing ? journey.start : { sight, isAtEnd: isFollowing };
}

/**
 * Goes to the nearest match once for each new pattern. Returns what the search must tell when the viewer asks for a
 * match: that nothing else is to be gone to, and later which line was found.
 */
export function useTypedJump(jump: TypedJump): (line: PanelLogLine | undefined) => void {
  const { pattern, isCleared, isSettled } = jump;
  const latest = useRef(jump);
  latest.current = jump;
  const wanted = useRef<LinePattern | undefined>(undefined);
  const journey = useRef<Journey | undefined>(undefined);
  useEffect(() => {
    wanted.current = latest.current.isFilter ? undefined : pattern;
  }, [pattern]);
  useEffect(() => {
    if (isCleared) journey.current = undefined;
  }, [isCleared]);
  useEffect(() => {
    const isWanted = (): boolean => wanted.current === pattern && !latest.current.isFilter;
    if (!isSettled || pattern === undefined || !isWanted()) return;
    const start = readStart(journey.current, latest.current);
    const arrive = (line: PanelLogLine | undefined): void => {
      if (!isWanted()) return;
      wanted.current = undefined;
      journey.current = { start, at: line ?? journey.current?.at };
      if (line === undefined) return;
      latest.current.onFound(line);
      if (has(latest.current.readSight(), line)) latest.current.stay();
      else latest.current.goTo(readTimeNs(line));
    };
    findNearest(latest.current, pattern, start, latest.current.order).then(arrive, (error: unknown) => {
      if (isWanted()) latest.current.onFailed(error);
    });
  }, [pattern, isSettled]);
  return (line) => {
    wanted.current = undefined;
    if (line !== undefined) journey.current = { start: { sight: [line], isAtEnd: false }, at: line };
  };
}
