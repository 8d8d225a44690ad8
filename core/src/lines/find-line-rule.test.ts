import { findLineRules, type LineRule } from './find-line-rule.js';
import { createKindReader } from './kind-reader.js';
import { compileNative } from './testing/compile-native.js';

const repeat = (count: number, format: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => format(i));

/** Chooses the number that `mark` begins with, in the last line that holds it. */
function choose(lines: readonly string[], mark: string): LineRule | undefined {
  const at = lines.findLastIndex((line) => line.includes(mark));
  return findLineRules({ lines, at, columns: [lines[at]?.indexOf(mark) ?? 0] }, compileNative)[0];
}

/** The rows that the rule finds in the lines. */
function draw(lines: readonly string[], mark: string): unknown[] {
  const { rule } = choose(lines, mark) ?? {};
  const reader = createKindReader({ kinds: rule ? [rule] : [], nonfinite: 'metadata', compile: compileNative });
  return lines.flatMap((line) => {
    const row = reader.read(line);
    return row === undefined ? [] : [Object.fromEntries(row)];
  });
}

const KERAS = ['Epoch 1/2', '9/9 [==] - 1s 9ms/step - loss: 0.5', 'Epoch 2/2', '9/9 [==] - 1s 9ms/step - loss: 0.25'];
const YOLO = [
  '      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size',
  '        1/3      2.85G      1.234       0.9         12        640: 100% ━━━━ 85/85 3.1it/s 27.4s',
  '                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100% ━━━━ 4/4 2.0it/s',
  '                   all        240        218      0.988      0.972      0.993      0.898',
];
const LAMMPS = [
  'Step Temp E_mol TotEng ',
  '       0          2.4            0    3.59 ',
  '     100          2.1            0    3.58 ',
  'Loop time of 1.5 on 1 procs',
  'velocity all create 2.4',
];
const GROMACS = [
  '           Step           Time',
  '              0        0.00000',
  '',
  '   Energies (kJ/mol)',
  '           Bond          Angle',
  '    1.50000e+03    2.50000e+03',
  '',
  '           Step           Time',
  '             10        0.02000',
];

describe('findLineRules', () => {
  it.each<[string, readonly string[], string, unknown]>([
    ['Keras', KERAS, '0.25', { rule: { preset: 'keras' }, name: 'loss' }],
    ['a heading of Keras', KERAS, '2/2', { rule: { preset: 'keras' }, name: 'epoch' }],
    ['YOLO', YOLO, '0.9 ', { rule: { preset: 'yolo' }, name: 'cls_loss' }],
    ['the validation of YOLO', YOLO, '0.993', { rule: { preset: 'yolo' }, name: 'mAP50' }],
    ['LAMMPS', LAMMPS, '3.58', { rule: { preset: 'lammps' }, name: 'TotEng' }],
    ['a row of several lines', GROMACS, '2.5', { rule: { preset: 'gromacs' }, name: 'Angle' }],
    ['a dict', ["{'a/b': 0.5, 'epoch': 0.1}"], '0.5', { rule: 'python-dict', name: 'a/b' }],
    ['JSON', ['{"a.b": 0.5}'], '0.5', { rule: 'json', name: 'a.b' }],
    ['NaN', ["{'loss': nan, 'epoch': 0.1}"], 'nan', { rule: 'python-dict', name: 'loss' }],
    ['pairs', ['height=3 width=0.25'], '0.25', { rule: 'logfmt', name: 'width' }],
  ])('finds the program of %s', (_name, lines, mark, found) => {
    expect(choose(lines, mark)).toEqual(found);
  });

  it('tells equal numbers apart', () => {
    const lines = ['Step Temp E_mol', '0 0 0'];
    const rules = findLineRules({ lines, at: 1, columns: [0, 2, 4] }, compileNative);
    expect(rules.map(({ name }) => name)).toEqual(['Step', 'Temp', 'E_mol']);
  });

  it('takes the pattern of the line for a number that the program does not draw', () => {
    const lines = repeat(4, (i) => `9/9 [==] - ${9 + i}s 9ms/step - loss: 0.5`);
    expect(JSON.stringify(choose(lines, '12s')?.rule)).toContain('(?<value');
  });

  it('numbers the rows where a count stands still in the lines around', () => {
    const lines = repeat(5, (i) => `Solving for Ux, residual = 0.${(i * 7) % 5}, No Iterations 1000`);
    expect(draw(lines, '0.3').slice(0, 2)).toEqual([
      { table_row: 1, residual: 0, No_Iterations: 1000 },
      { table_row: 2, residual: 0.2, No_Iterations: 1000 },
    ]);
  });

  it('numbers no rows where whole numbers or a time rise under any name', () => {
    const lines = repeat(5, (i) => `took ${i * 2} s width: ${(i * 7) % 5}`);
    expect(draw(lines, '8 s')[1]).toEqual({ took: 2, width: 2 });
    const timed = repeat(5, (i) => `my time: ${i * 2}.5 width: ${(i * 7) % 5}`);
    expect(draw(timed, '8.5')[1]).toEqual({ my_time: 2.5, width: 2 });
  });

  it('numbers the rows where a measure rises by chance', () => {
    const lines = repeat(5, (i) => `mean: ${i}.5 max: ${(i * 7) % 5}.25`);
    expect(draw(lines, '4.5')[1]).toEqual({ table_row: 2, mean: 1.5, max: 2.25 });
  });

  it('finds a heading far before', () => {
    const rows = repeat(1500, (i) => `  ${i}  2.${i}  0 `);
    expect(choose(['Step Temp E_mol ', ...rows], '2.1499')).toEqual({ rule: { preset: 'lammps' }, name: 'Temp' });
  });

  it('takes no words for the columns of a heading', () => {
    const lines = ['when temp press', '1 0.5 2', 'all 0.5 2', '2 0.25 nan'];
    expect(draw(lines, '0.25')).toEqual([
      { when: 1, temp: 0.5, press: 2 },
      { when: 2, temp: 0.25, press: 'NaN' },
    ]);
  });

  it('finds none beside numbers', () => {
    expect(findLineRules({ lines: ['loss 5'], at: 0, columns: [1] }, compileNative)).toEqual([]);
    expect(findLineRules({ lines: ['loss 5'], at: -1, columns: [5] }, compileNative)).toEqual([]);
  });
});
