import { suggestNearest } from '@joblens/core/console/find-nearest';

export const EXPORT_FORMATS = ['jsonl', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Names of JSON lines, too. */
const OTHER_NAMES: readonly string[] = ['json', 'ndjson'];

/** What is wrong with a file whose name asks for a format that there is not; undefined if nothing is. */
export function findUnknownFormat(asked: ExportFormat | undefined, path = ''): string | undefined {
  const [, ending] = /\.([a-z]{2,8})$/i.exec(path) ?? [];
  const isKnown = ending === undefined || [...EXPORT_FORMATS, ...OTHER_NAMES].includes(ending.toLowerCase());
  if (asked !== undefined || isKnown) return undefined;
  const meant = suggestNearest(ending, EXPORT_FORMATS);
  return `cannot write .${ending}; give a file that ends with .jsonl, .csv or .parquet, or say which with --format${meant}`;
}

/** As asked for, or by the name of the file, else JSON lines. */
export function inferFormat(asked: ExportFormat | undefined, path = ''): ExportFormat {
  return asked ?? EXPORT_FORMATS.find((format) => path.toLowerCase().endsWith(`.${format}`)) ?? 'jsonl';
}
