import { useEffect, useMemo, useRef, useState } from 'react';
import type { PanelLogLine } from './log-model.js';
import type { LogSource } from './log-source.js';
import { type LogWindow, readTimeNs } from './log-window.js';
import { compileSearch, isMatch, type LinePattern, type LogSearch } from './search.js';

interface SearchInput {
  readonly search: LogSearch;
  readonly window: LogWindow;
  readonly source: LogSource | undefined;
  /** The line that the viewer looks at; searching begins there. */
  readonly readPlace: () => PanelLogLine | undefined;
  readonly goTo: (timeNs: bigint) => void;
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
  readonly move: (direction: 'older' | 'newer') => void;
}

const COUNT_DELAY_MS = 350;

function findNext(
  lines: readonly PanelLogLine[],
  pattern: LinePattern,
  from: PanelLogLine | undefined,
  direction: 'older' | 'newer'
): PanelLogLine | undefined {
  const ordered = direction === 'newer' ? lines : [...lines].reverse();
  const at = from === undefined ? -1 : ordered.findIndex(({ id }) => id === from.id);
  return ordered.slice(at + 1).find((line) => isMatch(pattern, line));
}

/** The next match in the part of the log that is not loaded, or at its other end. */
async function findInStore(
  { window: { lines, hasOlder, hasNewer }, source }: SearchInput,
  { source: regex }: LinePattern,
  direction: 'older' | 'newer'
): Promise<PanelLogLine | undefined> {
  if (source === undefined || (!hasOlder && !hasNewer)) return undefined;
  const isNewer = direction === 'newer';
  const patterns = [regex];
  const want = isNewer ? 'asc' : 'desc';
  const edge = isNewer ? lines[lines.length - 1] : lines[0];
  const bounds = edge && { [isNewer ? 'afterNs' : 'beforeNs']: String(readTimeNs(edge)) };
  const pick = (found: readonly PanelLogLine[]): PanelLogLine | undefined =>
    isNewer ? found[0] : found[found.length - 1];
  const beyond = await source.read({ want, patterns, limit: 1, ...bounds });
  if (beyond.lines.length > 0) return pick(beyond.lines);
  return pick((await source.read({ want, patterns, limit: 1 })).lines);
}

interface Counts {
  readonly total?: number;
  readonly rank?: number;
}

/** The number of matches in the whole log, and the place of the current one. */
function useCounts(pattern: LinePattern | undefined, input: SearchInput, current: PanelLogLine | undefined): Counts {
  const { source } = input;
  const [counts, setCounts] = useState<Counts & { readonly key?: LinePattern }>({});
  const currentNs = current === undefined ? undefined : String(readTimeNs(current));
  useEffect(() => {
    if (pattern === undefined || source === undefined) return undefined;
    const controller = new AbortController();
    const patterns = [pattern.source];
    const read = async (): Promise<void> => {
      const [total, before] = await Promise.all([
        source.count({ patterns }, controller.signal),
        currentNs === undefined ? undefined : source.count({ patterns, beforeNs: currentNs }, controller.signal),
      ]);
      setCounts({ key: pattern, total, ...(before !== undefined && { rank: before + 1 }) });
    };
    // The matches in the loaded lines are there meanwhile.
    const timer = setTimeout(() => void read().catch(() => undefined), COUNT_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [pattern, source, currentNs]);
  return counts.key === pattern ? counts : {};
}

interface Status {
  readonly isSearching: boolean;
  readonly problem: string | undefined;
}

const IDLE: Status = { isSearching: false, problem: undefined };

function readReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Searches the loaded lines at once and the rest of the log through the store. */
export function useLogSearch(input: SearchInput): LogSearchState {
  const { search, window, goTo } = input;
  const compiled = useMemo(() => compileSearch(search), [search]);
  const pattern = compiled.kind === 'ready' ? compiled.pattern : undefined;
  const [current, setCurrent] = useState<PanelLogLine | undefined>(undefined);
  const [{ isSearching, problem }, setStatus] = useState<Status>(IDLE);
  const run = useRef(0);
  useEffect(() => {
    run.current += 1;
    setCurrent(undefined);
    setStatus(IDLE);
  }, [pattern]);
  const matches = useMemo(
    () => (pattern === undefined ? [] : window.lines.filter((line) => isMatch(pattern, line))),
    [pattern, window.lines]
  );
  const isWhole = !window.hasOlder && !window.hasNewer;
  const counts = useCounts(pattern, isWhole ? { ...input, source: undefined } : input, current);
  const localRank = current === undefined ? undefined : matches.findIndex(({ id }) => id === current.id) + 1;

  const show = (line: PanelLogLine): void => {
    setCurrent(line);
    goTo(readTimeNs(line));
  };
  const moveBeyond = (wanted: LinePattern, direction: 'older' | 'newer'): void => {
    const own = ++run.current;
    setStatus({ isSearching: true, problem: undefined });
    findInStore(input, wanted, direction)
      .then((line) => line ?? (direction === 'newer' ? matches[0] : matches[matches.length - 1]))
      .then(
        (line) => {
          if (own !== run.current) return;
          setStatus(IDLE);
          if (line !== undefined) show(line);
        },
        (error: unknown) => {
          if (own === run.current) setStatus({ isSearching: false, problem: readReason(error) });
        }
      );
  };
  const move = (direction: 'older' | 'newer'): void => {
    if (pattern === undefined) return;
    const found = findNext(window.lines, pattern, current ?? input.readPlace(), direction);
    if (found !== undefined) show(found);
    else moveBeyond(pattern, direction);
  };
  return {
    pattern,
    problem: compiled.kind === 'wrong' ? compiled.reason : problem,
    total: counts.total ?? matches.length,
    isTotalExact: isWhole || counts.total !== undefined,
    rank: isWhole ? localRank : counts.rank,
    currentId: current?.id,
    isSearching,
    move,
  };
}
