import { formatCount } from '@joblens/core/words/counts';

/** A source that is broken in a thousand ways is told in few words. */
const MAX_REASONS = 5;

interface Reason {
  count: number;
  readonly first: string;
}

/** Counts what an import leaves out, and why. */
export class LeftOut {
  readonly #reasons = new Map<string, Reason>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** `what`: of many, as in `lines that are no JSON object`. `where` names the first of them: `line 7`. */
  add(what: string, where: string, count = 1): void {
    this.#count += count;
    const known = this.#reasons.get(what);
    if (known === undefined) this.#reasons.set(what, { count, first: where });
    else known.count += count;
  }

  /** `lines that are no JSON object: 2, the first at line 7; …`; undefined when nothing is left out. */
  describe(): string | undefined {
    if (this.#count === 0) return undefined;
    const reasons = [...this.#reasons].sort(([, a], [, b]) => b.count - a.count);
    const told = reasons
      .slice(0, MAX_REASONS)
      .map(([what, { count, first }]) => `${what}: ${formatCount(count)}, the first at ${first}`);
    const others = reasons.slice(MAX_REASONS).reduce((sum, [, { count }]) => sum + count, 0);
    return [...told, ...(others === 0 ? [] : [`others: ${formatCount(others)}`])].join('; ');
  }
}
