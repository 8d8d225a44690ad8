import { stripSgr } from './sgr.js';
import { nameOwner, type PanelLogLine } from './log-model.js';
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
 * Where the lines are of several jobs or users, a heading tells whose the next ones are, as `tail` does for files.
 * Rejects with the reason, also when it is cancelled.
 */
export async function downloadLog({ source, form, signal, onProgress }: Download): Promise<Blob> {
  const pieces: Blob[] = [];
  let afterNs: string | undefined;
  let count = 0;
  const owners = createOwnerHeadings();
  for (;;) {
    const { lines, hasMore } = await source.read({ want: 'asc', afterNs, limit: PAGE_LINES }, signal);
    const texts = lines.map((line) => `${owners.next(line)}${form === 'plain' ? stripSgr(line.text) : line.text}\n`);
    pieces.push(new Blob([texts.join('')]));
    count += lines.length;
    onProgress(count);
    const last = lines[lines.length - 1];
    if (!hasMore || last === undefined) return new Blob([owners.first(), ...pieces], { type: 'text/plain' });
    afterNs = String(readTimeNs(last));
  }
}

interface OwnerHeadings {
  /** The heading of a line whose owner is another one than that of the line before, or ''. */
  readonly next: (line: PanelLogLine) => string;
  /** That of the first line, where there is any other. */
  readonly first: () => string;
}

function createOwnerHeadings(): OwnerHeadings {
  const seen: string[] = [];
  let last: string | undefined;
  return {
    next: (line) => {
      const owner = nameOwner(line, 'job and user');
      const isNew = last !== undefined && owner !== last;
      last = owner;
      if (seen.length === 0 || (isNew && seen.length === 1)) seen.push(owner);
      return isNew ? formatHeading(owner) : '';
    },
    first: () => (seen.length > 1 ? formatHeading(seen[0] ?? '') : ''),
  };
}

function formatHeading(owner: string): string {
  return `==> ${owner} <==\n`;
}
