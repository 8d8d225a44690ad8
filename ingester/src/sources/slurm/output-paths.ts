import { join } from 'node:path';

/** The values of the symbols in a file name pattern. */
interface PatternValues {
  readonly rawId: number;
  /** For a task of an array: the id that its tasks share, and the task's index. */
  readonly array?: { readonly id: number; readonly task: number };
  readonly user: string;
  readonly name: string;
  /** The short name of the node that runs the batch script. */
  readonly host: string;
  readonly workdir: string;
}

/** Slurm pads a number to at most so many digits. */
const MAX_WIDTH = 10;
/** Slurm's number for none (NO_VAL in slurm.h), which it prints. */
const NO_VALUE = 4_294_967_294;
const NOWHERE: ReadonlySet<string> = new Set(['', 'none', '/dev/null']);

/**
 * The files that a batch script's output goes to by its file name pattern (sbatch manual, "filename pattern"): one, or
 * two where versions of Slurm differ on a symbol, of which one will exist; none for `none` and /dev/null. The script is
 * task 0 of node 0, in step `batch`.
 */
export function expandOutputPath(pattern: string, values: PatternValues): string[] {
  if (NOWHERE.has(pattern)) return [];
  const absolute = pattern.startsWith('/') ? pattern : join(values.workdir, pattern);
  // A backslash anywhere means that nothing is replaced, and is itself left out.
  const paths = absolute.includes('\\')
    ? [absolute.replaceAll('\\', '')]
    : [true, false].map((knowsModulo) => expandSymbols(absolute, values, knowsModulo));
  return [...new Set(paths)].filter((path) => !NOWHERE.has(path));
}

/** The name that sbatch gives to a file where the user gave none. */
export function defaultOutputPattern(isArray: boolean): string {
  return isArray ? 'slurm-%A_%a.out' : 'slurm-%j.out';
}

/** `knowsModulo`: `%b` came after Slurm 22.05; before, it stays as it is, like any symbol that is none. */
function expandSymbols(pattern: string, values: PatternValues, knowsModulo: boolean): string {
  return pattern.replace(/%(\d*)([^\d]?)/g, (symbol: string, digits: string, letter: string) => {
    if (letter === '%' && digits === '') return '%';
    const text = letter === 'b' && !knowsModulo ? undefined : SYMBOLS[letter]?.(values);
    // Slurm leaves of an unknown symbol with a width the last digit and the letter.
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
