/** A span whose end is not told yet. */
export interface OpenSpan {
  readonly name: string;
  readonly category: string;
  readonly worker: string;
  readonly id: string;
  readonly startNs: bigint;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The most spans that are open at once; each takes memory. */
const MAX_OPEN = 200_000;

/** Pairs beginnings with ends: the last one that is open in its place, and has that name, where the end tells one. */
export class OpenSpans {
  readonly #stacks = new Map<string, OpenSpan[]>();
  #count = 0;

  /** `place`: a thread, or the id of something that goes on beside. False when there is no room. */
  begin(place: string, span: OpenSpan): boolean {
    if (this.#count >= MAX_OPEN) return false;
    const stack = this.#stacks.get(place);
    if (stack === undefined) this.#stacks.set(place, [span]);
    else stack.push(span);
    this.#count += 1;
    return true;
  }

  end(place: string, name: string): OpenSpan | undefined {
    const stack = this.#stacks.get(place) ?? [];
    const named = name === '' ? stack.length - 1 : stack.findLastIndex((span) => span.name === name);
    const [span] = stack.splice(named < 0 ? stack.length - 1 : named, 1);
    if (span === undefined) return undefined;
    this.#count -= 1;
    if (stack.length === 0) this.#stacks.delete(place);
    return span;
  }

  /** Takes those that nothing ended. */
  *takeAll(): Generator<OpenSpan> {
    for (const stack of this.#stacks.values()) yield* stack;
    this.#stacks.clear();
    this.#count = 0;
  }
}
