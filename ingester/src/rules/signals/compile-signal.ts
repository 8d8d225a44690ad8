import type { CompileSignal } from '@joblens/core/signals/own-patterns';
import { err, ok } from '@joblens/core/result/result';
import { compileEngine } from '../options/compile-pattern.js';
import { PatternBudget } from '../options/pattern-budget.js';

/** Compiles regular expressions that run in linear time (RE2). A fault quotes nothing of them. */
export function createSignalCompiler(budget = new PatternBudget()): CompileSignal {
  return (source) => {
    const charged = budget.charge(source);
    if (!charged.ok) return err(charged.error.message);
    try {
      const engine = compileEngine(source);
      return ok((line) => {
        const matcher = engine.matcher(line);
        return matcher.find() ? (matcher.group() ?? '') : undefined;
      });
    } catch {
      return err('its regex is not valid; RE2 has neither look-around nor back-references');
    }
  };
}
