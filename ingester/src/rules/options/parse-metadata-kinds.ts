import { type MetadataKind, PRESET_NAMES } from '@joblens/core/lines/metadata-kind';
import { err, ok, type Result } from '@joblens/core/result/result';
import { compilePattern } from './compile-pattern.js';
import { PatternBudget } from './pattern-budget.js';

/** A fault in the option `metadata`. */
export interface KindsFault {
  /** The place in the list, from 0; undefined for the list itself. */
  readonly item: number | undefined;
  /** Quotes nothing of the value. */
  readonly message: string;
}

const WORDS = ['json', 'python-dict', 'logfmt'] as const;
const PRESETS = ['auto', ...PRESET_NAMES] as const;
const MAX_KINDS = 50;

export const KINDS_TEXT = `a list of ${WORDS.join(', ')}, {regex: …}, {preset: …}`;

/** Reads the option `metadata`: a list of kinds, or one kind. */
export function parseMetadataKinds(value: unknown): Result<readonly MetadataKind[], KindsFault> {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > MAX_KINDS) return err({ item: undefined, message: `at most ${MAX_KINDS} kinds are allowed` });
  const kinds: MetadataKind[] = [];
  const budget = new PatternBudget();
  for (const [i, item] of items.entries()) {
    const kind = parseKind(item, budget);
    if (!kind.ok) return err({ item: Array.isArray(value) ? i : undefined, message: kind.error });
    kinds.push(kind.value);
  }
  return ok(kinds);
}

function parseKind(item: unknown, budget: PatternBudget): Result<MetadataKind, string> {
  const word = WORDS.find((name) => name === item);
  if (word !== undefined) return ok(word);
  const entries = typeof item === 'object' && item !== null ? Object.entries(item) : [];
  const [[key, value] = []] = entries as [string, unknown][];
  if (entries.length !== 1 || typeof value !== 'string') return err(`allowed is ${KINDS_TEXT}`);
  if (key === 'preset') {
    const preset = PRESETS.find((name) => name === value);
    return preset === undefined ? err(`allowed presets are ${PRESETS.join(', ')}`) : ok({ preset });
  }
  if (key !== 'regex') return err(`allowed is ${KINDS_TEXT}`);
  const compiled = compilePattern(value, budget);
  return compiled.ok ? ok({ regex: value }) : err(compiled.error.message);
}
