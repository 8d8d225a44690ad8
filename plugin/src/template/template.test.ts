import fc from 'fast-check';
import { createTemplates } from '../../test/fake-templates.js';
import { interpolateValues } from './template.js';

describe('interpolateValues', () => {
  const templates = createTemplates(
    { job: '123', jobs: ['1', 'a,b', "o'x"], site: ['alpha', 'beta'], every: ['1', '2'], none: [] },
    ['every']
  );

  it.each([
    ['nothing', undefined, []],
    ['an empty field', '', []],
    ['blanks', '  ', []],
    ['plain text', 'alpha/7', ['alpha/7']],
    ['a text that only looks like a list', '{a,b}', ['{a,b}']],
    ['one value', '$job', ['123']],
    ['braces', '${job}', ['123']],
    ['brackets', '[[job]]', ['123']],
    ['an unknown variable', '$nope', ['$nope']],
    ['several values, commas and quotes kept', '$jobs', ['1', 'a,b', "o'x"]],
    ['text around a variable', 'x-$job-y', ['x-123-y']],
    [
      'two variables: every pair',
      '${site}/$jobs',
      ['alpha/1', 'alpha/a,b', "alpha/o'x", 'beta/1', 'beta/a,b', "beta/o'x"],
    ],
    ['All selected: no condition', '$every', []],
    ['All selected, within text: each value', 'a$every', ['a1', 'a2']],
    ['nothing selected', '$none', []],
  ])('%s', (_name, text, expected) => {
    expect(interpolateValues(text, {}, templates)).toEqual(expected);
  });

  it('takes a scoped variable before the dashboard’s, also when All is selected there', () => {
    expect(interpolateValues('$every', { every: { text: '2', value: '2' } }, templates)).toEqual(['2']);
  });

  it('keeps a variable’s own value for All', () => {
    const own = { ...templates, getVariables: () => [{ name: 'job', allValue: '.*', current: { value: '$__all' } }] };
    expect(interpolateValues('$job', {}, own)).toEqual(['123']);
  });

  it('gives back any values whatever they hold', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => !value.includes('\0'))),
        (values) => {
          expect(interpolateValues('$v', {}, createTemplates({ v: values }))).toEqual(values);
        }
      )
    );
  });

  it('refuses a product that would freeze the page', () => {
    const many = Array.from({ length: 200 }, (_, index) => String(index));
    expect(() => interpolateValues('$a$b', {}, createTemplates({ a: many, b: many }))).toThrow(
      /more than 10000 values/
    );
  });
});
