import type * as yaml from 'yaml';

const OPENING: ReadonlySet<string> = new Set(['[', '{']);
const CLOSING: ReadonlySet<string> = new Set([']', '}']);
const INDICATORS: ReadonlySet<string> = new Set(['-', '?', ':']);
/** Marks of the lexer: the start of a document, and of a plain scalar. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u001f', '\u0018']);

/** Nobody writes options nested deeper than this. */
export const MAX_YAML_DEPTH = 100;

/**
 * The offset where YAML is nested too deep; ask before it is parsed. The parser has no stack for some thousand levels
 * and then may end the process; of nested `? `, a few hundred take it minutes.
 */
export function findTooDeepYaml(text: string, lexer: yaml.Lexer): number | undefined {
  const columns: number[] = [];
  let [offset, lineStart, flowDepth] = [0, 0, 0];
  let isLineStart = true;
  for (const token of lexer.lex(text)) {
    if (MARKS.has(token)) continue;
    const isSpace = /^\s*$/.test(token);
    const beginsBlock = isLineStart || INDICATORS.has(token);
    if (OPENING.has(token)) flowDepth += 1;
    else if (CLOSING.has(token)) flowDepth -= 1;
    else if (flowDepth === 0 && !isSpace && beginsBlock) nest(columns, offset - lineStart);
    if (columns.length + flowDepth > MAX_YAML_DEPTH) return offset;
    isLineStart = token.includes('\n') || (isLineStart && isSpace);
    offset += token.length;
    if (token.includes('\n')) lineStart = offset - (token.length - 1 - token.lastIndexOf('\n'));
  }
  return undefined;
}

/** A block at this column ends those further right. */
function nest(columns: number[], column: number): void {
  while ((columns.at(-1) ?? -1) > column) columns.pop();
  if (columns.at(-1) !== column) columns.push(column);
}
