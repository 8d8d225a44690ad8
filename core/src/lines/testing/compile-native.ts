import type { CompilePattern } from '../line-pattern.js';

/** The engine of the language, for expressions that tests have written. */
export const compileNative: CompilePattern = (source) => {
  const expression = new RegExp(source);
  const names = [...source.matchAll(/\(\?<(\w+)>/g)].map(([, name = '']) => name);
  return {
    ok: true,
    value: {
      names,
      match(line) {
        const groups = expression.exec(line)?.groups;
        return groups && names.map((name) => groups[name] ?? '');
      },
    },
  };
};
