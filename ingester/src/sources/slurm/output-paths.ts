import { join } from 'node:path';

/** The values of the symbols in a file name pattern. */
interface PatternValues {
  readonly rawId: number;
  /** For a task of an array: the id shared by its tasks, and the task's index. */
  readonly array?: { readonly id: number; readonly task: number };
  readonly user: string;
  readonly name: string;
  /** The short name of the node that runs the batch script. */
  readonly host: string;
  readonly workdir: string;
}

/** Slurm pads a number to this many digits at most. */
const MAX_WIDTH = 10;
/** Slurm's number for none (NO_VAL in slurm.h), which appears in its output. */
const NO_VALUE = 4_294_967_294;
const NOWHERE: ReadonlySet<string> = new Set(['', 'none', '/dev/null']);

/**
 * Expands a file name pattern to the files of a batch script's output (sbatch manual, "filename pattern"). Gives two
 * files, only one of which will exist, if versions of Slurm differ on a symbol; none for `none` and /dev/null. The
 * script is task 0 of node 0, in step `batch`.
 */
export function expandOutputPath(pattern: string, values: PatternValues): string[] {
  if (NOWHERE.has(pattern)) return [];
  const absolute = pattern.startsWith('/') ? pattern : join(values.workdir, pattern);
  // With a backslash anywhere, no symbol is replaced, and the backslash is left out.
  const paths = absolute.includes('\\')
    ? [absolute.replaceAll('\\', '')]
    : [true, false].map((knowsModulo) => expandSymbols(absolute, values, knowsModulo));
  return [...new Set(paths)].filter((path) => !NOWHERE.has(path));
}

/** The default name that sbatch gives to a file. */
export function defaultOutputPattern(isArray: boolean): string {
  return isArray ? 'slurm-%A_%a.out' : 'slurm-%j.out';
}

/** `knowsModulo`: `%b` came after Slurm 22.05; before that it stays as it is, like any unknown symbol. */
function expandSymbols(pattern: string, values: PatternValues, knowsModulo: boolean): string {
  return pattern.replace(/%(\d*)([^\d]?)/g, (symbol: string, digits: string, letter: string) => {
    if (letter === '%' && digits === '') return '%';
    const text = letter === 'b' && !knowsModulo ? undefined : SYMBOLS[letter]?.(values);
    // Slurm keeps the last digit and the letter of an unknown symbol with a width.
    if (text === undefined) return digits === '' ? symbol : digits.slice(-1) + letter;
    return typeof text === 'number' ? String(text).padStart(Math.min(Number(digits), MAX_WIDTH), '0') : text;
  });
}

type ReadSymbol = (values: PatternValues) => string | number | undefined;

const SYMBOLS: Readonly<Record<string, ReadSymbol>> = {
  A: ({ array, rawId }) => array?.id ?? rawId,
  a: ({ array }) => array?.task ?? NO_VALUE,
  b: ({ array }) => array && array.task % 10,
  j: ({ rawId }) => rawId,
  J: ({ rawId }) => rawId,
  n: () => 0,
  t: () => 0,
  s: () => 'batch',
  N: ({ host }) => host,
  u: ({ user }) => user,
  x: ({ name }) => name,
};
