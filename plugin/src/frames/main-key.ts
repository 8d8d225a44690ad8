import { isUsageKey } from '@joblens/core/ask/tables/job-usage';

/** People watch the loss, then what tells how good it is; then the first number that is printed. */
const MAIN_KEYS = [/^(train[/_.-])?loss$/i, /loss|residual|error/i, /acc|score|reward|f1|auc/i];

/** A lower rank is watched more. */
export function rankKey(key: string): number {
  const rank = MAIN_KEYS.findIndex((pattern) => pattern.test(key));
  return rank === -1 ? MAIN_KEYS.length : rank;
}

/** The number that people watch first, of the numeric keys of a table in printed order; never X, or what a job used. */
export function chooseMainKey(keys: readonly string[], xKey: string | undefined): string | undefined {
  const candidates = keys.filter((key) => key !== xKey && !isUsageKey(key));
  return candidates.sort((a, b) => rankKey(a) - rankKey(b))[0];
}
