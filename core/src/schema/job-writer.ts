/** Who logs the output of a job, as its heartbeats say. */
export type JobWriter =
  /** `run` and `pipe`, which log all that they see of it. */
  | { readonly kind: 'run' }
  /** A `watch`, by its spool, and the files that it follows, each by a hash. */
  | { readonly kind: 'watch'; readonly id: string; readonly files: readonly string[] };

/** A heartbeat names so many files, those that were opened last. */
const MAX_FILES = 16;

/** `run`, or `watch ID FILE…` */
export function formatJobWriter(writer: JobWriter): string {
  return writer.kind === 'run' ? 'run' : ['watch', writer.id, ...writer.files.slice(-MAX_FILES)].join(' ');
}

/** The inverse of formatJobWriter; undefined for any other text. */
export function parseJobWriter(text: string): JobWriter | undefined {
  const [kind, id, ...files] = text.split(' ');
  if (text === 'run') return { kind: 'run' };
  return kind === 'watch' && id !== undefined && id !== '' ? { kind, id, files } : undefined;
}
