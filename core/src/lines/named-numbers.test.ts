import { findNamedNumbers } from './named-numbers.js';
import { readPrintedValue } from './printed-value.js';

/** The numbers of a line that have a name. */
function read(line: string): Readonly<Record<string, number | string>> {
  const numbers = findNamedNumbers(line).filter(({ name, isTotal }) => name !== '' && !isTotal);
  return Object.fromEntries(numbers.map(({ name, text }) => [name, readPrintedValue(text)]));
}

describe('findNamedNumbers', () => {
  it.each<[string, string, Readonly<Record<string, number | string>>]>([
    [
      'an exponent with D',
      'energy= -1.25D+02 resid= 3.5d-01 g = 1.D0 f: 1D-3',
      { energy: -125, resid: 0.35, g: 1, f: 0.001 },
    ],
    ['an exponent with Q', 'energy: 1.5Q+01', { energy: 15 }],
    ['an exponent without a letter', 'small= 1.25-104 large= -0.5+103', { small: 1.25e-104, large: -5e102 }],
    ['separated thousands', 'step 10 loss 1,234.5 seen: -12,345,678', { step: 10, loss: 1234.5, seen: -12345678 }],
    ['thousands with a low line', 'step: 10_000 loss: 0.5', { step: 10000, loss: 0.5 }],
    ['thousands with a unit', 'step 3 time 1,234.5ms mem=2,048MiB', { step: 3, time: 1234.5, mem: 2048 }],
    ['a rate behind', 'lr 3e-04 |g| 0.25 4,905 tok/s 44.8GB', { lr: 0.0003, g: 0.25, 'tok/s': 4905 }],
    ['a unit before', 'cost: $1.25 price = €2,000 loss 0.5', { cost: 1.25, price: 2000, loss: 0.5 }],
    [
      'a unit stuck to it',
      'size 17.9GB speed 3.5km/h temp 32°C acc 97.5%',
      { size: 17.9, speed: 3.5, temp: 32, acc: 97.5 },
    ],
    ['a name with an operator', 'Nt= 0.5 tStar+30 =   47.7', { Nt: 0.5, 'tStar+30': 47.7 }],
    [
      'a list of equal numbers',
      'lr=[1e-3, 1e-3] x: (0.5,) y: tensor(0.25, device=0)',
      { lr: 0.001, x: 0.5, y: 0.25, device: 0 },
    ],
    ['a complex number', 'E=-1.5+100j loss=0.5', { E: -1.5, loss: 0.5 }],
  ])('reads %s', (_kind, line, numbers) => expect(read(line)).toEqual(numbers));

  it.each<[string, string]>([
    ['a decimal comma', 'step 3 loss 0,693 acc 1,5'],
    ['a comma in the wrong place', 'step 3 loss 1,2345 acc: 12,34,567'],
    ['two numbers without a space', 'step 3 loss -559.123-0.0021 acc 12.5000-13.2500'],
    ['a range', 'step 3 loss 5-10'],
    ['a value of MSVC', 'step 3 loss 1.#QNAN acc=-1.#IND'],
    ['an exponent that is cut off', 'step 3 loss 1.25D acc 1.5e g 2.5e+'],
    ['a power of ten', 'step 3 loss 1.5*10^3 acc 1.5x10^-3 g 1.5 × 10⁻³ h 1.25(5)e-3'],
    ['a power of ten with spaces', 'step 3 loss 1.5 x 10^-3 acc 2 * 10 ** -4 g 1.5 · 10^(-3) h 3 x 10⁻⁴'],
    ['another minus', 'step 3 loss −0.25 acc: –1.5 g=‑2 (h) －0.5'],
    ['a range with a dash', 'step 3 loss 5–10 acc 0.1−0.2'],
    ['other thousands', "step 3 loss 1'234.5 acc 1\u202f234"],
    ['letters and digits', 'step 3 loss 1.5abc12 acc 640x480'],
    ['a list', "step 3 loss: (1, 2.5, {'acc': []}, 10.5) acc=[0.5 0.25] betas = [0.9,0.999]"],
    ['a full field', 'step 3 loss ******** acc: ****'],
  ])('reads no value of %s', (_kind, line) => expect(read(line)).toEqual({ step: 3 }));
});
