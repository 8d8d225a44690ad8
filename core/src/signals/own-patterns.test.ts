import { err, ok } from '../result/result.js';
import { type CompileSignal, createOwnPattern, parseOwnSignal } from './own-patterns.js';
import { findLiterals } from './regex-literals.js';

const compile: CompileSignal = (source) => {
  try {
    const regex = new RegExp(source);
    return ok((line) => regex.exec(line)?.[0]);
  } catch {
    return err('its regex is not valid');
  }
};

describe("a user's own signal", () => {
  it.each([
    [{ name: 'ecc', text: 'ECC error' }, 'gpu 3: ECC error ', 'gpu 3: ECC error'],
    [{ name: 'ecc', regex: 'ECC error \\d+' }, 'gpu 3: ECC error 79 found', 'ECC error 79'],
    [{ name: 'ecc', regex: '\\d+ (a|b)', text: 'failed' }, '3 b failed', '3 b'],
    [{ name: 'ecc', regex: 'ECC error \\d+' }, 'ECC error', undefined],
  ])('%j matches %j as %j', (value, line, message) => {
    const signal = parseOwnSignal(value);
    const pattern = signal.ok ? createOwnPattern(signal.value, compile) : signal;
    expect(pattern.ok && pattern.value.match(line)).toBe(message);
    expect(pattern.ok && pattern.value.severity).toBe('error');
  });

  it.each([
    ['x', 'it is not a mapping'],
    [{ name: 'a', tekst: 'x' }, 'allowed are name, severity, text and regex'],
    [{ name: 'a b', text: 'long enough' }, 'its name must have'],
    [{ name: 'a', text: 'long enough', severity: 'bad' }, 'its severity must be one of info, warning, error'],
    [{ name: 'a' }, 'it needs a text or a regex'],
    [{ name: 'a', text: '' }, 'text and regex are texts of 1 to'],
    [{ name: 'a', text: 'abc' }, 'its text must hold at least 4 ASCII characters'],
    [{ name: 'a', regex: '\\d+' }, 'add them as text'],
    [{ name: 'a', regex: '(failed' }, 'its regex'],
  ])('%j is refused: %s', (value, message) => {
    const signal = parseOwnSignal(value);
    const pattern = signal.ok ? createOwnPattern(signal.value, compile) : signal;
    expect(pattern.ok ? '' : pattern.error).toContain(message);
  });
});

describe('the text that all matches of a regular expression hold', () => {
  it.each([
    ['failed to open', ['failed to open']],
    ['^ERR: +failed\\.$', ['failed.']],
    ['colou?rs are gone', ['rs are gone']],
    ['x{2,3}abcd', ['abcd']],
    ['(fatal|failed) at rank', [' at rank']],
    ['[]abcd]+efgh', ['efgh']],
    ['fatal|failed', []],
    ['(?i)failed', []],
    ['\\Qfailed\\E', []],
    ['größe', []],
    ['abc', []],
  ])('%s: %j', (source, literals) => expect(findLiterals(source)).toEqual(literals));
});
