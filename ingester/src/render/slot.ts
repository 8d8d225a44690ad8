import type { RenderedRow } from './rendered-row.js';
import type { EditedRowState, ReturnedState, RowState } from './renderer-state.js';
import { parseRow, ScreenRow } from './screen-row.js';

/** A place on the screen. Rows may move between places; returned versions belong to the place. */
export interface Slot {
  /** Absent until somebody edits the row: it is then as returned, a complete line without trailing spaces, or new. */
  row: ScreenRow | undefined;
  returned: RenderedRow | undefined;
  /** Unchanged since the state was last taken. */
  isSaved: boolean;
}

export function createSlot(): Slot {
  return { row: undefined, returned: undefined, isSaved: false };
}

/** Creates the place of a complete line that was returned. `ansi`: its coloured form, if it has colours. */
export function createLineSlot(id: number, line: string, ansi: string | undefined): Slot {
  if (!endsWithSpace(line)) return { row: undefined, returned: formatLine(id, line, ansi), isSaved: false };
  const row = createLineRow(line, ansi);
  row.isChanged = false;
  row.judged = row.shownText;
  return { row, returned: formatRow(row, id, true), isSaved: false };
}

export function formatRow(row: ScreenRow, id: number, isComplete: boolean): RenderedRow {
  const { text, ansi, hasTrailingSpace } = row.format();
  const { continues } = row;
  const redrawn = isComplete ? row.formatRedrawn() : undefined;
  if (redrawn !== undefined) {
    return { id, text, ...(ansi !== undefined && { ansi }), isComplete, continues, hasTrailingSpace, redrawn };
  }
  if (ansi === undefined) return { id, text, isComplete, continues, hasTrailingSpace };
  return { id, text, ansi, isComplete, continues, hasTrailingSpace };
}

/** Formats a complete line without trailing spaces. */
export function formatLine(id: number, text: string, ansi: string | undefined): RenderedRow {
  if (ansi === undefined) return { id, text, isComplete: true, continues: false, hasTrailingSpace: false };
  return { id, text, ansi, isComplete: true, continues: false, hasTrailingSpace: false };
}

/** Formats a complete line, whose trailing spaces are cut. */
export function formatWholeLine(id: number, text: string, ansi: string | undefined): RenderedRow {
  return endsWithSpace(text) ? formatRow(createLineRow(text, ansi), id, true) : formatLine(id, text, ansi);
}

/** The row of a whole line. */
export function createLineRow(text: string, ansi: string | undefined): ScreenRow {
  return ansi === undefined ? new ScreenRow(text) : parseRow(ansi);
}

export function endsWithSpace(text: string): boolean {
  return text.charCodeAt(text.length - 1) === 0x20;
}

/** Makes a returned row editable. */
export function thawRow(returned: RenderedRow | undefined): ScreenRow {
  const row = returned?.ansi === undefined ? new ScreenRow(returned?.text) : parseRow(returned.ansi);
  row.isChanged = returned === undefined;
  row.judged = judgedAsReturned(returned);
  return row;
}

/** What was judged on a row that has only been returned. */
function judgedAsReturned(returned: RenderedRow | undefined): string {
  return returned?.isComplete === true ? returned.text : '';
}

/** Undefined for a new row. */
export function formatSlotState({ row, returned }: Slot): RowState | undefined {
  if (returned !== undefined && (row === undefined || isAsReturned(row, returned))) {
    return returned.ansi === undefined ? returned.text : { ansi: returned.ansi };
  }
  return row && formatEditedRow(row, returned);
}

function formatEditedRow(row: ScreenRow, returned: RenderedRow | undefined): EditedRowState {
  const { text, runs, isChanged, continues, wasPrintedAtEnd, judged, redraw } = row.toState();
  return {
    text,
    ...(runs.length > 0 && { runs }),
    ...(isChanged && { isChanged: true as const }),
    ...(continues && { continues: true as const }),
    ...(wasPrintedAtEnd && { wasPrintedAtEnd: true as const }),
    ...(returned !== undefined && { returned: formatReturned(returned) }),
    ...(redraw !== undefined && { redraw }),
    ...(judged !== judgedAsReturned(returned) && { judged }),
  };
}

/** Whether the row is only its text: it was returned as a complete line, without colours or trailing spaces. */
export function isPlainLine({ row, returned }: Slot): boolean {
  if (returned === undefined || returned.ansi !== undefined) return false;
  if (!returned.isComplete || returned.continues || returned.hasTrailingSpace) return false;
  return row === undefined || isAsReturned(row, returned);
}

function isAsReturned(row: ScreenRow, returned: RenderedRow): boolean {
  const isLine = returned.isComplete && !returned.continues && !returned.hasTrailingSpace;
  if (!isLine || row.isChanged || row.continues || !row.wasPrintedAtEnd) return false;
  return row.redraw === undefined && row.text === returned.text && row.judged === returned.text;
}

function formatReturned({ text, ansi, isComplete, continues, hasTrailingSpace }: RenderedRow): ReturnedState {
  return {
    text,
    ...(ansi !== undefined && { ansi }),
    ...(isComplete && { isComplete: true as const }),
    ...(continues && { continues: true as const }),
    ...(hasTrailingSpace && { hasTrailingSpace: true as const }),
  };
}

export function restoreSlot(id: number, state: RowState | undefined): Slot {
  if (state === undefined) return createSlot();
  if (typeof state === 'string') return { row: undefined, returned: formatLine(id, state, undefined), isSaved: false };
  if ('ansi' in state) {
    const text = parseRow(state.ansi).text;
    return { row: undefined, returned: formatLine(id, text, state.ansi), isSaved: false };
  }
  const { returned } = state;
  return { row: ScreenRow.fromState(state), returned: returned && restoreReturned(id, returned), isSaved: false };
}

function restoreReturned(id: number, { text, ansi, ...marks }: ReturnedState): RenderedRow {
  const { isComplete = false, continues = false, hasTrailingSpace = false } = marks;
  const row = { id, text, isComplete, continues, hasTrailingSpace };
  return ansi === undefined ? row : { ...row, ansi };
}
