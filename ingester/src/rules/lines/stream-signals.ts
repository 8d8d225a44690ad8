import { ROW_STEP_NS } from '../../clock/clock.js';
import type { Stream } from '@joblens/core/schema/measurements';
import { SignalDetector, type SignalDetectorState } from '@joblens/core/signals/signal-detector';
import { openLineKernel } from '../../kernels/line-kernel.js';
import type { LineRange } from '../../kernels/line-range.js';
import { LoadedLines } from '../../kernels/loaded-lines.js';
import type { RenderedRow } from '../../render/rendered-row.js';
import type { LineRun } from './fast-lines.js';
import type { JobSignals } from '../signals/job-signals.js';

const LF = 0x0a;
/** The signal of a metadata line: of one that is not logged, nothing else is looked for. */
const OF_METADATA = 'loss-nan';

const NONE: ReadonlySet<number> = new Set();

/** How much of a line may be looked at: all of it, its values alone, or nothing. */
type Look = 'line' | 'values' | 'nothing';

export interface NotedRow extends Pick<RenderedRow, 'id' | 'text'> {
  readonly timeNs: bigint;
  readonly isLogged: boolean;
  readonly isMetadata: boolean;
}

/**
 * Looks for signals in the lines of one stream that may be stored. Only lines that hold one of the literals are judged,
 * and those of a traceback.
 */
export class StreamSignals {
  readonly #job: JobSignals;
  readonly #stream: Stream;
  readonly #detector: SignalDetector;
  /** The rows to judge among those that come next. */
  #wanted = NONE;

  constructor(job: JobSignals, stream: Stream, state?: SignalDetectorState) {
    this.#job = job;
    this.#stream = stream;
    this.#detector = new SignalDetector(() => job.patterns, state);
  }

  /** The state with which another one continues, if there is any. */
  get state(): SignalDetectorState | undefined {
    return this.#detector.state;
  }

  /** Looks at the rows of which `noteRow` will tell which are lines of the log. */
  look(rows: readonly RenderedRow[]): void {
    const ended = rows.filter(({ isComplete }) => isComplete);
    this.#wanted = ended.length === 0 ? NONE : findRows(ended, this.#job.literals);
  }

  /** Whether a line with these bytes may be or end a signal. */
  mayHold(bytes: Buffer): boolean {
    if (this.#detector.needsAll) return true;
    const lines = new LoadedLines(bytes, openLineKernel());
    return lines.findLiteral({ start: 0, end: bytes.length }, this.#job.literals) !== undefined;
  }

  /** The same for one row, whose line is this range of the loaded ones. */
  lookAtLine(lines: LoadedLines, range: LineRange, { id }: Pick<RenderedRow, 'id'>): void {
    this.#wanted = lines.findLiteral(range, this.#job.literals) === undefined ? NONE : new Set([id]);
  }

  /** Takes a row at its end. */
  noteRow({ id, text, timeNs, ...line }: NotedRow): void {
    const look = readLook(line);
    if (look === 'nothing' || (!this.#detector.needsAll && !this.#wanted.has(id))) return;
    this.#take(text, look, () => timeNs);
  }

  /** Takes lines that were written at once, a range of the loaded ones. `newestNs`: the time of the last. */
  noteRun(lines: LoadedLines, { start, end }: LineRange, run: LineRun, newestNs: bigint): void {
    const look = run.kind === 'repeats' ? 'line' : readLook(run);
    if (look === 'nothing') return;
    const { bytes } = lines;
    let [counted, countedTo] = [0, start];
    for (let at = start; at < end;) {
      const from = at;
      const lineStart = this.#detector.needsAll ? from : lines.findLiteral({ start: from, end }, this.#job.literals);
      if (lineStart === undefined) return;
      const lineEnd = bytes.indexOf(LF, lineStart);
      const findTime = (): bigint => {
        if (run.kind === 'repeats') return newestNs;
        // Never twice, since each line may be one with a signal.
        counted += countLines(bytes, countedTo, lineEnd + 1);
        countedTo = lineEnd + 1;
        return newestNs - ROW_STEP_NS * BigInt(run.count - counted);
      };
      this.#take(bytes.toString('utf8', lineStart, lineEnd), look, findTime);
      at = lineEnd + 1;
    }
  }

  #take(text: string, look: Look, findTime: () => bigint): void {
    const signal = this.#detector.take(text);
    if (signal === undefined) return;
    if (look === 'values') this.#detector.forgetHeading();
    if (look === 'values' && signal.name !== OF_METADATA) return;
    const stored = look === 'line' ? { line: text.trimEnd() } : {};
    this.#job.add({ ...signal, ...stored, stream: this.#stream, timeNs: findTime() });
  }
}

function readLook({ isLogged, isMetadata }: Pick<NotedRow, 'isLogged' | 'isMetadata'>): Look {
  if (isLogged) return 'line';
  return isMetadata ? 'values' : 'nothing';
}

function countLines(bytes: Buffer, start: number, end: number): number {
  let lines = 0;
  for (let at = start; at < end; at += 1) if (bytes[at] === LF) lines += 1;
  return lines;
}

/** The most rows that are searched as one text: rows are some hundred characters long, and few are longer. */
const ROWS_AT_ONCE = 256;

/** The ids of the rows that hold a literal, and maybe of some others. */
function findRows(rows: readonly RenderedRow[], literals: Uint8Array): ReadonlySet<number> {
  const wanted = new Set<number>();
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    addWantedRows(wanted, rows.slice(start, start + ROWS_AT_ONCE), literals);
  }
  return wanted;
}

/** Without a kernel, or with rows that are too long for it, any may hold one. */
function addWantedRows(wanted: Set<number>, rows: readonly RenderedRow[], literals: Uint8Array): void {
  const text = rows.map((row) => row.text).join('\n');
  const findLineEnd = (place: number): number => {
    const end = text.indexOf('\n', place);
    return end < 0 ? text.length : end + 1;
  };
  const places = openLineKernel()?.findLiterals(text, literals, findLineEnd);
  if (places === undefined) {
    for (const { id } of rows) wanted.add(id);
    return;
  }
  let row = 0;
  let rowEnd = rows[0]?.text.length ?? 0;
  for (const place of places) {
    while (place > rowEnd) {
      row += 1;
      rowEnd += 1 + (rows[row]?.text.length ?? 0);
    }
    const found = rows[row];
    if (found !== undefined) wanted.add(found.id);
  }
}
