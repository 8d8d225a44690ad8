import { BUILT_IN_SIGNALS } from '../built-in-patterns.js';
import { explainEnd, type JobEnd } from '../explain-end.js';
import { SignalDetector } from '../signal-detector.js';
import { SignalFold } from '../signal-fold.js';

const LINE_NS = 1_000_000_000n;

/** The reason of a job that printed this, a line each second, and ended so. */
export function explainPrinted(printed: string, end: JobEnd): string | undefined {
  const detector = new SignalDetector(() => BUILT_IN_SIGNALS);
  const fold = new SignalFold();
  printed.split('\n').forEach((line, at) => {
    const signal = detector.take(line);
    if (signal !== undefined) fold.add({ ...signal, stream: 'stderr', line, timeNs: BigInt(at) * LINE_NS });
  });
  return explainEnd(end, fold.signals);
}
