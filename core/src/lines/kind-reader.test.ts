import { ok, type Result } from '../result/result.js';
import { createKindReader } from './kind-reader.js';
import type { LinePattern, PatternFault } from './line-pattern.js';
import { parseLogfmt } from './logfmt.js';
import type { MetadataKind } from './metadata-kind.js';
import { findRequiredText } from './required-text.js';
import { compileNative } from './testing/compile-native.js';

const readWith = (kinds: readonly MetadataKind[], line: string): unknown => {
  const row = createKindReader({ kinds, nonfinite: 'log', compile: compileNative }).read(line);
  return row && Object.fromEntries(row);
};

describe('parseLogfmt', () => {
  it.each<[string, unknown]>([
    ['step=3 loss=0.25 lr=1e-05', { step: 3, loss: 0.25, lr: 1e-5 }],
    [
      'ts=2024-01-01T00:00:00Z level=info msg="step \\"one\\" done" loss=nan',
      { ts: '2024-01-01T00:00:00Z', level: 'info', msg: 'step "one" done', loss: 'NaN' },
    ],
    ['loss=0.5', { loss: 0.5 }],
  ])('reads %s', (line, row) => {
    expect(Object.fromEntries(parseLogfmt(line) ?? [])).toEqual(row);
  });

  it.each([
    ['', 'loss', 'level=info msg=hello', 'set x=1 to go on', 'a=1, b=2', 'a = 1', 'x==1', '=1', 'a=1 b', "a='1 2' b=3"],
  ])('takes others for lines of the log', (...lines) => {
    for (const line of lines) expect(parseLogfmt(line)).toBeUndefined();
  });
});

describe('findRequiredText', () => {
  it.each<[string, string | undefined]>([
    ['Step (?<step>\\d+) .* loss=(?<loss>.+)', ' loss='],
    ['a\\.b\\[c', 'a.b[c'],
    ['loss?=(?<x>.)', 'los'],
    ['epochs{2}x', 'epoch'],
    ['ab+cd*', 'ab'],
    ['loss|acc', undefined],
    ['(?i)loss', undefined],
    ['(loss=)(?<x>.)', undefined],
    ['[abc]+', undefined],
    ['größe (?<x>.)', undefined],
    ['\\x41bc', undefined],
    ['[]x]yz', 'yz'],
  ])('finds that of %s', (source, text) => expect(findRequiredText(source)).toBe(text));
});

describe('createKindReader', () => {
  const regex = 'Step (?<step>\\d+) .*loss=(?<loss>\\S+)(?: (?<note>\\w+))?';

  it.each<[readonly MetadataKind[], string, unknown]>([
    [['json'], '{"loss": 1}', { loss: 1 }],
    [['json'], "{'loss': 1}", undefined],
    [['json', 'python-dict'], "{'loss': 1}", { loss: 1 }],
    [['python-dict'], '{"loss": 1}', { loss: 1 }],
    [['json'], '{"loss": 1} ', undefined],
    [['logfmt'], 'loss=1 ', { loss: 1 }],
    [[{ regex }], '[x] Step 5 of all: loss=0.5  ', { step: 5, loss: 0.5 }],
    [[{ regex }], 'Step 5 of 6: loss=nan bad', { step: 5, loss: 'NaN', note: 'bad' }],
    [[{ regex: '(?<word>\\w+)' }], 'text', undefined],
    [[], '{"loss": 1}', undefined],
  ])('reads by %j: %s', (kinds, line, row) => expect(readWith(kinds, line)).toEqual(row));

  it('numbers the rows of an expression with an empty group, and goes on from its state', () => {
    const kinds: readonly MetadataKind[] = [{ regex: '(?<row>)took (?<took>\\d+)' }];
    const reader = createKindReader({ kinds, nonfinite: 'log', compile: compileNative });
    const rows = ['took 5', 'no', 'took 7'].map((line) => reader.read(line));
    expect(rows.map((row) => row && [...row])).toEqual([
      [
        ['row', 1],
        ['took', 5],
      ],
      undefined,
      [
        ['row', 2],
        ['took', 7],
      ],
    ]);
    const state = reader.takeState();
    const next = createKindReader({ kinds, nonfinite: 'log', compile: compileNative, state });
    expect(next.read('took 6')?.get('row')).toBe(3);
  });

  it('has no line for an expression that does not compile', () => {
    const compile = (): Result<LinePattern, PatternFault> => ({ ok: false, error: { message: 'no' } });
    const reader = createKindReader({ kinds: [{ regex: '(' }], nonfinite: 'log', compile });
    expect(reader.read('(1')).toBeUndefined();
    expect(reader.needles()).toEqual([]);
  });

  it('continues with the state of another', () => {
    const kinds: MetadataKind[] = ['json', { preset: 'lammps' }];
    const first = createKindReader({ kinds, nonfinite: 'log', compile: compileNative });
    expect(first.needles()).toEqual(['Step ']);
    expect(first.takeState()).toEqual([null, { names: [], multi: [] }]);
    expect(first.read('Step Temp Press')).toBeUndefined();
    const state = JSON.parse(JSON.stringify(first.takeState())) as never;
    const second = createKindReader({ kinds, nonfinite: 'log', compile: compileNative, state });
    expect(second.needles()).toBeUndefined();
    expect([...(second.read('   10  1.5  2') ?? [])]).toEqual([
      ['Step', 10],
      ['Temp', 1.5],
      ['Press', 2],
    ]);
  });
});

it('compileNative names the groups of the tests', () => {
  expect(compileNative('(?<a>.)(?<b>.)?')).toMatchObject(ok({ names: ['a', 'b'] }));
});
