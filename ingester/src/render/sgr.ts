/** Colours and marks of a character. Equal styles have equal `codes`; `codes` are the SGR parameters that switch it on. */
export interface Style {
  readonly foreground: string;
  readonly background: string;
  /** One bit for each entry of MARKS. */
  readonly marks: number;
  readonly codes: string;
  /** Switches the style on where none is. */
  readonly on: string;
  readonly onBytes: Uint8Array;
}

export const DEFAULT_STYLE: Style = {
  foreground: '',
  background: '',
  marks: 0,
  codes: '',
  on: '',
  onBytes: Buffer.alloc(0),
};
const OFF = '\x1b[0m';
const OFF_BYTES = Buffer.from(OFF);

/** SGR codes that switch a mark on, in canonical order: bold, faint, italic, underlined, blinking, inverse, hidden, struck, double underline, overlined. */
const MARKS = [1, 2, 3, 4, 5, 7, 8, 9, 21, 53];
/** What each of these codes switches off. */
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

/** Styles are made once, and so is every way between two of them; all is forgotten when a program has used too many. */
const MEMORY_LIMIT = 4096;
let memorySize = 0;
const styles = new Map<string, Style>();
const afterParameters = new Map<Style, Map<string, Style>>();
const changes = new Map<Style, Map<Style, string>>();

function remember<Key, Value>(memory: Map<Style, Map<Key, Value>>, style: Style, key: Key, value: Value): Value {
  if (++memorySize > MEMORY_LIMIT) {
    for (const each of [styles, afterParameters, changes]) each.clear();
    memorySize = 0;
  }
  let known = memory.get(style);
  if (known === undefined) memory.set(style, (known = new Map<Key, Value>()));
  known.set(key, value);
  return value;
}

/** The style after `ESC [ parameters m`. Codes that are not known change nothing. */
export function applySgr(style: Style, parameters: string): Style {
  if (parameters === '' || parameters === '0') return DEFAULT_STYLE;
  const known = afterParameters.get(style)?.get(parameters);
  return known ?? remember(afterParameters, style, parameters, readSgr(style, parameters));
}

interface Draft {
  foreground: string;
  background: string;
  marks: number;
}

function readSgr(style: Style, parameters: string): Style {
  const draft: Draft = { foreground: style.foreground, background: style.background, marks: style.marks };
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
  return createStyle(draft);
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
  const mark = MARKS.indexOf(code === 6 ? 5 : code);
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
  return 1 << MARKS.indexOf(code);
}

function createStyle({ foreground, background, marks }: Draft): Style {
  const codes = MARKS.filter((_, i) => (marks & (1 << i)) !== 0).map(String);
  if (foreground !== '') codes.push(foreground);
  if (background !== '') codes.push(background);
  if (codes.length === 0) return DEFAULT_STYLE;
  const key = codes.join(';');
  const on = `\x1b[${key}m`;
  const style = styles.get(key) ?? { foreground, background, marks, codes: key, on, onBytes: Buffer.from(on) };
  styles.set(key, style);
  return style;
}

/** The shortest of the two ways from one style to the other: add what is new, or reset and set all. */
export function formatSgrChange(from: Style, to: Style): string {
  if (from === to) return '';
  if (to === DEFAULT_STYLE) return OFF;
  if (from === DEFAULT_STYLE) return to.on;
  if (from.codes === to.codes) return '';
  return changes.get(from)?.get(to) ?? remember(changes, from, to, createSgrChange(from, to));
}

/** The same as bytes. */
export function encodeSgrChange(from: Style, to: Style): Uint8Array {
  if (from === to) return DEFAULT_STYLE.onBytes;
  if (to === DEFAULT_STYLE) return OFF_BYTES;
  return from === DEFAULT_STYLE ? to.onBytes : Buffer.from(formatSgrChange(from, to));
}

function createSgrChange(from: Style, to: Style): string {
  const keepsMarks = (from.marks & to.marks) === from.marks;
  const keepsColours =
    (from.foreground === '' || to.foreground !== '') && (from.background === '' || to.background !== '');
  if (!keepsMarks || !keepsColours) return `\x1b[0;${to.codes}m`;
  const added = MARKS.filter((_, i) => (to.marks & ~from.marks & (1 << i)) !== 0).map(String);
  if (to.foreground !== from.foreground) added.push(to.foreground);
  if (to.background !== from.background) added.push(to.background);
  return `\x1b[${added.join(';')}m`;
}
