import { err, ok, type Result } from '@joblens/core/result/result';
import { isBoundedValue } from '@joblens/core/json/bounded-json';
import type * as yaml from 'yaml';
import { findTooDeepYaml, MAX_YAML_DEPTH } from './bounded-yaml.js';
import {
  DEFAULT_LOG_CONFIG,
  explainWrongKind,
  listAllowed,
  type LogConfig,
  type LogOptionError,
  type ParsedOptions,
  parseLogOptions,
} from './log-config.js';

export interface OptInError {
  /** The place, from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ParsedOptIn {
  readonly config: LogConfig;
  /** Where keys of another version are, and the words among them. */
  readonly ignored: ReadonlyArray<Pick<OptInError, 'line' | 'column'> & { readonly word?: string }>;
}

const EMPTY: ParsedOptIn = { config: DEFAULT_LOG_CONFIG, ignored: [] };
const TOO_DEEP = `nested too deep; at most ${MAX_YAML_DEPTH} levels are read`;
const TOO_LARGE = 'aliases make it too large, or part of itself';

/**
 * Reads the text of an opt-in file: YAML with the options of LogConfig; empty means `mode: enabled`.
 * The first fault is the error, with its place.
 */
export async function parseOptIn(text: string): Promise<Result<ParsedOptIn, OptInError>> {
  // The usual file is empty and needs no YAML parser.
  if (text.trim() === '') return ok(EMPTY);
  const { Lexer, LineCounter, isNode, parseAllDocuments } = await import('yaml');
  const lineCounter = new LineCounter();
  const findLine = (offset: number): Pick<OptInError, 'line' | 'column'> => {
    const { line, col: column } = lineCounter.linePos(offset);
    return { line, column };
  };
  const fault = (offset: number, message: string): Result<never, OptInError> => err({ ...findLine(offset), message });

  const tooDeep = findTooDeepYaml(text, new Lexer());
  if (tooDeep !== undefined) {
    for (let at = 0; at >= 0; at = text.indexOf('\n', at) + 1 || -1) lineCounter.addNewLine(at);
    return fault(tooDeep, TOO_DEEP);
  }
  // Warnings of the parser would go to stderr.
  const options = { lineCounter, prettyErrors: false, logLevel: 'error' } as const;
  const [document, second] = [...parseAllDocuments(text, options)];
  if (document === undefined) return ok(EMPTY);
  const [syntaxError] = document.errors;
  // Some messages quote the text behind a colon; `The : indicator …` does not.
  const syntaxMessage = syntaxError?.message.split(/(?<=\S):/)[0];
  if (syntaxError !== undefined) {
    const hint = text.includes('regex') ? '; an expression needs single quotes around it' : '';
    return fault(syntaxError.pos[0], `not valid YAML: ${syntaxMessage}${hint}`);
  }
  if (second !== undefined) return fault(second.range[0], 'a second YAML document; one is allowed');

  const read = readOptions(document, isNode);
  if (!read.ok) return fault(read.error.offset, read.error.message);
  const { options: found, ignored } = read.value;
  return ok({
    config: { ...DEFAULT_LOG_CONFIG, ...found },
    ignored: ignored.map((key) => ({
      ...findLine(findKeyPlace(document, key, isNode)),
      ...(isWord(key) && { word: key }),
    })),
  });
}

/** The options of a document without a fault in its syntax. */
function readOptions(
  document: yaml.Document.Parsed,
  isNode: typeof yaml.isNode
): Result<ParsedOptions, { readonly offset: number; readonly message: string }> {
  const read = readValue(document);
  if (!read.ok || !isBoundedValue(read.value)) {
    return err({ offset: document.contents?.range[0] ?? 0, message: TOO_LARGE });
  }
  const { value } = read;
  if (value === null) return ok({ options: {}, ignored: [] });
  const found = parseLogOptions(value);
  if (found.ok) return found;
  return err({ offset: findPlace(document, found.error, isNode), message: explainOptionError(found.error) });
}

/** The offset of the value or key that is wrong, else of the whole. */
function findPlace(document: yaml.Document, error: LogOptionError, isNode: typeof yaml.isNode): number {
  const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
  const whole = startOf(document.contents) ?? 0;
  switch (error.kind) {
    case 'not-a-mapping':
      return whole;
    case 'wrong-kind':
      return startOf(document.getIn(['metadata', ...(error.item === undefined ? [] : [error.item])], true)) ?? whole;
    default:
      return findKeyPlace(document, error.option, isNode);
  }
}

/** The offset of a key as a plain value has it, which is a text there; else of the whole. */
function findKeyPlace(document: yaml.Document, key: string, isNode: typeof yaml.isNode): number {
  const { items = [] } = document.contents as Partial<yaml.YAMLMap<yaml.Node>>;
  const found = items.find((item) => String((item.key as Partial<yaml.Scalar>).value) === key)?.key;
  return (isNode(found) ? found : document.contents)?.range?.[0] ?? 0;
}

/** Quotes the file only where it has a single word, which can be no more than a slip. */
function explainOptionError(error: LogOptionError): string {
  const allowed = listAllowed(error);
  switch (error.kind) {
    case 'not-a-mapping':
      return `not a mapping of options; ${allowed}`;
    case 'misspelt-option': {
      const quoted = isWord(error.option) ? ` ${JSON.stringify(error.option)}` : '';
      return `unknown option${quoted}; is ${error.meant} meant? ${allowed}`;
    }
    case 'wrong-value': {
      const found = isWord(error.value) ? `is ${JSON.stringify(error.value)}` : 'has a value that is not allowed';
      return `option ${error.option} ${found}; ${allowed}`;
    }
    case 'wrong-kind':
      return `option ${error.option} is not valid: ${explainWrongKind(error)}`;
  }
}

function isWord(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || (typeof value === 'string' && /^[a-z]{0,12}$/i.test(value));
}

/** The plain value of a document, unless its aliases multiply beyond all bounds, which the parser refuses. */
function readValue(document: { toJS(): unknown }): Result<unknown, unknown> {
  try {
    return ok(document.toJS());
  } catch (cause) {
    return err(cause);
  }
}
