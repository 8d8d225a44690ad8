import type { LogKind } from '@joblens/core/schema/measurements';
import type { LogRow } from './log-row.js';
import { SettledRows } from './settled-rows.js';

/** The line to store in the place of a row. */
export function describeRow({ place, run, text, ansi }: LogRow): {
  text: string;
  ansi: string | undefined;
  kind: LogKind;
} {
  if (place === 'notice' && run !== undefined) {
    const times = run.count === 1 ? '1 time' : `${run.count} times`;
    return { text: `(previous line repeated ${times})`, ansi: undefined, kind: 'notice' };
  }
  return { text, ansi, kind: place === 'command' ? 'command' : 'output' };
}

export function mayBeRepeat(row: LogRow): boolean {
  return isShown(row.previous) && row.previous.text.startsWith(row.text);
}

export function isRepeat(row: LogRow): boolean {
  return !row.isMetadata && !row.isPiece && isShown(row.previous) && row.previous.text === row.text;
}

export function isFurtherEmpty(row: LogRow): boolean {
  return row.text === '' && isShown(row.previous) && row.previous.text === '';
}

/** Whether the log shows this row's text, as a line or as a repeat of one. */
export function isShown(row: LogRow | undefined): row is LogRow {
  return row !== undefined && (row.place === 'line' || row.place === 'notice' || row.place === 'dropped');
}

/** Whether the row is a whole line of output, stored in one point exactly as shown. */
export function isStoredAsShown({
  isEnded,
  place,
  run,
  isPiece,
  continues,
  stored,
  text,
  ansi,
  timeNs,
}: LogRow): boolean {
  if (!isEnded || place !== 'line' || run !== undefined || isPiece || continues) return false;
  return stored?.kind === 'output' && stored.text === text && stored.ansi === ansi && SettledRows.canKeep(timeNs);
}
