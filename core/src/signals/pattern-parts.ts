import type { SignalPattern, SignalSeverity, SignalWeight } from './signal-pattern.js';

/** A built-in signal, as it is written down. */
export interface PatternParts extends Pick<SignalPattern, 'name' | 'literals' | 'addSentence' | 'isHeading'> {
  readonly severity?: SignalSeverity;
  readonly weight?: SignalWeight;
  readonly regex: RegExp;
  /** The message, if it is not the matched text. */
  readonly say?: (match: RegExpExecArray) => string;
}

export function createPattern({
  severity = 'error',
  weight = 'cause',
  regex,
  say,
  ...parts
}: PatternParts): SignalPattern {
  return {
    ...parts,
    severity,
    weight,
    match(line) {
      const match = regex.exec(line);
      return match === null ? undefined : (say?.(match) ?? match[0]);
    },
  };
}

/** `Error in routine c_bands (1):` and `too many bands are not converged`, of a message that ends with a colon. */
export function joinSentence(message: string, sentence: string): string | undefined {
  return message.trimEnd().endsWith(':') ? `${message.trimEnd()} ${sentence}` : undefined;
}

/** The line itself, without a bar that it was glued to. */
export function readLine({ input }: RegExpExecArray): string {
  const lastEnd = input.lastIndexOf(']');
  const rate = Math.max(input.lastIndexOf('it/s', lastEnd - 4), input.lastIndexOf('s/it', lastEnd - 4));
  return (lastEnd < 4 || rate < 0 ? input : input.slice(input.indexOf(']', rate) + 1)).trim();
}

/** A text without the right edge of a box that is drawn around it. */
export function removeBox(text: string): string {
  let end = text.length;
  while (end > 0 && ' |*'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
