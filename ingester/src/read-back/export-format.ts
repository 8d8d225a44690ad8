export const EXPORT_FORMATS = ['jsonl', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** As asked for, or by the name of the file, else JSON lines. */
export function inferFormat(asked: ExportFormat | undefined, path = ''): ExportFormat {
  return asked ?? EXPORT_FORMATS.find((format) => path.endsWith(`.${format}`)) ?? 'jsonl';
}
