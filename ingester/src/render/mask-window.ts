import { columnsOfText } from '@joblens/core/console/column-width';
import type { RowState, WindowState } from './renderer-state.js';
import { parseRow } from './screen-row.js';

/** The same screen with an x for each column of text: a later redraw needs no more of rows that are not stored. */
export function maskWindow(window: WindowState): WindowState {
  const rows = Object.entries(window.rows).map(([id, row]) => [id, maskRow(row)] as const);
  const { moved } = window;
  return { ...window, rows: Object.fromEntries(rows), ...(moved && { moved: { ...moved, texts: [] } }) };
}

function maskRow(row: RowState): RowState {
  if (typeof row === 'string') return maskText(row);
  if ('ansi' in row) return maskText(parseRow(row.ansi).text);
  const { isChanged, continues, wasPrintedAtEnd, redraw } = row;
  return {
    text: maskText(row.text),
    ...(isChanged && { isChanged }),
    ...(continues && { continues }),
    ...(wasPrintedAtEnd && { wasPrintedAtEnd }),
    ...(redraw && { redraw }),
  };
}

function maskText(text: string): string {
  return 'x'.repeat(columnsOfText(text));
}
