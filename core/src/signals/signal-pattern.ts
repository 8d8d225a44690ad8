/** How bad a signal is: `error` ends a job or makes it useless. */
export type SignalSeverity = 'info' | 'warning' | 'error';

export const SIGNAL_SEVERITIES: readonly SignalSeverity[] = ['info', 'warning', 'error'];

/**
 * How much a signal says about the end of a job, the least first. `symptom`: a consequence of something else, such as
 * the end of other ranks. `collective`: ranks that waited in vain, mostly for one that had failed. `cause`: what went
 * wrong. `verdict`: the scheduler's or the kernel's own words about why it ended the job.
 */
export const SIGNAL_WEIGHTS = ['symptom', 'collective', 'cause', 'verdict'] as const;
export type SignalWeight = (typeof SIGNAL_WEIGHTS)[number];

/** Something that went wrong, as lines of output say it. */
export interface SignalPattern {
  readonly name: string;
  readonly severity: SignalSeverity;
  readonly weight: SignalWeight;
  /** A line that matches holds one of these: each has at least MIN_LITERAL_CHARS characters, all of them ASCII. */
  readonly literals: readonly string[];
  /** What the line says, in as few words as it does; undefined when it does not match. */
  readonly match: (line: string) => string | undefined;
  /** The message with the sentence of the line below, where it is only a heading; undefined where it is whole. */
  readonly addSentence?: ((message: string, sentence: string) => string | undefined) | undefined;
  /** Whether the message still waits for a sentence; by default one that any sentence is added to. */
  readonly isHeading?: ((message: string) => boolean) | undefined;
}

/** What the search over the bytes can find. */
export const MIN_LITERAL_CHARS = 4;

/** The name of the end of a Python traceback that no other pattern knows. */
export const PYTHON_EXCEPTION = 'python-exception';

/** The name of an exception that comes without a Python traceback. */
export const EXCEPTION = 'exception';

/** Whether a line may match the pattern at all. */
export function holdsLiteral({ literals }: Pick<SignalPattern, 'literals'>, line: string): boolean {
  return literals.some((literal) => line.includes(literal));
}
