import {
  EXCEPTION,
  holdsLiteral,
  PYTHON_EXCEPTION,
  type SignalPattern,
  type SignalSeverity,
  type SignalWeight,
} from './signal-pattern.js';
import { removeRankLabel, type TracebackEnd, TracebackReader, type TracebackState } from './traceback.js';

/** What one line says went wrong. */
export interface Signal {
  readonly name: string;
  readonly severity: SignalSeverity;
  readonly weight: SignalWeight;
  /** In the words of the output, at most MAX_MESSAGE_CHARS long. */
  readonly message: string;
  /** The place in the user's own code, as `train.py:17`. */
  readonly place?: string;
  /** The message that came with the line before, a heading of which this one has the sentence too. */
  readonly heading?: string;
}

/** A signal whose sentence may come with the next lines. */
interface Heading {
  readonly signal: Signal;
  /** Its message before sentences were added. */
  readonly start: string;
  readonly pattern: SignalPattern;
  readonly addSentence: (sentence: string) => string | undefined;
  readonly linesLeft: number;
}

/** A detector as plain JSON. */
export interface SignalDetectorState {
  readonly traceback?: TracebackState;
  /** A signal whose sentence may come with the next lines. */
  readonly heading?: {
    readonly signal: Signal;
    readonly start?: string;
    readonly pattern: number;
    readonly linesLeft: number;
  };
}

/** A line that holds none of these, while no traceback is open, has no signal. */
const TRACEBACK_LITERALS: readonly string[] = ['Traceback (most recent call last)', 'Exception ignored in'];

const MAX_MESSAGE_CHARS = 300;
/** The most characters to search. In a longer line, only the part around a literal is: no expression is slow on it. */
const MAX_LINE_CHARS = 4096;
const CHARS_BEFORE = 1024;
/** Between a heading and its sentence there are at most a rule and a blank line or two. */
const MAX_LINES_BELOW = 4;
const WORD = /[A-Za-z]{2}/;

/** All texts of which a line with a signal holds one, each once. */
export function listLiterals(patterns: readonly SignalPattern[]): string[] {
  return [...new Set([...TRACEBACK_LITERALS, ...patterns.flatMap(({ literals }) => literals)])];
}

/** Finds the signals of one stream, line by line. The first pattern that matches a line decides. */
export class SignalDetector {
  readonly #patterns: () => readonly SignalPattern[];
  readonly #tracebacks: TracebackReader;
  #heading: Heading | undefined;

  constructor(patterns: () => readonly SignalPattern[], { traceback, heading }: SignalDetectorState = {}) {
    this.#patterns = patterns;
    this.#tracebacks = new TracebackReader(traceback);
    this.#heading = heading && restoreHeading(patterns(), heading);
  }

  /** Whether every next line has to come; else only those that hold a literal. */
  get needsAll(): boolean {
    return this.#tracebacks.isOpen || this.#heading !== undefined;
  }

  /** The state with which another detector continues; undefined for that of a new one. */
  get state(): SignalDetectorState | undefined {
    const { state: traceback } = this.#tracebacks;
    if (traceback === undefined && this.#heading === undefined) return undefined;
    const heading = this.#heading && saveHeading(this.#patterns(), this.#heading);
    return { ...(traceback && { traceback }), ...(heading && { heading }) };
  }

  /** Looks for no sentence of the heading that came last, which may not be kept. */
  forgetHeading(): void {
    this.#heading = undefined;
  }

  /** Takes the next rendered line. */
  take(line: string): Signal | undefined {
    const plain = removeRankLabel(line);
    const end = this.#tracebacks.take(plain);
    if (end !== undefined) return describeTraceback(this.#patterns(), end);
    if (this.#tracebacks.isQuotedCode(plain)) return undefined;
    const found = findMatch(this.#patterns(), plain);
    const whole = found?.pattern.severity === 'error' ? undefined : this.#takeSentence(plain);
    if (whole !== undefined) return whole;
    if (found === undefined) return undefined;
    const signal = createSignal(found.pattern, found.message);
    this.#heading = openHeading(found.pattern, signal);
    return signal;
  }

  #takeSentence(line: string): Signal | undefined {
    if (this.#heading === undefined) return undefined;
    const { signal, start, pattern, addSentence, linesLeft } = this.#heading;
    const message = WORD.test(line) ? addSentence(line.trim()) : undefined;
    if (message === undefined) {
      this.#heading = linesLeft <= 1 ? undefined : { ...this.#heading, linesLeft: linesLeft - 1 };
      return undefined;
    }
    const whole = { ...createSignal(signal, message), heading: start };
    this.#heading = pattern.isHeading && openHeading(pattern, whole, start);
    return whole;
  }
}

function openHeading(pattern: SignalPattern, signal: Signal, start = signal.message): Heading | undefined {
  const { addSentence, isHeading = (message: string) => addSentence?.(message, 'a sentence') !== undefined } = pattern;
  if (addSentence === undefined || !isHeading(signal.message)) return undefined;
  return {
    ...{ signal, start, pattern },
    addSentence: (sentence) => addSentence(signal.message, sentence),
    linesLeft: MAX_LINES_BELOW,
  };
}

type SavedHeading = NonNullable<SignalDetectorState['heading']>;

function saveHeading(patterns: readonly SignalPattern[], heading: Heading): SavedHeading {
  const { signal, start, pattern, linesLeft } = heading;
  return { ...{ signal, start, linesLeft }, pattern: patterns.indexOf(pattern) };
}

/** Undefined where the pattern is no longer there. */
function restoreHeading(
  patterns: readonly SignalPattern[],
  { signal, start, pattern, linesLeft }: SavedHeading
): Heading | undefined {
  const known = patterns[pattern];
  const heading = known?.name === signal.name ? openHeading(known, signal, start) : undefined;
  return heading && { ...heading, linesLeft };
}

interface Match {
  readonly pattern: SignalPattern;
  readonly message: string;
}

function findMatch(patterns: readonly SignalPattern[], line: string): Match | undefined {
  for (const pattern of patterns) {
    if (!holdsLiteral(pattern, line)) continue;
    const message = pattern.match(cutAround(line, pattern));
    if (message !== undefined) return { pattern, message };
  }
  return undefined;
}

function createSignal({ name, severity, weight }: Omit<SignalPattern, 'match' | 'literals'>, message: string): Signal {
  const text = message.trim();
  return {
    ...{ name, severity, weight },
    message: text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS - 1)}…` : text,
  };
}

/** Under the name of the pattern that knows the exception, and in its own words. */
function describeTraceback(patterns: readonly SignalPattern[], { text, place, isIgnored }: TracebackEnd): Signal {
  const isOfOther = isOfOtherProcess(text);
  const known = isOfOther ? { name: 'task-failed', weight: 'symptom' as const } : findMatch(patterns, text)?.pattern;
  const { name, weight } =
    known !== undefined && known.name !== EXCEPTION
      ? known
      : { name: PYTHON_EXCEPTION, weight: isOfPeer(text) ? ('symptom' as const) : ('cause' as const) };
  const severity = isIgnored || isInterrupt(text) ? 'warning' : 'error';
  const signal = createSignal({ name, severity, weight }, shorten(text));
  return place === undefined ? signal : { ...signal, place };
}

/** A program that somebody stopped did not fail. */
function isInterrupt(text: string): boolean {
  return /^KeyboardInterrupt\b/.test(text);
}

/** Exceptions that tell only that a process of the job has failed, which has said why. */
function isOfOtherProcess(text: string): boolean {
  return /^[\w.]*(?:ChildFailedError|CalledProcessError|ProcessExitedException|ProcessRaisedException|BrokenProcessPool|SystemExit|ActorDiedError|RayActorError)\b/.test(
    text
  );
}

/** A process that has gone, or a signal that came: whatever ended the other side says more. */
function isOfPeer(text: string): boolean {
  return (
    /^[\w.]*(?:BrokenPipeError|ConnectionResetError|EOFError|SignalException|ActorUnavailableError)\b/.test(text) ||
    /^OSError: handle is closed/.test(text)
  );
}

/** Without the module of the exception, and the folders of the machine where a library was built. */
function shorten(text: string): string {
  return text
    .replace(/^(?:\w+\.)+(?=[A-Z])/, '')
    .replace(/ in: \/\S*\/(?=[^/\s]+:\d)/, ' in: ')
    .replace(/:\s*$/, '');
}

function cutAround(line: string, { literals }: SignalPattern): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const at = Math.min(...literals.map((literal) => line.indexOf(literal)).filter((found) => found >= 0));
  const start = Math.max(0, at - CHARS_BEFORE);
  return line.slice(start, start + MAX_LINE_CHARS);
}
