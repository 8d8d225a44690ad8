import type { ComparedFact } from '../comparison/compare-jobs.js';

/** Whether a reason speaks of a fact. */
export type Hint = (fact: Pick<ComparedFact, 'name' | 'kind' | 'values'>) => boolean;

/** Words of reasons, and the names of facts that often are behind them. */
const HINTS: ReadonlyArray<readonly [reason: RegExp, fact: RegExp]> = [
  [/memory|\bOOM\b/i, /memory|batch|^asked_gpus$|^gpus$|\.(?:\w*(?:length|size|len))$/],
  [/time limit/, /^time_limit_s$|epochs|steps|iterations/],
  [/ECC|Xid|node failure|uncorrectable|Input\/output error|fell off the bus/i, /^host$/],
  [/CUDA error|CUDNN|driver|no kernel image/i, /^(?:driver|gpus|host)$/],
  [/NCCL|collective|MPI|connection/i, /^(?:nodes|env\.(?:NCCL|UCX|OMPI|GLOO|FI)_.*)$/],
  [
    /No module named|ImportError|has no attribute|unexpected keyword|undefined symbol|shared librar/i,
    /^(?:packages|interpreter|lock\..*|modules|container)$/,
  ],
  [/NaN|not finite|diverge/i, /(?:^|[._])(?:lr|learning_rate|momentum|precision|dtype)$|seed/i],
  [/No such file|FileNotFound|Permission denied/i, /^input\.|(?:^|[._])(?:path|data|dir|file|root)$/i],
  [/Illegal instruction/i, /^(?:cpu|container|modules|host)$/],
];

/** Shorter texts are in many sentences. */
const MIN_CHARS = 4;

/** What a reason speaks of: by its words, or by the name or value of a fact that stands in it. */
export function listHints(reason: string | undefined): readonly Hint[] {
  if (reason === undefined) return [];
  const found = HINTS.filter(([words]) => words.test(reason)).map(
    ([, names]): Hint =>
      ({ name }) =>
        names.test(name)
  );
  const isNamed: Hint = ({ kind, name, values }) => {
    const last = name.slice(name.lastIndexOf('.') + 1);
    const value = values.at(-1);
    return (
      (kind === 'config' && last.length >= MIN_CHARS && reason.includes(last)) ||
      (typeof value === 'string' && value.length >= MIN_CHARS && reason.includes(value))
    );
  };
  return [...found, isNamed];
}
