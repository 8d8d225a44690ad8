import { useEffect, useState } from 'react';
import { copyText } from '../../parts/copy-text.js';
import type { PanelTable } from '../../parts/components/tables.js';
import { countOf } from '@joblens/core/words/counts';
import { type ExportForm, formatHeader, formatRows } from '../model/export-rows.js';

export interface TableCopy {
  /** What came of the last copy, for a few seconds. */
  readonly message: string | undefined;
  readonly start: (form: ExportForm) => void;
}

const MESSAGE_MS = 3000;
const FORM_NAMES: Readonly<Record<ExportForm, string>> = { csv: 'as CSV', jsonl: 'as JSON lines', tsv: 'with tabs' };

/** Copies the rows of a page, with the columns that are shown. */
export function useTableCopy(table: PanelTable, rows: readonly number[]): TableCopy {
  const [message, setMessage] = useState<string | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => setMessage(undefined), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const start = (form: ExportForm): void => {
    const lines = formatRows(form, table, table.columns, rows);
    const text = formatHeader(form, table, table.columns) + lines.join('');
    const count = countOf(rows.length, 'row');
    copyText(text).then(
      () => setMessage(`Copied ${count} ${FORM_NAMES[form]}`),
      (error: unknown) => setMessage(`Cannot copy: ${error instanceof Error ? error.message : String(error)}`)
    );
  };
  return { message, start };
}
