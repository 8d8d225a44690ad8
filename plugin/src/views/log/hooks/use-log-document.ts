import type { TimeRange } from '@grafana/data';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import type { StreamChoice } from '../../../frames/log-fields.js';
import type { LineCondition } from '../../../frames/severity.js';
import { toNs } from '../../../frames/times.js';
import type { Ask } from '../../view.js';
import { createContextSource, createContextTail } from '../model/context-source.js';
import { type DocumentSource, LogDocument } from '../model/log-document.js';
import { filterStream, type LogModel, type PanelLogLine } from '../model/log-model.js';
import { createLogSource, type LogSource } from '../model/log-source.js';
import type { StepClock, StepRange } from '../model/log-steps.js';
import { type LogTail, readTimeNs } from '../model/log-window.js';
import { isMatch, type LinePattern, readPlainText } from '../model/search.js';

export interface LineFilter {
  readonly stream: StreamChoice;
  /** Each line meets all of them. */
  readonly conditions: readonly LineCondition[];
  readonly pattern: LinePattern | undefined;
  /** Lines that are shown on each side of those that match the pattern. */
  readonly context: number;
}

interface LogDocumentInput extends LineFilter {
  readonly model: LogModel;
  readonly ask: Ask | undefined;
  readonly timeRange: TimeRange | undefined;
  readonly isFollowing: boolean;
  /** Another time range is another log. */
  readonly rangeKey: string;
}

interface OpenLog {
  readonly document: LogDocument;
  /** All lines of the stream that meet the conditions, for searches; undefined: there are only the loaded lines. */
  readonly source: LogSource | undefined;
  /** All that the document shows, for a download. */
  readonly shown: DocumentSource | undefined;
}

const COUNT_DELAY_MS = 500;
/** A store that cannot count is asked again after 1 s, 2 s, … 64 s. */
const MAX_COUNT_DOUBLINGS = 7;

function createTail(
  { lines: all, isLimited }: LogModel,
  { stream, conditions, pattern, context }: LineFilter
): LogTail {
  const meetsAll = (line: PanelLogLine): boolean =>
    conditions.every((condition) => condition.isMatch(readPlainText(line), line.level));
  const lines = filterStream(all, stream).filter(meetsAll);
  if (pattern !== undefined && context > 0) {
    const tail = createContextTail({ lines, hasMore: isLimited }, { pattern, lines: context });
    const newest = all[all.length - 1];
    const [fromNs, toNs] = [tail.first ?? newest, tail.last ?? newest].map(readTimeNs) as [bigint, bigint];
    return { lines: tail.lines, hasMore: isLimited, fromNs, toNs };
  }
  return {
    lines: pattern === undefined ? lines : lines.filter((line) => isMatch(pattern, line)),
    hasMore: isLimited,
    fromNs: readTimeNs(all[0]),
    toNs: readTimeNs(all[all.length - 1]),
  };
}

/** The log that the filter leaves, and what is shown of it. */
function createSources(
  getAsk: () => Ask | undefined,
  stream: StreamChoice | undefined,
  { conditions, pattern, context }: LineFilter,
  readRange: StepClock['readRange'] | undefined
): Pick<OpenLog, 'source' | 'shown'> {
  const patterns = conditions.map(({ source }) => source);
  const log = createLogSource(getAsk, { stream, patterns }, readRange);
  if (pattern === undefined) return { source: log, shown: log };
  if (context > 0) return { source: log, shown: createContextSource(log, { pattern, lines: context }) };
  const matches = createLogSource(getAsk, { stream, patterns: [...patterns, pattern.source] }, readRange);
  return { source: matches, shown: matches };
}

function readStepRange(range: TimeRange | undefined): StepRange {
  return { fromNs: toNs(range?.from.valueOf() ?? 0), toNs: toNs(range?.to.valueOf() ?? 0) };
}

/** The log behind the panel's lines, filtered; it changes with the filter, and grows with each refresh. */
export function useLogDocument(input: LogDocumentInput): OpenLog {
  const { model, ask, timeRange, isFollowing, rangeKey, stream, conditions, pattern, context } = input;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const asking = useRef(ask);
  asking.current = ask;
  const inRange = useRef(timeRange);
  inRange.current = timeRange;
  const hasAsk = ask !== undefined;
  const hasRange = timeRange !== undefined;
  const streams = model.hasBothStreams ? stream : 'both';
  const tail = useMemo(
    () => createTail(model, { stream: streams, conditions, pattern, context }),
    [model, streams, conditions, pattern, context]
  );
  const open = useMemo((): OpenLog => {
    const choice = model.hasBothStreams ? streams : undefined;
    const sources = hasAsk
      ? createSources(
          () => asking.current,
          choice,
          { stream: streams, conditions, pattern, context },
          hasRange ? () => readStepRange(inRange.current) : undefined
        )
      : { source: undefined, shown: undefined };
    return { ...sources, document: new LogDocument(sources.shown, tail) };
    // A refresh changes the tail of the same document.
  }, [streams, conditions, pattern, context, hasAsk, hasRange, rangeKey]);
  const { document } = open;
  useLayoutEffect(() => document.subscribe(redraw), [document]);
  useEffect(() => () => document.dispose(), [document]);
  useLayoutEffect(() => document.setTail(tail, isFollowing), [document, tail, isFollowing]);
  useRestCount(document);
  return open;
}

/** Has the store count what is not loaded, where that is not known, once the window rests; again when it failed. */
function useRestCount(document: LogDocument): void {
  const { loading, isStopped = false, window } = document.state;
  const { olderCount, newerCount, lines } = window;
  const isBusy = loading !== undefined || isStopped;
  const [failures, addFailure] = useReducer((count: number) => count + 1, 0);
  // Lines beyond which nobody has counted: each is counted, whichever moves while the store counts.
  const olderThanId = olderCount === undefined ? lines[0]?.id : undefined;
  const newerThanId = newerCount === undefined ? lines[lines.length - 1]?.id : undefined;
  useEffect(() => {
    if (isBusy || (olderThanId === undefined && newerThanId === undefined) || !document.canCount) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        document.countRest(controller.signal).catch(() => {
          if (!controller.signal.aborted) addFailure();
        });
      },
      COUNT_DELAY_MS * 2 ** Math.min(failures, MAX_COUNT_DOUBLINGS)
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [document, isBusy, olderThanId, newerThanId, failures]);
}
