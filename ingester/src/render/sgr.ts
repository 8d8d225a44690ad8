import { applySgrParameters, SGR_MARKS, type SgrState } from '@joblens/core/console/sgr';

/**
 * Colours and attributes of a character. Equal styles have equal `codes`, the SGR parameters that switch the style on.
 */
export interface Style extends SgrState {
  readonly codes: string;
  /** The sequence that switches the style on where none is. */
  readonly on: string;
}

export const DEFAULT_STYLE: Style = {
  foreground: '',
  background: '',
  marks: 0,
  codes: '',
  on: '',
};
const OFF = '\x1b[0m';

/** Each style, and each change between two, is made once. When a program has used this many, all are forgotten. */
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

/** The style after `ESC [ parameters m`. Unknown codes change nothing. */
export function applySgr(style: Style, parameters: string): Style {
  if (parameters === '' || parameters === '0') return DEFAULT_STYLE;
  const known = afterParameters.get(style)?.get(parameters);
  return known ?? remember(afterParameters, style, parameters, createStyle(applySgrParameters(style, parameters)));
}

function createStyle({ foreground, background, marks }: SgrState): Style {
  const codes = SGR_MARKS.filter((_, i) => (marks & (1 << i)) !== 0).map(String);
  if (foreground !== '') codes.push(foreground);
  if (background !== '') codes.push(background);
  if (codes.length === 0) return DEFAULT_STYLE;
  const key = codes.join(';');
  const on = `\x1b[${key}m`;
  const style = styles.get(key) ?? { foreground, background, marks, codes: key, on };
  styles.set(key, style);
  return style;
}

/**
 * The escape sequence that changes one style into the other. It adds the new codes if that is enough; else it resets
 * and sets all.
 */
export function formatSgrChange(from: Style, to: Style): string {
  if (from === to) return '';
  if (to === DEFAULT_STYLE) return OFF;
  if (from === DEFAULT_STYLE) return to.on;
  if (from.codes === to.codes) return '';
  return changes.get(from)?.get(to) ?? remember(changes, from, to, createSgrChange(from, to));
}

function createSgrChange(from: Style, to: Style): string {
  const keepsMarks = (from.marks & to.marks) === from.marks;
  const keepsColours =
    (from.foreground === '' || to.foreground !== '') && (from.background === '' || to.background !== '');
  if (!keepsMarks || !keepsColours) return `\x1b[0;${to.codes}m`;
  const added = SGR_MARKS.filter((_, i) => (to.marks & ~from.marks & (1 << i)) !== 0).map(String);
  if (to.foreground !== from.foreground) added.push(to.foreground);
  if (to.background !== from.background) added.push(to.background);
  return `\x1b[${added.join(';')}m`;
}
