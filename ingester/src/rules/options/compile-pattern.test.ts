import { compilePattern } from './compile-pattern.js';

describe('compilePattern', () => {
  it('names the groups in their order, and finds the first match anywhere', () => {
    const compiled = compilePattern('(?P<step>\\d+)(?: of (\\d+))?.*loss=(?<loss>[-.\\de]+)(?<rest> .)?');
    if (!compiled.ok) throw new Error(compiled.error.message);
    expect(compiled.value.names).toEqual(['step', 'loss', 'rest']);
    expect(compiled.value.match('at 5 of 9: loss=1e-5')).toEqual(['5', '1e-5', '']);
    expect(compiled.value.match('nothing')).toBeUndefined();
  });

  it.each([
    ['x(?<a>[', 'the expression is not valid at its character 7: missing closing ]'],
    ['a(?=b)', /at its character 2: .*; RE2 has neither look-around nor back-references$/],
    ['(?<!x)(?<a>y)', /; RE2 has neither look-around nor back-references$/],
    ['(?<a>x)\\1', /at its character 8: .*; RE2 has neither look-around nor back-references$/],
    ['(?<a>x)(?<a>y)', /^the expression is not valid at its character \d+: duplicate capture group name$/],
    ['(loss)', 'the expression has no named group, such as (?<loss>[-.\\de]+)'],
    ['a'.repeat(5000), 'the expression is longer than 4096 characters'],
  ])('refuses %j', (source, message) => {
    const compiled = compilePattern(source);
    expect(compiled).toMatchObject({
      ok: false,
      error: { message: (typeof message === 'string' ? message : expect.stringMatching(message)) as unknown },
    });
  });

  it('takes time in proportion to the line', () => {
    const compiled = compilePattern('(?<a>(?:x+)+)$');
    if (!compiled.ok) throw new Error(compiled.error.message);
    const started = performance.now();
    expect(compiled.value.match(`${'x'.repeat(5000)}y`)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
