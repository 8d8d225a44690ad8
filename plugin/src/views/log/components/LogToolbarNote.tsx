import { Button } from '@grafana/ui';
import React from 'react';
import { countOf, formatCount } from '@joblens/core/words/counts';
import { ToolbarNote } from '../../parts/components/ToolbarNote.js';
import { formatLogLimit, type LogModel } from '../model/log-model.js';
import type { LogWindow } from '../model/log-window.js';
import type { DownloadState } from '../hooks/use-download.js';

export interface LogToolbarNoteProps {
  readonly model: LogModel;
  readonly window: LogWindow;
  /** There is a store to ask for more lines. */
  readonly hasSource: boolean;
  readonly isFiltered: boolean;
  readonly download: DownloadState;
}

/** Which lines are loaded, of how many; `undefined` when all are. */
function describeWindow(window: LogWindow, isFiltered: boolean): string | undefined {
  const { lines, hasOlder, hasNewer, olderCount, newerCount } = window;
  if (!hasOlder && !hasNewer) return undefined;
  if (olderCount === undefined || newerCount === undefined) return `${countOf(lines.length, 'line')} loaded`;
  const [first, last] = [olderCount + 1, olderCount + lines.length];
  const total = formatCount(olderCount + lines.length + newerCount);
  return `${formatCount(first)}–${formatCount(last)} of ${total} ${isFiltered ? 'matching lines' : 'lines'}`;
}

/** How many lines are not shown, and how to come to them. */
function explainWindow({ hasOlder, hasNewer, olderCount, newerCount }: LogWindow): string {
  const count = (lines: number | undefined, word: string): string =>
    lines === undefined ? `There are ${word} lines` : countOf(lines, `${word} line`);
  const parts = [hasOlder ? count(olderCount, 'older') : '', hasNewer ? count(newerCount, 'newer') : ''];
  return `${parts.filter((part) => part !== '').join(' and ')} not loaded: scroll to them, or jump`;
}

/** Which lines are loaded, or how far a download is. */
export function LogToolbarNote({
  model,
  window,
  hasSource,
  isFiltered,
  download,
}: LogToolbarNoteProps): React.ReactElement | null {
  const { progress, problem, cancel } = download;
  if (progress !== undefined) {
    const total = (window.olderCount ?? NaN) + window.lines.length + (window.newerCount ?? NaN);
    const goal = Number.isNaN(total) ? '' : ` of ${countOf(total, 'line')}`;
    return (
      <>
        <ToolbarNote
          text={goal === '' ? `Reading ${countOf(progress, 'line')}` : `Reading ${formatCount(progress)}${goal}`}
          title="Reading the whole log"
        />
        <Button size="sm" variant="secondary" fill="text" onClick={cancel}>
          Cancel
        </Button>
      </>
    );
  }
  if (problem !== undefined) return <ToolbarNote text={`The download failed: ${problem}`} title={problem} />;
  const limit = hasSource ? describeWindow(window, isFiltered) : formatLogLimit(model);
  if (limit === undefined) return null;
  if (!hasSource) return <ToolbarNote text={limit} title={limit} testId="joblens-log-limit" />;
  return <ToolbarNote text={limit} title={explainWindow(window)} tone="secondary" testId="joblens-log-limit" />;
}
