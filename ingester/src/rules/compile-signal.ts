import type { CompileSignal } from '@joblens/core';
import { err, ok } from '@joblens/core';
import { loadEngine } from './compile-pattern.js';

/** Compiles a regular expression that runs in linear time (RE2). A fault quotes nothing of it. */
export const compileSignal: CompileSignal = (source) => {
  try {
    const engine = loadEngine().RE2JS.compile(source);
    return ok((line) => {
      const matcher = engine.matcher(line);
      return matcher.find() ? (matcher.group() ?? '') : undefined;
    });
  } catch {
    return err('its regex is not valid; RE2 has neither look-around nor back-references');
  }
};
