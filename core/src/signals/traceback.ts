/** The end of a Python traceback. */
export interface TracebackEnd {
  /** The line with the exception, without the label of its rank. */
  readonly text: string;
  /** The innermost frame of the user's own code, as `train.py:17`. */
  readonly place?: string;
  /** Python went on after it, as after an exception in a destructor. */
  readonly isIgnored: boolean;
}

/** One reader of tracebacks as plain JSON; undefined in its place when none is open. */
export interface TracebackState {
  /** Tracebacks that have begun and not ended: ranks print theirs interleaved. */
  readonly open: number;
  readonly place?: string;
  readonly isIgnored: boolean;
  /** How many more lines may come before the traceback is given up. */
  readonly linesLeft: number;
}

const HEADER = 'Traceback';
/** A traceback that does not end keeps its stream on the slow way for this many lines behind its last frame. */
const MAX_LINES = 300;
/** What launchers put in front of each line of a rank: torchrun, Ray, srun --label, mpirun --tag-output. */
const RANK_LABEL =
  /^(?:\[(?:rank|default)?\d+\]:|\(\w[^()]{0,80}(?:pid=\d+|, ip=)[^()]{0,80}\)|\d{1,6}:|\[\d+,\d+\]<std(?:out|err)>:?|(?:\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})?\[\d+\]<std(?:out|err)>:) ?/;
/** What pdsh puts there: a host has a digit, and no exception is one. */
const HOST_LABEL =
  /^(?=[\w.-]*\d)(?!\w*(?:Error|Exception))[A-Za-z][\w.-]{0,80}: (?=\[rank\d|Traceback \(most| {2}File "|[\w.]{0,80}(?:Error|Exception)\b)/;
const FRAME = /^\s*(?:│\s*)?File "([^"]+)", line (\d+)/;
/** Frames of rich, which draws a box around its tracebacks. */
const RICH_FRAME = /^│ (\/\S+):(\d+) in /;
/** Code that its user did not write. */
const FOREIGN = /[\\/](?:site|dist)-packages[\\/]|[\\/]lib\d*[\\/]python\d|^<|[\\/]bin[\\/][^\\/]*$/;
/** Code that a traceback quotes below a frame; rich quotes it in its box. */
const QUOTED_CODE = /^(?: {4}|\t|│)/;
/** Python names an exception by its module unless it is one of its own, which have telling names. */
const EXCEPTION =
  /^(?:(?:\w+\.)+[A-Z]\w*|(?:[A-Z]\w*)?(?:Error|Exception|Interrupt|Exit|Iteration|Warning|ExceptionGroup))(?:$|: ?)/;

/** A line without the label of its rank. */
export function removeRankLabel(line: string): string {
  return line.replace(HOST_LABEL, '').replace(RANK_LABEL, '');
}

/** Reads Python tracebacks line by line, also those of many ranks at once. */
export class TracebackReader {
  #state: TracebackState | undefined;
  /** The traceback that begins next does not matter to its program. */
  #isNextIgnored = false;

  constructor(state?: TracebackState) {
    this.#state = state;
  }

  /** Whether the next lines must come too, whatever they hold. */
  get isOpen(): boolean {
    return this.#state !== undefined;
  }

  get state(): TracebackState | undefined {
    return this.#state;
  }

  /** Whether the line is code that an open traceback quotes: it tells what would be said, not what happened. */
  isQuotedCode(line: string): boolean {
    return this.#state !== undefined && this.#state.open > 0 && QUOTED_CODE.test(line);
  }

  /** Takes the next line, without the label of its rank; returns what ends with it. */
  take(line: string): TracebackEnd | undefined {
    if (line.includes('Exception ignored in')) {
      this.#isNextIgnored = true;
      this.#state ??= { open: 0, isIgnored: true, linesLeft: 3 };
    }
    if (isHeader(line)) {
      this.#begin();
      return undefined;
    }
    const state = this.#state;
    if (state === undefined) return undefined;
    const frame = FRAME.exec(line) ?? RICH_FRAME.exec(line);
    if (frame !== null) {
      const place = FOREIGN.test(frame[1] ?? '') ? undefined : `${readFileName(frame[1] ?? '')}:${frame[2]}`;
      this.#state = { ...state, linesLeft: MAX_LINES, ...(place !== undefined && { place }) };
      return undefined;
    }
    if (state.open > 0 && EXCEPTION.test(line)) return this.#end(state, line);
    this.#state = state.linesLeft <= 1 ? undefined : { ...state, linesLeft: state.linesLeft - 1 };
    return undefined;
  }

  #begin(): void {
    const isIgnored = this.#isNextIgnored;
    this.#isNextIgnored = false;
    // The place of an older traceback counts only while that one is open: with many ranks, nobody knows whose it is.
    const place = this.#state !== undefined && this.#state.open > 0 ? this.#state.place : undefined;
    const open = (this.#state?.open ?? 0) + 1;
    this.#state = { open, isIgnored, linesLeft: MAX_LINES, ...(place !== undefined && { place }) };
  }

  #end(state: TracebackState, text: string): TracebackEnd {
    const { open, place, isIgnored } = state;
    this.#state = open > 1 ? { ...state, open: open - 1, linesLeft: MAX_LINES } : undefined;
    return { text, isIgnored, ...(place !== undefined && { place }) };
  }
}

/** The word alone is also a word of prose. */
function isHeader(line: string): boolean {
  const at = line.indexOf(HEADER);
  return at >= 0 && line.startsWith(' (most recent call last)', at + HEADER.length);
}

function readFileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
