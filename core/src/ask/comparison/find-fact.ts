import type { ComparedFact } from './compare-jobs.js';

/** By its whole name, or without what says where it comes from (`lr` for `config.lr`); a number first. */
export function findFact(facts: readonly ComparedFact[], wanted: string): ComparedFact | undefined {
  const names = [wanted, `config.${wanted}`, `tag.${wanted}`];
  return names.flatMap((name) => facts.find((fact) => fact.name === name) ?? [])[0];
}
