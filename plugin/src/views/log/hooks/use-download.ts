import { useCallback, useEffect, useRef, useState } from 'react';
import { saveFile } from '../../parts/save-file.js';
import { downloadLog, type DownloadForm } from '../model/download.js';
import type { PanelLogLine } from '../model/log-model.js';
import type { LogSource } from '../model/log-source.js';

export interface DownloadState {
  /** Lines read so far; undefined when nothing is being downloaded. */
  readonly progress: number | undefined;
  readonly problem: string | undefined;
  readonly start: (form: DownloadForm) => void;
  readonly cancel: () => void;
}

/** Downloads the log that the view shows, from its first line to its last, or the loaded lines where that is all. */
export function useDownload(
  source: Pick<LogSource, 'read'> | undefined,
  loaded: readonly PanelLogLine[],
  jobName: string
): DownloadState {
  const [progress, setProgress] = useState<number | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const controller = useRef<AbortController | undefined>(undefined);
  const cancel = useCallback(() => controller.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  const start = (form: DownloadForm): void => {
    cancel();
    const own = new AbortController();
    controller.current = own;
    setProgress(0);
    setProblem(undefined);
    const isCurrent = (): boolean => controller.current === own && !own.signal.aborted;
    const onProgress = (lines: number): void => {
      if (isCurrent()) setProgress(lines);
    };
    const wholeLog = source ?? { read: () => Promise.resolve({ lines: loaded, hasMore: false }) };
    downloadLog({ source: wholeLog, form, signal: own.signal, onProgress })
      .then(
        (content) => {
          const name = jobName.replace(/[^\w.-]+/g, '_') || 'job';
          if (isCurrent()) saveFile(`${name}.${form === 'plain' ? 'log' : 'ansi.log'}`, content);
        },
        (error: unknown) => {
          if (!own.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
        }
      )
      .finally(() => {
        if (controller.current === own) setProgress(undefined);
      });
  };
  return { progress, problem, start, cancel };
}
