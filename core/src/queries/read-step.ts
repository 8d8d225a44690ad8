import type { Statement } from '../influxql/nodes.js';
import type { ReadableResult } from './result-rows.js';

/** What to ask the store, and the reader of its answer, which may ask again. */
export interface AskStep<Done> {
  readonly kind: 'ask';
  readonly statements: readonly Statement[];
  /** Set if each of the statements may take long: asked apart and at the same time, they are done earlier. */
  readonly isSlow?: true;
  readonly read: (results: readonly ReadableResult[]) => ReadStep<Done>;
}

/** A reading of several questions: the next ones, or what was read. */
export type ReadStep<Done> = AskStep<Done> | Done;
