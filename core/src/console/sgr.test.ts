import { applySgrParameters, SGR_MARKS, type SgrState } from './sgr.js';

const DEFAULT: SgrState = { foreground: '', background: '', marks: 0 };
const marks = (...codes: number[]): number => codes.reduce((bits, code) => bits | (1 << SGR_MARKS.indexOf(code)), 0);

it.each<[parameters: string, state: Partial<SgrState>]>([
  ['', {}],
  ['31', { foreground: '31' }],
  ['97;103', { foreground: '97', background: '103' }],
  ['01;32', { foreground: '32', marks: marks(1) }],
  ['38;5;208;48;5;17', { foreground: '38;5;208', background: '48;5;17' }],
  ['38:5:208', { foreground: '38;5;208' }],
  ['38;2;1;2;3', { foreground: '38;2;1;2;3' }],
  ['38:2:1:2:3', { foreground: '38;2;1;2;3' }],
  ['38:2::1:2:3', { foreground: '38;2;1;2;3' }],
  ['38;5;999;1', { marks: marks(1) }],
  ['38;5', {}],
  ['58;5;1;31', { foreground: '31' }],
  ['4;21', { marks: marks(21) }],
  ['4:2', { marks: marks(21) }],
  ['4:3', { marks: marks(4) }],
  ['6', { marks: marks(5) }],
  ['1;2;3;22', { marks: marks(3) }],
  ['31;1;0', {}],
  ['10;51;73', {}],
])('applies %p', (parameters, state) => {
  expect(applySgrParameters(DEFAULT, parameters)).toEqual({ ...DEFAULT, ...state });
});

it('leaves the given state as it is', () => {
  const red: SgrState = Object.freeze({ ...DEFAULT, foreground: '31' });
  expect(applySgrParameters(red, '39;4')).toEqual({ ...DEFAULT, marks: marks(4) });
  expect(red.foreground).toBe('31');
});
