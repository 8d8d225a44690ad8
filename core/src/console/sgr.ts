/** The colours and marks that SGR sequences have set so far. */
export interface SgrState {
  /**
   * SGR parameters that set the colour in canonical form (`31`, `38;5;208`, `38;2;1;2;3`); '' is the default colour.
   */
  readonly foreground: string;
  readonly background: string;
  /** One bit for each entry of SGR_MARKS. */
  readonly marks: number;
}

/**
 * SGR codes that switch a mark on, in canonical order: bold, faint, italic, underlined, blinking, inverse, hidden,
 * struck, double underline, overlined.
 */
export const SGR_MARKS: readonly number[] = [1, 2, 3, 4, 5, 7, 8, 9, 21, 53];
/** The marks that each of these codes switches off. */
const MARKS_OFF = new Map<number, readonly number[]>([
  [22, [1, 2]],
  [23, [3]],
  [24, [4, 21]],
  [25, [5]],
  [27, [7]],
  [28, [8]],
  [29, [9]],
  [55, [53]],
]);

interface Draft {
  foreground: string;
  background: string;
  marks: number;
}

/**
 * The state after `ESC [ parameters m` (ECMA-48, colours with `:` as in ISO 8613-6). Unknown codes and impossible
 * colours change nothing.
 * @param parameters digits, `;` and `:` only
 */
export function applySgrParameters(state: SgrState, parameters: string): SgrState {
  const draft: Draft = { foreground: state.foreground, background: state.background, marks: state.marks };
  const items = parameters.split(';');
  for (let i = 0; i < items.length; i++) {
    const item = items[i] ?? '';
    if (item.includes(':')) {
      applySubParameters(draft, item.split(':'));
      continue;
    }
    const code = item === '' ? 0 : Number(item);
    if (code === 38 || code === 48 || code === 58) {
      const length = items[i + 1] === '5' ? 2 : items[i + 1] === '2' ? 4 : 0;
      setColour(draft, code, items.slice(i + 1, i + 1 + length));
      i += length;
    } else applyCode(draft, code);
  }
  return draft;
}

/** `38:5:n`, `38:2:r:g:b`, `38:2::r:g:b` (with a colour space), `4:n` (kind of underline). */
function applySubParameters(draft: Draft, parts: readonly string[]): void {
  const code = Number(parts[0]);
  if (code === 4) applyCode(draft, parts[1] === '0' ? 24 : parts[1] === '2' ? 21 : 4);
  else if (parts[1] === '2' && parts.length > 5) setColour(draft, code, ['2', ...parts.slice(3, 6)]);
  else setColour(draft, code, parts.slice(1));
}

function setColour(draft: Draft, code: number, parts: readonly string[]): void {
  if (parts.length !== (parts[0] === '5' ? 2 : 4)) return;
  const numbers = parts.slice(1).map(Number);
  if (numbers.some((value) => !(value <= 255))) return;
  const codes = `${code};${parts[0] ?? ''};${numbers.join(';')}`;
  if (code === 38) draft.foreground = codes;
  if (code === 48) draft.background = codes;
}

function applyCode(draft: Draft, code: number): void {
  const mark = SGR_MARKS.indexOf(code === 6 ? 5 : code);
  const off = MARKS_OFF.get(code);
  if (code === 0) Object.assign(draft, { foreground: '', background: '', marks: 0 });
  else if (code === 4) draft.marks = (draft.marks & ~markBit(21)) | markBit(4);
  else if (code === 21) draft.marks = (draft.marks & ~markBit(4)) | markBit(21);
  else if (mark >= 0) draft.marks |= 1 << mark;
  else if (off !== undefined) draft.marks &= ~off.reduce((bits, each) => bits | markBit(each), 0);
  else applyColourCode(draft, code);
}

function applyColourCode(draft: Draft, code: number): void {
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) draft.foreground = String(code);
  else if (code === 39) draft.foreground = '';
  else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) draft.background = String(code);
  else if (code === 49) draft.background = '';
}

function markBit(code: number): number {
  return 1 << SGR_MARKS.indexOf(code);
}
