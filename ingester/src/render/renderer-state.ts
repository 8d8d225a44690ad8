/** A style as in Style.codes, and the offset (UTF-16 units) where it begins in a row's text. */
export type RunState = readonly [offset: number, codes: string];

/** The version of a row that was returned last. */
export interface ReturnedState {
  readonly text: string;
  readonly ansi?: string;
  readonly isComplete?: true;
  readonly continues?: true;
  readonly hasTrailingSpace?: true;
}

/** Columns of a row; without an end, up to the end of the row. */
export interface Redraw {
  readonly start: number;
  readonly end?: number | undefined;
}

/** A row that has changed since it was returned, or is not simply a line. Absent flags are false. */
export interface EditedRowState {
  readonly text: string;
  readonly runs?: readonly RunState[];
  readonly isChanged?: true;
  readonly continues?: true;
  readonly wasPrintedAtEnd?: true;
  readonly returned?: ReturnedState;
  /** See ScreenRow.redraw. */
  readonly redraw?: Redraw;
  /** The text that was judged (ScreenRow.judged), where it is not the returned one of a complete row. */
  readonly judged?: string;
}

/** A row's state. A complete row that has not changed since it was returned is its text, or its coloured form. */
export type RowState = string | { readonly ansi: string } | EditedRowState;

export interface SavedCursorState {
  readonly rowId: number;
  readonly column: number;
  readonly style: string;
}

/** A control sequence or string that has begun. */
export interface ParserState {
  readonly state: string;
  readonly kind: string;
  readonly collected: string;
}

/** Cursor and modes. An absent field is as at the start. */
export interface ScreenState {
  /** Row from the top, and column. The column is absent behind the last character of the row. */
  readonly y: number;
  readonly x?: number;
  readonly style?: string;
  readonly margins?: readonly [top: number, bottom: number];
  readonly saved?: SavedCursorState;
  readonly isHomed?: true;
  readonly isMoved?: true;
  readonly alternate?: 'pending' | 'on';
}

export interface WindowState {
  /** The id of the first row on the screen, and the number of rows. Those missing in `rows` are new and empty. */
  readonly firstId: number;
  readonly length: number;
  /** The first row that was not returned as complete. */
  readonly firstIncompleteId: number;
  /** The rows by id. */
  readonly rows: Readonly<Record<string, RowState>>;
  /** Absent while the cursor has been on no row above the last. */
  readonly moved?: MovedTextsState;
}

/** The state of MovedTexts. */
export interface MovedTextsState {
  readonly touchedId: number;
  readonly texts: ReadonlyArray<readonly [id: number, text: string]>;
}

/** The state with which a renderer continues as if it had never stopped, as JSON. */
export interface RendererState {
  readonly window: WindowState;
  readonly screen: ScreenState;
  readonly parser?: ParserState;
  /** Bytes that wait for the rest of their character or control sequence, in base64. */
  readonly tail?: string;
}

/** Adds a change (`takeState('change')`) to an older whole state. */
export function mergeRendererState(older: RendererState, change: RendererState): RendererState {
  const { firstId, length } = change.window;
  const rows: Record<string, RowState> = {};
  for (const [id, row] of Object.entries(older.window.rows)) {
    if (Number(id) >= firstId && Number(id) < firstId + length) rows[id] = row;
  }
  return { ...change, window: { ...change.window, rows: Object.assign(rows, change.window.rows) } };
}
