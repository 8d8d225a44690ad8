import type { CompilePattern } from '@joblens/core/lines/line-pattern';
import { err, ok } from '@joblens/core/result/result';

/** An escaped character, or the beginning of a named group. */
const GROUPS = /\\.|\(\?P?<([A-Za-z_]\w*)>/g;

/** For expressions that core has made, which match in linear time with the engine of the browser, too. */
export const compilePattern: CompilePattern = (source) => {
  try {
    const expression = new RegExp(source.replace(GROUPS, (text, name) => (name === undefined ? text : `(?<${name}>`)));
    const names = [...source.matchAll(GROUPS)].flatMap(([, name]) => (name === undefined ? [] : [name]));
    const match = (line: string): readonly string[] | undefined => {
      const groups = expression.exec(line)?.groups;
      return groups && names.map((name) => groups[name] ?? '');
    };
    return ok({ names, match });
  } catch (error) {
    return err({ message: error instanceof Error ? error.message : String(error) });
  }
};

/** The same lines for the store: InfluxDB before 1.11 knows no named group of this form. */
export function formatStorePattern(source: string): string {
  return source.replace(GROUPS, (text, name: string | undefined) => (name === undefined ? text : '(?:'));
}
