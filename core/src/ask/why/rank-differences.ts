import { type ComparedFact, type Risk, RISKS } from '../comparison/compare-jobs.js';
import { formatFact } from '../comparison/format-fact.js';
import { listHints } from './reason-hints.js';

/** What is other in a job that failed than in those that had not. */
export interface Difference {
  readonly risk: Risk;
  /** `config.optimizer.lr`, `packages`, `code`. */
  readonly name: string;
  /** In words: `0.1 → 10`. */
  readonly text: string;
}

/** Texts of the newest of the jobs that went well and of the one that failed. */
export interface ComparedTexts {
  readonly packages?: readonly [before: readonly string[], after: readonly string[]];
  readonly patch?: readonly [before: readonly string[], after: readonly string[]];
}

interface Request {
  /** Facts of the jobs that went well, the newest first, and of the one that failed, which is the last. */
  readonly facts: readonly ComparedFact[];
  readonly reason: string | undefined;
  readonly texts?: ComparedTexts;
}

interface Ranked extends Difference {
  readonly fact: ComparedFact;
  readonly isHinted: boolean;
  readonly isSteady: boolean;
}

/** These tell of nothing that a run was given. */
const OF_RESULT: ReadonlySet<ComparedFact['kind']> = new Set(['outcome', 'result']);

/**
 * What differs, the likeliest cause first: what the reason speaks of, then what all that went well had in common, each
 * by risk. A value that one of those had, too, explains nothing and is left out.
 */
export function rankDifferences({ facts, reason, texts = {} }: Request): readonly Difference[] {
  const hints = listHints(reason);
  const ranked = facts.flatMap((fact): Ranked[] => {
    if (OF_RESULT.has(fact.kind) || fact.name === 'name' || !isNew(fact)) return [];
    const before = fact.values.slice(0, -1);
    return [
      {
        ...{ fact, risk: fact.risk, name: fact.name, text: formatChange(fact) },
        isHinted: hints.some((hint) => hint(fact)),
        isSteady: before.every((value) => value === before[0]) && !isOfRun(fact),
      },
    ];
  });
  return joinAlike(ranked, texts)
    .sort((a, b) => rank(a) - rank(b) || RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk))
    .map(({ risk, name, text }) => ({ risk, name, text }));
}

function rank({ isHinted, isSteady }: Ranked): number {
  return (isHinted ? 0 : 2) + (isSteady ? 0 : 1);
}

/** Whether no job that went well had the value. */
function isNew({ values, differs }: ComparedFact): boolean {
  return differs && !values.slice(0, -1).includes(values.at(-1));
}

/** Where a run is and what it is called, which is other each time; with one job to compare with, nothing else tells. */
function isOfRun({ name, values }: ComparedFact): boolean {
  return (
    values.length < 3 &&
    /^(?:folder|host|name|seed\..*|.*\.seed|env\.SLURM_.*|.*(?:out|output|dir|run_?id))$/.test(name)
  );
}

function formatChange(fact: ComparedFact): string {
  const [before, after] = cutShared(formatFact(fact, 0), formatFact(fact, fact.values.length - 1));
  if (fact.values[0] === undefined) return `only now: ${after}`;
  return fact.values.at(-1) === undefined ? `no longer ${before}` : `${before} → ${after}`;
}

/** A longer beginning or end that two texts share is left out of both. */
const MAX_SHARED = 24;

function cutShared(before: string, after: string): readonly [string, string] {
  const [a, b] = [before.split(' '), after.split(' ')];
  const isOther = (word: string, at: number): boolean => word !== b[at];
  const start = Math.max(0, a.findIndex(isOther));
  const ends = [a.toReversed(), b.toReversed()] as const;
  const end = Math.max(
    0,
    ends[0].findIndex((word, at) => word !== ends[1][at])
  );
  const isLong =
    a.slice(0, start).join(' ').length > MAX_SHARED || a.slice(a.length - end).join(' ').length > MAX_SHARED;
  if (!isLong) return [before, after];
  // The word before is often the name of the option.
  const from = Math.max(0, start - 1);
  const cut = (words: readonly string[]): string => {
    const stop = Math.max(start, words.length - end);
    return [...(from > 0 ? ['…'] : []), ...words.slice(from, stop), ...(stop < words.length ? ['…'] : [])].join(' ');
  };
  return [cut(a), cut(b)];
}

/** Code and packages are a line each, whatever tells that they differ. */
function joinAlike(ranked: readonly Ranked[], texts: ComparedTexts): Ranked[] {
  const code = ranked.filter(({ fact }) => fact.kind === 'code');
  const packages = ranked.filter(({ name }) => name === 'packages' || name.startsWith('lock.'));
  const others = ranked.filter((one) => !code.includes(one) && !packages.includes(one));
  return [
    ...joinOne(code, 'code', formatCode(code, texts)),
    ...joinOne(packages, 'packages', formatPackages(packages, texts)),
    ...others,
  ];
}

function joinOne(parts: readonly Ranked[], name: string, text: string): Ranked[] {
  const [first] = parts;
  if (first === undefined) return [];
  const [isHinted, isSteady] = [parts.some((part) => part.isHinted), parts.some((part) => part.isSteady)];
  return [{ ...first, name, text, isHinted, isSteady }];
}

/** `commit 1a2b → 3c4d, patch of 12 lines, changed train.py, data.py`. */
function formatCode(parts: readonly Ranked[], { patch }: ComparedTexts): string {
  const find = (name: string): Ranked | undefined => parts.find((part) => part.name === name);
  const [commit, changes, script] = [find('git.commit'), find('patch'), find('script')];
  const files = patch === undefined ? [] : listChangedFiles(patch);
  const known = [
    commit && `commit ${commit.text}`,
    changes && `uncommitted changes ${changes.text}`,
    files.length > 0 && `in ${joinSome(files)}`,
    script && `script ${script.text}`,
  ].filter((part) => typeof part === 'string');
  return known.length > 0 ? known.join(', ') : parts.map(({ name, text }) => `${name} ${text}`).join(', ');
}

const FILE = /^diff --git a\/(.+) b\//;
const MAX_NAMED = 4;

/** The files of which the later patch says something else. */
function listChangedFiles([before, after]: NonNullable<ComparedTexts['patch']>): readonly string[] {
  const [old, current] = [splitPatch(before), splitPatch(after)];
  const names = new Set([...current.keys(), ...old.keys()]);
  return [...names].filter((name) => old.get(name) !== current.get(name));
}

function splitPatch(lines: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  let name: string | undefined;
  for (const line of lines) {
    name = FILE.exec(line)?.[1] ?? name;
    if (name !== undefined) files.set(name, `${files.get(name) ?? ''}${line}\n`);
  }
  return files;
}

function formatPackages(parts: readonly Ranked[], { packages }: ComparedTexts): string {
  const changes = packages === undefined ? [] : listPackageChanges(packages);
  if (changes.length > 0) return joinSome(changes);
  return parts
    .map(({ name, text }) => (name === 'packages' ? text : `${name.slice('lock.'.length)} ${text}`))
    .join(', ');
}

/** `numpy 1.23.5 → 1.24.0`, `einops 0.8 is new`, `six 1.16 is gone`. */
function listPackageChanges([before, after]: NonNullable<ComparedTexts['packages']>): readonly string[] {
  const [old, current] = [readPackages(before), readPackages(after)];
  const names = [...new Set([...current.keys(), ...old.keys()])];
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), current.get(name)];
    if (was === is) return [];
    if (was === undefined) return `${name} ${is} is new`;
    return is === undefined ? `${name} ${was} is gone` : `${name} ${was} → ${is}`;
  });
}

/** Lines `numpy==1.23.5`, as pip writes them; conda's have one `=`. */
function readPackages(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const at = line.search(/[=@ ]/);
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at).replace(/^[=@ ]{1,9}/, '')] as const];
    })
  );
}

function joinSome(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
