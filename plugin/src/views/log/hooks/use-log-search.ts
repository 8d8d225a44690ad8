import { useEffect, useMemo, useState } from 'react';
import { useTurns } from '../../../answers/use-turns.js';
import { findBeyond, findNext, type MatchDirection } from '../model/find-match.js';
import type { PanelLogLine } from '../model/log-model.js';
import { readTimeNs } from '../model/log-window.js';
import { compileSearch, isMatch, type LinePattern, type LogSearch } from '../model/search.js';
import { type CurrentMatch, useMatchCounts } from './use-match-counts.js';
import { type TypedJumpInput, useTypedJump } from './use-typed-jump.js';

interface SearchInput extends TypedJumpInput {
  readonly search: LogSearch;
  /** The line that the viewer looks at; Enter begins there where no match is current. */
  readonly readPlace: () => PanelLogLine | undefined;
}

export interface LogSearchState {
  readonly pattern: LinePattern | undefined;
  /** Why the expression cannot be searched for. */
  readonly problem: string | undefined;
  /** Matching lines in the whole log; in the loaded lines while the store counts. */
  readonly total: number;
  readonly isTotalExact: boolean;
  /** Place of the current match among all, from 1. */
  readonly rank: number | undefined;
  readonly currentId: string | undefined;
  readonly isSearching: boolean;
  readonly move: (direction: MatchDirection) => void;
}

interface Status {
  readonly isSearching: boolean;
  readonly problem: string | undefined;
}

const IDLE: Status = { isSearching: false, problem: undefined };

function readReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function useLoadedMatches(pattern: LinePattern | undefined, lines: readonly PanelLogLine[]): readonly PanelLogLine[] {
  return useMemo(() => (pattern === undefined ? [] : lines.filter((line) => isMatch(pattern, line))), [pattern, lines]);
}

function findRank(matches: readonly PanelLogLine[], current: PanelLogLine | undefined): number | undefined {
  return current === undefined ? undefined : matches.findIndex(({ id }) => id === current.id) + 1;
}

/** Searches the loaded lines at once and the rest of the log through the store. */
export function useLogSearch(input: SearchInput): LogSearchState {
  const { search, window, goTo } = input;
  const compiled = useMemo(() => compileSearch(search), [search]);
  const pattern = compiled.kind === 'ready' ? compiled.pattern : undefined;
  const [current, setCurrent] = useState<CurrentMatch | undefined>(undefined);
  const [{ isSearching, problem }, setStatus] = useState<Status>(IDLE);
  const startTurn = useTurns(pattern);
  useEffect(() => {
    setCurrent(undefined);
    setStatus(IDLE);
  }, [pattern]);
  const matches = useLoadedMatches(pattern, window.lines);
  const isWhole = !window.hasOlder && !window.hasNewer;
  const counts = useMatchCounts(pattern, isWhole ? undefined : input.source, current);
  const fail = (error: unknown): void => setStatus({ isSearching: false, problem: readReason(error) });
  const noteMove = useTypedJump({
    ...input,
    ...{ pattern, isCleared: compiled.kind === 'none', isSettled: counts.isSettled, onFailed: fail },
    onFound: (line) => setCurrent({ line, isByTyping: true }),
  });
  const show = (line: PanelLogLine): void => {
    noteMove(line);
    setCurrent({ line, isByTyping: false });
    goTo(readTimeNs(line));
  };
  const moveBeyond = (wanted: LinePattern, direction: MatchDirection): void => {
    const isNewest = startTurn();
    setStatus({ isSearching: true, problem: undefined });
    findBeyond(input, wanted, direction).then(
      (line) => {
        if (!isNewest()) return;
        setStatus(IDLE);
        if (line !== undefined) show(line);
      },
      (error: unknown) => {
        if (isNewest()) fail(error);
      }
    );
  };
  const move = (direction: MatchDirection): void => {
    if (pattern === undefined) return;
    noteMove(undefined);
    const found = findNext(window.lines, pattern, current?.line ?? input.readPlace(), direction);
    if (found !== undefined) show(found);
    else moveBeyond(pattern, direction);
  };
  return {
    pattern,
    problem: compiled.kind === 'wrong' ? compiled.reason : problem,
    total: counts.total ?? matches.length,
    isTotalExact: isWhole || counts.total !== undefined,
    rank: isWhole ? findRank(matches, current?.line) : counts.rank,
    currentId: current?.line.id,
    isSearching,
    move,
  };
}
