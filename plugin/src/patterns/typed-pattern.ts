import { explainSyntax } from '@joblens/core/lines/explain-syntax';
import type { CompilePattern } from '@joblens/core/lines/line-pattern';
import { estimatePatternCost } from '@joblens/core/lines/pattern-cost';
import { err, ok, type Result } from '@joblens/core/result/result';
import type * as re2js from 're2js';

export type TextRange = readonly [start: number, end: number];

/** An expression that somebody typed. */
export interface TypedPattern {
  test(text: string): boolean;
  /** Where it matches, the first ones; a match of nothing counts as none. */
  findRanges(text: string): readonly TextRange[];
}

/** It takes some ten milliseconds to load, and few people type expressions: the first one loads it. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
const loadEngine = (): typeof re2js => require('re2js') as typeof re2js;

/** Longer expressions are nothing that somebody wrote. */
const MAX_CHARS = 4096;

/** A step takes up to 45 ns for each byte of a text, an instruction about 300 bytes. */
interface Bounds {
  readonly steps: number;
  readonly size: number;
}

/** The 4,000 lines of a page stay below a second or two. */
const BOUNDS_OF_SEARCH: Bounds = { steps: 200, size: 5000 };
/** The ingester's bounds. */
const BOUNDS_OF_RULE: Bounds = { steps: 600, size: 10_000 };
/** More matches of one text are not told. */
const MAX_RANGES = 500;
/** Each match may be looked for up to the end of the text: the matches of a long one end here. */
const RANGES_WITHIN_MS = 20;

/**
 * Compiles an expression that somebody typed, for an engine that runs in linear time (RE2): none can freeze the page,
 * as it could with the engine of the browser, and the store understands it alike. Gives the reason where it cannot.
 * `flags`: some of `ims`.
 */
export function compileTyped(source: string, flags = ''): Result<TypedPattern, string> {
  const engine = compile(source, flags, BOUNDS_OF_SEARCH);
  if (!engine.ok) return engine;
  return ok({ test: (text) => engine.value.test(text), findRanges: (text) => findRanges(engine.value, text) });
}

/** Compiles the expression of a rule in the same way: it may come from a link that somebody made. */
export const compileRule: CompilePattern = (source) => {
  const engine = compile(source, '', BOUNDS_OF_RULE);
  if (!engine.ok) return err({ message: engine.error });
  const groups = Object.entries(engine.value.namedGroups()).sort(([, a], [, b]) => a - b);
  const match = (line: string): readonly string[] | undefined => {
    const matcher = engine.value.matcher(line);
    return matcher.find() ? groups.map(([, group]) => matcher.group(group) ?? '') : undefined;
  };
  return ok({ names: groups.map(([name]) => name), match });
};

function compile(source: string, flags: string, bounds: Bounds): Result<re2js.RE2JS, string> {
  if (source.length > MAX_CHARS) return err(`The expression is longer than ${MAX_CHARS} characters`);
  const { steps, size } = estimatePatternCost(source);
  if (steps > bounds.steps || size > bounds.size)
    return err('The expression would take too long: write shorter repeats and fewer groups');
  const { RE2JS, RE2JSSyntaxException } = loadEngine();
  try {
    return ok(RE2JS.compile(source, readFlags(flags, RE2JS)));
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) return err('The expression is not valid');
    const fault = explainSyntax({ source, part: error.getPattern() ?? '', description: error.getDescription() });
    return err(fault.replace(/^t/, 'T'));
  }
}

function readFlags(flags: string, { CASE_INSENSITIVE, MULTILINE, DOTALL }: typeof re2js.RE2JS): number {
  const known = { i: CASE_INSENSITIVE, m: MULTILINE, s: DOTALL };
  return Object.entries(known).reduce((all, [flag, bit]) => (flags.includes(flag) ? all | bit : all), 0);
}

function findRanges(engine: re2js.RE2JS, text: string): readonly TextRange[] {
  if (!engine.test(text)) return [];
  const ranges: TextRange[] = [];
  const matcher = engine.matcher(text);
  const endMs = performance.now() + RANGES_WITHIN_MS;
  while (ranges.length < MAX_RANGES && matcher.find()) {
    if (matcher.end() > matcher.start()) ranges.push([matcher.start(), matcher.end()]);
    if (performance.now() > endMs) break;
  }
  return ranges;
}
