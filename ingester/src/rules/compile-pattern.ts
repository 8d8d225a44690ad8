import type * as re2js from 're2js';
import type { LinePattern, PatternFault, Result } from '@joblens/core';
import { err, ok } from '@joblens/core';

/** The engine takes some ten milliseconds to load, and few people have expressions: the first one loads it. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
export const loadEngine = (): typeof re2js => require('re2js') as typeof re2js;

/** Longer expressions are nothing that somebody wrote, and cost memory. */
const MAX_CHARS = 4096;
const MAX_GROUPS = 200;
const UNKNOWN_TO_RE2 = /^(?:\(\?<?[=!]|\\[1-9k])/;

/** Compiles a regular expression with named groups, which runs in linear time (RE2). A fault quotes nothing of it. */
export function compilePattern(source: string): Result<LinePattern, PatternFault> {
  if (source.length > MAX_CHARS) return err({ message: `the expression is longer than ${MAX_CHARS} characters` });
  const { RE2JS, RE2JSSyntaxException } = loadEngine();
  try {
    const engine = RE2JS.compile(source);
    const groups = Object.entries(engine.namedGroups()).sort(([, a], [, b]) => a - b);
    if (groups.length === 0) return err({ message: 'the expression has no named group, such as (?<loss>[-.\\de]+)' });
    if (groups.length > MAX_GROUPS) return err({ message: `the expression has more than ${MAX_GROUPS} named groups` });
    return ok({
      names: groups.map(([name]) => name),
      match(line) {
        const matcher = engine.matcher(line);
        return matcher.find() ? groups.map(([, group]) => matcher.group(group) ?? '') : undefined;
      },
    });
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) return err({ message: 'the expression is not valid' });
    const part = error.getPattern() ?? '';
    const at = part === source ? -1 : source.indexOf(part);
    const place = at < 0 ? '' : ` at its character ${at + 1}`;
    const hint = UNKNOWN_TO_RE2.test(part) ? '; RE2 has neither look-around nor back-references' : '';
    return err({ message: `the expression is not valid${place}: ${error.getDescription()}${hint}` });
  }
}
