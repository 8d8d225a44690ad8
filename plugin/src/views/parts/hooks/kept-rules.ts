import { type MetadataKind, PRESET_NAMES } from '@joblens/core/lines/metadata-kind';
import { useCallback, useMemo } from 'react';
import { useKeptState } from './kept-state.js';
import { readStoredJson, writeStored } from './remembered.js';

/** Where a person drew numbers of the log: above its lines, or in the place of a job's graph. */
export type RulePlace = 'log' | 'graph';

/** The job of a rule; ids are unique within a data source. */
export interface RuleOwner {
  readonly source: string;
  readonly job: string;
}

interface KeptRule extends RuleOwner {
  readonly place: RulePlace;
  readonly rule: MetadataKind;
}

const NAME = 'rules';
/** The newest; a job that is looked at again years later is drawn again with a click. */
const MAX_RULES = 100;

/** The rule that numbers of a job's log were last drawn with: in one place, or anywhere. */
export function recallRule(owner: RuleOwner, place?: RulePlace): MetadataKind | undefined {
  return readRules().findLast((kept) => isOf(kept, owner) && (place === undefined || kept.place === place))?.rule;
}

/** Undefined: the graph was closed. */
export function keepRule(owner: RuleOwner, place: RulePlace, rule: MetadataKind | undefined): void {
  const { source, job } = owner;
  const others = readRules().filter((kept) => !(isOf(kept, owner) && kept.place === place));
  const rules = rule === undefined ? others : [...others, { source, job, place, rule }];
  writeStored(NAME, JSON.stringify(rules.slice(-MAX_RULES)));
}

/**
 * The rule that a view draws the log with. This browser remembers it for its job.
 * @param owner undefined where the rule is of no single job: then it holds while the panel shows the same
 */
export function useKeptRule(
  place: RulePlace,
  owner: RuleOwner | undefined,
  resetKey: string
): [MetadataKind | undefined, (rule: MetadataKind | undefined) => void] {
  // In place of the owner, which is a new object each time.
  const key = JSON.stringify([resetKey, owner]);
  const initial = useMemo(() => owner && recallRule(owner, place), [place, key]);
  const [rule, setRule] = useKeptState<MetadataKind | undefined>(`${place}.rule`, key, initial);
  const change = useCallback(
    (next: MetadataKind | undefined) => {
      setRule(next);
      if (owner !== undefined) keepRule(owner, place, next);
    },
    [setRule, place, key]
  );
  return [rule, change];
}

function isOf(kept: RuleOwner, { source, job }: RuleOwner): boolean {
  return kept.source === source && kept.job === job;
}

/** Oldest first. Another version of the page may have written it, or a person. */
function readRules(): readonly KeptRule[] {
  const stored = readStoredJson(NAME);
  return Array.isArray(stored) ? stored.filter(isKeptRule) : [];
}

function isKeptRule(value: unknown): value is KeptRule {
  if (typeof value !== 'object' || value === null) return false;
  const { source, job, place, rule } = value as Partial<Record<keyof KeptRule, unknown>>;
  const isPlace = place === 'log' || place === 'graph';
  return typeof source === 'string' && typeof job === 'string' && isPlace && isRule(rule);
}

function isRule(value: unknown): value is MetadataKind {
  if (value === 'json' || value === 'python-dict' || value === 'logfmt') return true;
  if (typeof value !== 'object' || value === null) return false;
  const { regex, preset } = value as { readonly regex?: unknown; readonly preset?: unknown };
  return typeof regex === 'string' || preset === 'auto' || PRESET_NAMES.some((name) => name === preset);
}
