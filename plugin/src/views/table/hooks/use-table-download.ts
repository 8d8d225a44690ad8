import { useEffect, useRef, useState } from 'react';
import { Subject } from 'rxjs';
import { saveFile } from '../../parts/save-file.js';
import { type DownloadedTable, downloadRows } from '../model/download-rows.js';
import type { ExportForm } from '../model/export-rows.js';

export interface TableDownload {
  /** Rows read so far; undefined when nothing is being downloaded. */
  readonly progress: number | undefined;
  readonly problem: string | undefined;
  readonly start: (form: ExportForm) => void;
  readonly cancel: () => void;
}

/** Downloads the rows of a table that the viewer's filters let pass, sorted as in the view. */
export function useTableDownload(downloaded: DownloadedTable): TableDownload {
  const [progress, setProgress] = useState<number | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const cancelled = useRef<Subject<unknown> | undefined>(undefined);
  const cancel = (): void => {
    cancelled.current?.next(undefined);
    cancelled.current = undefined;
    setProgress(undefined);
  };
  useEffect(() => () => cancelled.current?.next(undefined), []);

  const start = (form: ExportForm): void => {
    cancelled.current?.next(undefined);
    const own = new Subject<unknown>();
    cancelled.current = own;
    setProblem(undefined);
    setProgress(0);
    const isCurrent = (): boolean => cancelled.current === own;
    downloadRows(form, downloaded, { onRows: (rows) => isCurrent() && setProgress(rows), cancel: own }).then(
      (pieces) => {
        if (!isCurrent()) return;
        setProgress(undefined);
        saveFile(`${(downloaded.table.job ?? 'table').replace(/[^\w.-]+/g, '_')}.${form}`, new Blob([...pieces]));
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        setProgress(undefined);
        setProblem(error instanceof Error ? error.message : String(error));
      }
    );
  };
  return { progress, problem, start, cancel };
}
