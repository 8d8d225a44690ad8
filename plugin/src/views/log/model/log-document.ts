import type { PanelLogLine } from './log-model.js';
import type { SliceRequest, StepListener } from './log-slices.js';
import type { LogSource } from './log-source.js';
import {
  addNewer,
  addOlder,
  bridgeTo,
  coversTime,
  createTailWindow,
  createWindow,
  findCoveredNs,
  type LogSlicePage,
  type LogTail,
  type LogWindow,
  MAX_WINDOW_LINES,
  readTimeNs,
  updateTail,
} from './log-window.js';

/** Where a document's lines come from. Some cannot be counted. */
export type DocumentSource = Pick<LogSource, 'read' | 'isSearch'> & Partial<Pick<LogSource, 'count'>>;

type Loading = 'older' | 'newer' | 'place';

export interface LogDocumentState {
  readonly window: LogWindow;
  /** The direction that is being loaded, or another place of the log. */
  readonly loading: Loading | undefined;
  readonly error: string | undefined;
  /** The instant that a search has come to, while it goes on or when somebody has stopped it. */
  readonly reachedNs?: bigint | undefined;
  readonly isStopped?: boolean | undefined;
}

const PAGE_LINES = 1000;

/**
 * One log of any length, of which a window is loaded: it grows in both directions, and moves to any place. What it
 * shows changes only through its methods; a listener is told of each change.
 */
export class LogDocument {
  #state: LogDocumentState;
  #tail: LogTail;
  #isFollowing = true;
  #move = 0;
  #request: AbortController | undefined;
  readonly #source: DocumentSource | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #pageLines: number;
  readonly #maxLines: number;

  /** @param source undefined: there is no more than the newest lines */
  constructor(source: DocumentSource | undefined, tail: LogTail, pageLines = PAGE_LINES, maxLines = MAX_WINDOW_LINES) {
    this.#source = source;
    this.#tail = tail;
    this.#pageLines = pageLines;
    this.#maxLines = maxLines;
    this.#state = { window: createTailWindow(tail), loading: undefined, error: undefined };
  }

  get state(): LogDocumentState {
    return this.#state;
  }

  get canLoad(): boolean {
    return this.#source !== undefined;
  }

  get canCount(): boolean {
    return this.#source?.count !== undefined;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The panel was refreshed. */
  setTail(tail: LogTail, isFollowing: boolean): void {
    if (tail === this.#tail && isFollowing === this.#isFollowing) return;
    const isNew = tail !== this.#tail;
    this.#tail = tail;
    this.#isFollowing = isFollowing;
    if (!isNew) return;
    const gapNs = isFollowing && this.#source?.isSearch === true ? findGap(this.#state.window, tail) : undefined;
    if (gapNs === undefined) this.#show(updateTail(this.#state.window, tail, isFollowing, this.#maxLines));
    else void this.#bridge(gapNs, tail);
  }

  /** Ends what is being loaded; what it has found stays. */
  stop(): void {
    const { loading, window } = this.#state;
    this.#end();
    const isStopped = loading === 'older' || loading === 'newer';
    this.#set({ window, loading: undefined, error: undefined, reachedNs: this.#state.reachedNs, isStopped });
  }

  /** Goes on with a search that was stopped. */
  async resume(): Promise<void> {
    this.#set({ ...this.#state, isStopped: false });
    await (this.#state.window.hasOlder ? this.loadOlder() : this.loadNewer());
  }

  /** Nobody looks at it any more. */
  dispose(): void {
    this.#end();
  }

  #end(): void {
    this.#move += 1;
    this.#request?.abort();
    this.#request = undefined;
  }

  /** Reads what lies between the window and a newer tail: it alone is new, and what was searched stays so. */
  async #bridge(afterNs: bigint, tail: LogTail): Promise<void> {
    const bounds = { afterNs: String(afterNs), beforeNs: String(tail.fromNs) };
    await this.#load('newer', async (read) => {
      const page = await read({ want: 'asc', ...bounds, limit: this.#pageLines });
      return () => {
        const { window: now } = this.#state;
        if (page.hasMore) return createTailWindow(this.#tail);
        return findGap(now, tail) === afterNs ? bridgeTo(now, page.lines, tail) : now;
      };
    });
  }

  async loadOlder(): Promise<void> {
    const { window } = this.#state;
    const [first] = window.lines;
    if (!window.hasOlder || this.#state.isStopped === true) return;
    const fromNs = window.olderFromNs ?? (first && readTimeNs(first)) ?? this.#searchedFromNs();
    const beforeNs = fromNs === undefined ? undefined : String(fromNs);
    await this.#load('older', async (read) => {
      const page = await read({ want: 'desc', beforeNs, limit: this.#pageLines, enough: 1 }, (reachedNs) => {
        const { window: now } = this.#state;
        // Lines around a match may reach beyond it.
        const olderFromNs = this.#source?.isSearch === true ? reachedNs : now.olderFromNs;
        this.#set({ ...this.#state, window: { ...now, olderFromNs }, reachedNs });
      });
      return () => {
        const { window: now } = this.#state;
        const isSame = first === undefined ? isBefore(page.lines, now.lines) : now.lines[0]?.id === first.id;
        return isSame ? addOlder(now, page, this.#maxLines) : now;
      };
    });
  }

  /** The search begins before the tail, which has no line that matches. */
  #searchedFromNs(): bigint | undefined {
    return this.#source?.isSearch === true ? this.#tail.fromNs : undefined;
  }

  async loadNewer(): Promise<void> {
    const { window } = this.#state;
    const last = window.lines[window.lines.length - 1];
    if (!window.hasNewer || last === undefined || this.#state.isStopped === true) return;
    await this.#load('newer', async (read, tell) => {
      const page = await read({ want: 'asc', afterNs: timeOf(last), limit: this.#pageLines, enough: 1 }, tell);
      return () => {
        const { window: now } = this.#state;
        return now.lines[now.lines.length - 1]?.id === last.id ? addNewer(now, page, this.#maxLines) : now;
      };
    });
  }

  /** Loads what is around an instant, unless it is loaded. */
  async goTo(timeNs: bigint): Promise<void> {
    if (coversTime(this.#state.window, timeNs)) return;
    const { toNs } = this.#tail;
    await this.#load('place', async (read, tell) => {
      const size = { limit: this.#pageLines, enough: 1 };
      const [older, newer] = await Promise.all([
        read({ want: 'desc', beforeNs: String(timeNs + 1n), ...size }, tell),
        read({ want: 'asc', afterNs: String(timeNs), ...size }),
      ]);
      const window = createWindow([...older.lines, ...newer.lines], older.hasMore, newer.hasMore);
      return () => ({ ...window, ...(!newer.hasMore && { coveredNs: toNs }), olderFromNs: older.reachedNs });
    });
  }

  async goToFirst(): Promise<void> {
    if (!this.#state.window.hasOlder) return;
    const { toNs } = this.#tail;
    await this.#load('place', async (read, tell) => {
      const page = await read({ want: 'asc', limit: this.#pageLines, enough: 1 }, tell);
      return () => ({ ...createWindow(page.lines, false, page.hasMore), ...(!page.hasMore && { coveredNs: toNs }) });
    });
  }

  goToEnd(): void {
    this.#end();
    this.#state = { window: this.#state.window, loading: undefined, error: undefined };
    if (this.#state.window.hasNewer) this.#show(createTailWindow(this.#tail));
  }

  /** Asks how many lines lie before and after the window, where that is not known. */
  async countRest(signal?: AbortSignal): Promise<void> {
    const { window } = this.#state;
    const [first, last] = [window.lines[0], window.lines[window.lines.length - 1]];
    const source = this.#source;
    if (source?.count === undefined || first === undefined || last === undefined) return;
    const [older, newer] = await Promise.all([
      window.olderCount ?? source.count({ beforeNs: timeOf(first) }, signal),
      window.newerCount ?? source.count({ afterNs: timeOf(last) }, signal),
    ]);
    const now = this.#state.window;
    // While the store counted, the window may have moved.
    const isFirst = now.lines[0]?.id === first.id;
    const isLast = now.lines[now.lines.length - 1]?.id === last.id;
    if (isFirst || isLast) {
      this.#show({ ...now, ...(isFirst && { olderCount: older }), ...(isLast && { newerCount: newer }) });
    }
  }

  /** One load at a time; a move to another place goes before all others, and ends them in the store, too. */
  async #load(loading: Loading, load: (read: Read, tell: StepListener) => Promise<() => LogWindow>): Promise<void> {
    const source = this.#source;
    if (source === undefined || (this.#state.loading !== undefined && loading !== 'place')) return;
    this.#end();
    const move = this.#move;
    const { signal } = (this.#request = new AbortController());
    const isCurrent = (): boolean => move === this.#move;
    const read: Read = (slice, onStep) =>
      source.read(slice, signal, (reachedNs) => {
        if (isCurrent()) onStep?.(reachedNs);
      });
    const tell = (reachedNs: bigint): void => this.#set({ ...this.#state, reachedNs });
    const isStopped = loading !== 'place' && this.#state.isStopped;
    this.#set({ window: this.#state.window, loading, error: undefined, isStopped });
    try {
      const change = await load(read, tell);
      if (isCurrent()) this.#set({ window: change(), loading: undefined, error: undefined, isStopped });
    } catch (error) {
      if (!isCurrent()) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#set({ window: this.#state.window, loading: undefined, error: reason });
    }
  }

  #show(window: LogWindow): void {
    this.#set({ ...this.#state, window });
  }

  #set(state: LogDocumentState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

type Read = (slice: SliceRequest, onStep?: StepListener) => Promise<LogSlicePage>;

/** The instant behind which lines are missing between a window at the end of the log and a newer tail, if any are. */
function findGap(window: LogWindow, tail: LogTail): bigint | undefined {
  const coveredNs = window.hasNewer || !tail.hasMore ? undefined : findCoveredNs(window);
  return coveredNs !== undefined && coveredNs < tail.fromNs ? coveredNs : undefined;
}

/** Whether these lines are older than all of those. */
function isBefore(older: readonly PanelLogLine[], [first]: readonly PanelLogLine[]): boolean {
  const last = older[older.length - 1];
  return last === undefined || first === undefined || readTimeNs(last) < readTimeNs(first);
}

function timeOf(line: PanelLogLine): string {
  return String(readTimeNs(line));
}
