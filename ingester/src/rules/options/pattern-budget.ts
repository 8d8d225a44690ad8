import type { PatternFault } from '@joblens/core/lines/line-pattern';
import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { estimatePatternCost } from '@joblens/core/lines/pattern-cost';
import { err, ok, type Result } from '@joblens/core/result/result';

/**
 * All expressions of one job together. A step takes up to 45 ns for each byte of a line, and an instruction 300 bytes:
 * the dearest that are allowed take some 30 µs a byte and 3 MB. Usual ones have 20 to 100 steps.
 */
const MAX_STEPS = 600;
const MAX_SIZE = 10_000;
/** Longer expressions are nothing that somebody wrote. */
const MAX_CHARS = 4096;
/** All expressions of a job together may take so many on one line: some 0.2 s. */
const MAX_LINE_STEPS = 4_000_000;

/** What the expressions of one job may still cost. */
export class PatternBudget {
  #stepsLeft = MAX_STEPS;
  #sizeLeft = MAX_SIZE;
  readonly #onLongLine: (message: string) => void;

  /** @param onLongLine called with the words of a notice for each line that is too long for the expressions */
  constructor(onLongLine: (message: string) => void = () => undefined) {
    this.#onLongLine = onLongLine;
  }

  /** Takes what an expression costs, before it is compiled. A fault takes nothing, and quotes nothing of it. */
  charge(source: string): Result<undefined, PatternFault> {
    if (source.length > MAX_CHARS) return err({ message: `the expression is longer than ${MAX_CHARS} characters` });
    const { steps, size } = estimatePatternCost(source);
    const fault =
      explainExcess('steps for each character of a line', { cost: steps, left: this.#stepsLeft, most: MAX_STEPS }) ??
      explainExcess('instructions when it is compiled', { cost: size, left: this.#sizeLeft, most: MAX_SIZE });
    if (fault !== undefined) return err({ message: fault });
    this.#stepsLeft -= steps;
    this.#sizeLeft -= size;
    return ok(undefined);
  }

  /** Whether all expressions of the job may be tried on a line: not half of one, which would say something else. */
  allows({ length }: string): boolean {
    const steps = MAX_STEPS - this.#stepsLeft;
    if (length * steps <= MAX_LINE_STEPS) return true;
    const most = Math.floor(MAX_LINE_STEPS / steps);
    this.#onLongLine(
      `a line of ${length} characters is too long for the expressions of this job, which look at lines of up to ${most}; further ones are not mentioned`
    );
    return false;
  }

  /** Takes the cost of those kinds that are expressions. */
  chargeKinds(kinds: readonly MetadataKind[]): void {
    for (const kind of kinds) if (typeof kind === 'object' && 'regex' in kind) this.charge(kind.regex);
  }
}

interface Excess {
  readonly cost: number;
  readonly left: number;
  readonly most: number;
}

function explainExcess(unit: string, { cost, left, most }: Excess): string | undefined {
  if (cost <= left) return undefined;
  const why = left < most && cost <= most ? `, and those before it take ${most - left}` : '';
  const advice = 'write shorter repeats and fewer groups, or fewer expressions';
  return `the expression would take up to ${cost} ${unit}, but all of a job may take ${most}${why}: ${advice}`;
}
