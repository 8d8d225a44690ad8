/** Who logs the output of a job, as its heartbeats say. */
export type JobWriter =
  /** `run` and `pipe`, and the files, each by a hash, that what they pass on goes to. None: it is not known. */
  | { readonly kind: 'run'; readonly files: readonly string[] }
  /** A `watch`, by its spool, and the files that it follows, each by a hash. */
  | { readonly kind: 'watch'; readonly id: string; readonly files: readonly string[] };

/** A heartbeat names so many files, those that were opened last. */
const MAX_FILES = 16;

/** Whether it names as many files as a heartbeat can: it may log others, too. */
export function isFullOfFiles({ files }: JobWriter): boolean {
  return files.length >= MAX_FILES;
}

/** `run FILE…`, or `watch ID FILE…` */
export function formatJobWriter(writer: JobWriter): string {
  const files = writer.files.slice(-MAX_FILES);
  return [...(writer.kind === 'run' ? ['run'] : ['watch', writer.id]), ...files].join(' ');
}

/** The inverse of formatJobWriter; undefined for any other text. */
export function parseJobWriter(text: string): JobWriter | undefined {
  const [kind, ...words] = text.split(' ');
  if (words.includes('')) return undefined;
  if (kind === 'run') return { kind, files: words };
  const [id, ...files] = words;
  return kind === 'watch' && id !== undefined ? { kind, id, files } : undefined;
}
