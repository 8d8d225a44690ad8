import type { ProgressReading } from './read-progress.js';

/** The keys of a config, or of a row, that say how many epochs or steps there are in all. */
const TOTAL_KEYS: Readonly<Record<string, readonly string[]>> = {
  epoch: ['epochs', 'num_epochs', 'max_epochs', 'n_epochs', 'num_train_epochs', 'total_epochs', 'nepochs'],
  step: ['steps', 'num_steps', 'max_steps', 'total_steps', 'train_steps', 'num_train_steps', 'global_steps'],
};

/** The label of a column `progress`, which says how much of the whole job is done. */
export const PROGRESS_COLUMN = 'column progress';

/** How many units there are in all, as told so far; of a column `progress`, whether it is a percentage (100). */
export type Totals = Map<string, number>;

/** Reads a metadata row or the job's config, and keeps the totals that it tells. */
export function readValues(values: ReadonlyMap<string, unknown>, totals: Totals): readonly ProgressReading[] {
  for (const [label, keys] of Object.entries(TOTAL_KEYS)) {
    const total = keys.map((key) => readNumber(values, key)).find((value) => value >= 1);
    if (total !== undefined) totals.set(label, total);
  }
  const progress = readNumber(values, 'progress');
  // Percent, once it has been more than 1.
  if (progress > 1 && progress <= 100) totals.set('progress', 100);
  return [
    ...Object.keys(TOTAL_KEYS).flatMap((key) => read(`column ${key}`, readNumber(values, key), totals.get(key))),
    ...read(PROGRESS_COLUMN, progress, totals.get('progress') ?? 1),
  ];
}

function read(label: string, done: number, total = NaN): readonly ProgressReading[] {
  return done >= 0 && done <= total ? [{ label, fraction: done / total, total, isHeading: false }] : [];
}

/** NaN when there is none. */
function readNumber(values: ReadonlyMap<string, unknown>, key: string): number {
  const value = values.get(key);
  return typeof value === 'number' ? value : NaN;
}
