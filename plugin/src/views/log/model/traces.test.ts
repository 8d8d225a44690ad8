import { createLogFrame } from '../../testing/frames.js';
import { createLogModel, type PanelLogLine } from './log-model.js';
import { createRows, findTraceOf, findTraces } from './traces.js';

type Input = string | { readonly text: string; readonly stream?: 'stderr' | 'stdout'; readonly task?: string };

function linesOf(texts: readonly Input[]): readonly PanelLogLine[] {
  return createLogModel([createLogFrame(texts.map((each) => (typeof each === 'string' ? { text: each } : each)))])
    .lines;
}

function shown(texts: readonly Input[]): string[] {
  const lines = linesOf(texts);
  return createRows(lines, findTraces(lines), new Set()).map(({ line, fold }) =>
    fold === undefined ? line.text : `${line.text} [${fold.count}]`
  );
}

const PYTHON = ['Traceback (most recent call last):', '  File "a.py", line 1', '    f()', 'ValueError: bad'];

it.each<[string, readonly Input[], readonly string[]]>([
  ['a Python traceback', ['a', ...PYTHON, 'b'], ['a', `${PYTHON[0] ?? ''} [2]`, 'ValueError: bad', 'b']],
  [
    'chained tracebacks, each by itself',
    [...PYTHON, '', 'During handling of the above exception, another exception occurred:', '', ...PYTHON],
    [
      `${PYTHON[0] ?? ''} [2]`,
      'ValueError: bad',
      '',
      'During handling of the above exception, another exception occurred:',
      '',
      `${PYTHON[0] ?? ''} [2]`,
      'ValueError: bad',
    ],
  ],
  [
    'a traceback with a rank before each line',
    PYTHON.map((text) => `[rank1]: ${text}`),
    [`[rank1]: ${PYTHON[0] ?? ''} [2]`, '[rank1]: ValueError: bad'],
  ],
  [
    'tracebacks of two tasks that are mixed',
    PYTHON.flatMap((text) => [
      { text, task: '0' },
      { text, task: '1' },
    ]),
    [`${PYTHON[0] ?? ''} [2]`, `${PYTHON[0] ?? ''} [2]`, 'ValueError: bad', 'ValueError: bad'],
  ],
  [
    'standard output between the lines of standard error',
    [
      { text: PYTHON[0] ?? '', stream: 'stderr' },
      'step 1',
      ...PYTHON.slice(1).map((text) => ({ text, stream: 'stderr' as const })),
    ],
    [`${PYTHON[0] ?? ''} [2]`, 'step 1', 'ValueError: bad'],
  ],
  [
    'frames of Java, its last one shown',
    ['java.lang.Error: x', '\tat a.b(C.java:1)', '\tat a.c(C.java:2)', '\t... 3 more', 'next'],
    ['java.lang.Error: x [2]', '\t... 3 more', 'next'],
  ],
])('folds %s', (_name, texts, expected) => {
  expect(shown(texts)).toEqual(expected);
});

it.each<[string, readonly string[]]>([
  ['a traceback that has not ended', PYTHON.slice(0, 3)],
  ['a short one', [PYTHON[0] ?? '', '  File "a.py", line 1', 'KeyboardInterrupt']],
  ['indented lines', ['config:', '  lr: 0.1', '  steps: 3', 'done']],
])('does not fold %s', (_name, texts) => {
  expect(shown(texts)).toEqual(texts);
});

it('shows an open trace whole, and finds the trace of a hidden line', () => {
  const lines = linesOf(PYTHON);
  const traces = findTraces(lines);
  const head = lines[0]?.id ?? '';
  expect(createRows(lines, traces, new Set([head]))).toHaveLength(4);
  expect(findTraceOf(traces, lines[2]?.id ?? '')).toBe(head);
  expect(findTraceOf(traces, lines[3]?.id ?? '')).toBeUndefined();
});
