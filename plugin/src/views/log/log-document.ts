import type { PanelLogLine } from './log-model.js';
import type { LogSource } from './log-source.js';
import {
  addNewer,
  addOlder,
  coversTime,
  createTailWindow,
  createWindow,
  type LogTail,
  type LogWindow,
  MAX_WINDOW_LINES,
  readTimeNs,
  updateTail,
} from './log-window.js';

/** Where a document's lines come from. Some cannot be counted. */
export type DocumentSource = Pick<LogSource, 'read'> & Partial<Pick<LogSource, 'count'>>;

type Loading = 'older' | 'newer' | 'place';

export interface LogDocumentState {
  readonly window: LogWindow;
  /** The direction that is being loaded, or another place of the log. */
  readonly loading: Loading | undefined;
  readonly error: string | undefined;
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
    if (isNew) this.#show(updateTail(this.#state.window, tail, isFollowing, this.#maxLines));
  }

  async loadOlder(): Promise<void> {
    const { window } = this.#state;
    const [first] = window.lines;
    if (!window.hasOlder) return;
    await this.#load('older', async (source) => {
      const page = await source.read({ want: 'desc', beforeNs: first && timeOf(first), limit: this.#pageLines });
      return () => {
        const { window: now } = this.#state;
        return now.lines[0]?.id === first?.id ? addOlder(now, page, this.#maxLines) : now;
      };
    });
  }

  async loadNewer(): Promise<void> {
    const { window } = this.#state;
    const last = window.lines[window.lines.length - 1];
    if (!window.hasNewer || last === undefined) return;
    await this.#load('newer', async (source) => {
      const page = await source.read({ want: 'asc', afterNs: timeOf(last), limit: this.#pageLines });
      return () => {
        const { window: now } = this.#state;
        return now.lines[now.lines.length - 1]?.id === last.id ? addNewer(now, page, this.#maxLines) : now;
      };
    });
  }

  /** Loads what is around an instant, unless it is loaded. */
  async goTo(timeNs: bigint): Promise<void> {
    if (coversTime(this.#state.window, timeNs)) return;
    await this.#load('place', async (source) => {
      const limit = this.#pageLines;
      const [older, newer] = await Promise.all([
        source.read({ want: 'desc', beforeNs: String(timeNs + 1n), limit }),
        source.read({ want: 'asc', afterNs: String(timeNs), limit }),
      ]);
      return () => createWindow([...older.lines, ...newer.lines], older.hasMore, newer.hasMore);
    });
  }

  async goToFirst(): Promise<void> {
    if (!this.#state.window.hasOlder) return;
    await this.#load('place', async (source) => {
      const page = await source.read({ want: 'asc', limit: this.#pageLines });
      return () => createWindow(page.lines, false, page.hasMore);
    });
  }

  goToEnd(): void {
    this.#move += 1;
    this.#state = { ...this.#state, loading: undefined, error: undefined };
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

  /** One load at a time; a move to another place goes before all others. */
  async #load(loading: Loading, read: (source: DocumentSource) => Promise<() => LogWindow>): Promise<void> {
    if (this.#source === undefined || (this.#state.loading !== undefined && loading !== 'place')) return;
    this.#move += 1;
    const move = this.#move;
    this.#set({ ...this.#state, loading, error: undefined });
    try {
      const change = await read(this.#source);
      if (move !== this.#move) return;
      this.#set({ ...this.#state, window: change(), loading: undefined });
    } catch (error) {
      if (move !== this.#move) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#set({ ...this.#state, loading: undefined, error: reason });
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

function timeOf(line: PanelLogLine): string {
  return String(readTimeNs(line));
}
