import { WRITER_MARK } from '../../../frames/severity.js';
import type { PanelLogLine } from './log-model.js';
import { readPlainText } from './search.js';

/** A stack trace: its first and its last line are always shown. */
export interface Trace {
  readonly headId: string;
  readonly hiddenIds: readonly string[];
}

/** A line as the log shows it. */
export interface LogRow {
  readonly line: PanelLogLine;
  /** On the first line of a stack trace. */
  readonly fold?: { readonly count: number; readonly isOpen: boolean };
}

const RANK = new RegExp(`^${WRITER_MARK}`);
const PYTHON_HEAD = /^\s*(?:\+ )?(?:Exception Group )?Traceback \(most recent call last\):\s*$/;
const JAVA_FRAME = /^\s+(?:at \S|\.{3} \d+ (?:more|common frames))/;
const INDENTED = /^\s+\S|^\s*$/;
const MIN_HIDDEN_LINES = 2;

/** What a line can be in a trace. */
interface TraceLook {
  readonly isPythonHead: boolean;
  readonly isJavaFrame: boolean;
  readonly isIndented: boolean;
}

const looks = new WeakMap<PanelLogLine, TraceLook>();

/** Each line is looked at once: all loaded lines are searched again whenever some are added. */
function readLook(line: PanelLogLine): TraceLook {
  const known = looks.get(line);
  if (known !== undefined) return known;
  const text = readPlainText(line).replace(RANK, '');
  const look = {
    isPythonHead: PYTHON_HEAD.test(text),
    isJavaFrame: JAVA_FRAME.test(text),
    isIndented: INDENTED.test(text),
  };
  looks.set(line, look);
  return look;
}

interface OpenTrace {
  readonly kind: 'python' | 'java';
  readonly head: PanelLogLine;
  readonly inner: PanelLogLine[];
}

/** Follows the lines of one writer. */
class TraceFinder {
  readonly #traces: Trace[];
  #open: OpenTrace | undefined;
  #before: PanelLogLine | undefined;

  constructor(traces: Trace[]) {
    this.#traces = traces;
  }

  read(line: PanelLogLine): void {
    const { isPythonHead, isJavaFrame, isIndented } = readLook(line);
    if (this.#open?.kind === 'python' && !isIndented) {
      // Python's last line, the error itself, is not indented.
      this.#close();
    } else if (this.#open?.kind === 'java' && !isJavaFrame) {
      this.#open.inner.pop();
      this.#close();
    }
    if (this.#open !== undefined) this.#open.inner.push(line);
    else if (isPythonHead) this.#open = { kind: 'python', head: line, inner: [] };
    else if (isJavaFrame && this.#before !== undefined) {
      this.#open = { kind: 'java', head: this.#before, inner: [line] };
    }
    this.#before = line;
  }

  #close(): void {
    const { head, inner } = this.#open ?? { head: undefined, inner: [] };
    this.#open = undefined;
    if (head === undefined || inner.length < MIN_HIDDEN_LINES) return;
    this.#traces.push({ headId: head.id, hiddenIds: inner.map(({ id }) => id) });
  }
}

/** The stack traces of Python, Java and JavaScript that end within these lines, which are oldest first. */
export function findTraces(lines: readonly PanelLogLine[]): readonly Trace[] {
  const traces: Trace[] = [];
  const finders = new Map<string, TraceFinder>();
  for (const line of lines) {
    if (line.kind !== 'output') continue;
    const writer = `${line.stream}/${line.task}`;
    let finder = finders.get(writer);
    if (finder === undefined) finders.set(writer, (finder = new TraceFinder(traces)));
    finder.read(line);
  }
  return traces;
}

/** The rows of these lines, in their order, with the inside of each trace left out unless it is open. */
export function createRows(
  lines: readonly PanelLogLine[],
  traces: readonly Trace[],
  openIds: ReadonlySet<string>
): readonly LogRow[] {
  const folds = new Map(
    traces.map(({ headId, hiddenIds }) => [headId, { count: hiddenIds.length, isOpen: openIds.has(headId) }])
  );
  const hidden = new Set(traces.filter(({ headId }) => !openIds.has(headId)).flatMap(({ hiddenIds }) => hiddenIds));
  return lines.flatMap((line) => {
    if (hidden.has(line.id)) return [];
    const fold = folds.get(line.id);
    return [fold === undefined ? { line } : { line, fold }];
  });
}

/** The first line of the trace that hides this line. */
export function findTraceOf(traces: readonly Trace[], id: string): string | undefined {
  return traces.find(({ hiddenIds }) => hiddenIds.includes(id))?.headId;
}
