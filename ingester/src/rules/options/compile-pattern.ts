import type * as re2js from 're2js';
import type { LinePattern, PatternFault } from '@joblens/core/lines/line-pattern';
import { err, ok, type Result } from '@joblens/core/result/result';
import { explainSyntax } from '@joblens/core/lines/explain-syntax';
import { PatternBudget } from './pattern-budget.js';

/** The engine takes some ten milliseconds to load, and few people have expressions: the first one loads it. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
const loadEngine = (): typeof re2js => require('re2js') as typeof re2js;

/** Jobs with the same expressions share them. */
const engines = new Map<string, WeakRef<re2js.RE2JS>>();
const MAX_KNOWN_ENGINES = 1000;

/** Throws RE2JSSyntaxException. Charge a PatternBudget before. */
export function compileEngine(source: string): re2js.RE2JS {
  const known = engines.get(source)?.deref();
  if (known !== undefined) return known;
  const engine = loadEngine().RE2JS.compile(source);
  if (engines.size >= MAX_KNOWN_ENGINES) engines.clear();
  engines.set(source, new WeakRef(engine));
  return engine;
}

const MAX_GROUPS = 200;

/**
 * Compiles a regular expression with named groups, which runs in linear time (RE2), unless it costs more than is left.
 * A fault quotes nothing of it.
 */
export function compilePattern(source: string, budget = new PatternBudget()): Result<LinePattern, PatternFault> {
  const charged = budget.charge(source);
  if (!charged.ok) return charged;
  try {
    const engine = compileEngine(source);
    const groups = Object.entries(engine.namedGroups()).sort(([, a], [, b]) => a - b);
    if (groups.length === 0) return err({ message: 'the expression has no named group, such as (?<loss>[-.\\de]+)' });
    if (groups.length > MAX_GROUPS) return err({ message: `the expression has more than ${MAX_GROUPS} named groups` });
    return ok({
      names: groups.map(([name]) => name),
      match(line) {
        if (!budget.allows(line)) return undefined;
        const matcher = engine.matcher(line);
        return matcher.find() ? groups.map(([, group]) => matcher.group(group) ?? '') : undefined;
      },
    });
  } catch (error) {
    if (!(error instanceof loadEngine().RE2JSSyntaxException)) return err({ message: 'the expression is not valid' });
    const [part, description] = [error.getPattern() ?? '', error.getDescription()];
    return err({ message: explainSyntax({ source, part, description }) });
  }
}
