import { stripSgr } from './sgr.js';
import type { LogSource } from './log-source.js';
import { readTimeNs } from './log-window.js';

export type DownloadForm = 'plain' | 'colours';

const PAGE_LINES = 10_000;

interface Download {
  readonly source: Pick<LogSource, 'read'>;
  readonly form: DownloadForm;
  readonly signal: AbortSignal;
  readonly onProgress: (lines: number) => void;
}

/**
 * The whole log as text, oldest line first, page by page; each page becomes a blob, which the browser may keep on disk.
 * Rejects with the reason, also when it is cancelled.
 */
export async function downloadLog({ source, form, signal, onProgress }: Download): Promise<Blob> {
  const pieces: Blob[] = [];
  let afterNs: string | undefined;
  let count = 0;
  for (;;) {
    const { lines, hasMore } = await source.read({ want: 'asc', afterNs, limit: PAGE_LINES }, signal);
    const texts = lines.map(({ text }) => `${form === 'plain' ? stripSgr(text) : text}\n`);
    pieces.push(new Blob([texts.join('')]));
    count += lines.length;
    onProgress(count);
    const last = lines[lines.length - 1];
    if (!hasMore || last === undefined) return new Blob(pieces, { type: 'text/plain' });
    afterNs = String(readTimeNs(last));
  }
}
