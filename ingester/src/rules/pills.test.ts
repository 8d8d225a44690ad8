import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';
import { readLog } from '../testing/stored-points.js';
import { parseOptIn } from './options/opt-in.js';

const nest = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

const DEEP: readonly (readonly [string, string])[] = [
  ['6,000 lists', nest(6000, '[', ']')],
  ['100,000 lists', nest(100_000, '[', ']')],
  ['6,000 objects', `${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}`],
  ['100,000 objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
];
const PLACES: readonly (readonly [string, (deep: string) => string])[] = [
  ['an event', (deep) => `/LOGCOMMAND {"event":{"topic":"d","data":${deep}}}`],
  ['a configuration', (deep) => `/LOGCOMMAND {"config":{"a":${deep}}}`],
  ['tags', (deep) => `/LOGCOMMAND {"tags":{"a":${deep}}}`],
  ['options', (deep) => `/LOGCOMMAND {"signals":[${deep}]}`],
  ['an unknown option', (deep) => `/LOGCOMMAND {"x":${deep}}`],
  ['metadata', (deep) => `{"a":${deep}}`],
  ['a Python dict', (deep) => `{'a': ${deep.replaceAll('"', "'")}}`],
];
const CASES = PLACES.flatMap(([place, put]) => DEEP.map(([what, deep]) => [what, place, put(deep)] as const));

describe('a line that is nested too deep', () => {
  it.each(CASES)('of %s in %s is a line like any other', async (_what, _place, line) => {
    const test = createPipelineUnderTest({ config: { metadata: ['json', 'python-dict'] } });
    await test.write('stdout', `before\n${line}\nafter\n{"loss": 1}\n`);
    test.end();
    const log = readLog(test.stored());
    expect(log.filter((each) => each.endsWith('before') || each.endsWith('after'))).toHaveLength(2);
    expect(log.join('\n')).toContain(line.slice(0, 20));
    expect(test.stored().filter(({ measurement }) => measurement === 'job_metadata')).toHaveLength(1);
    const notices = log.filter((each) => each.includes('(joblens: '));
    expect(notices).toHaveLength(/^(?:\/|\{"a")/.test(line) ? 1 : 0);
    for (const notice of notices) expect(notice).toMatch(/nested more than 500 levels deep/);
  });
});

describe('JSON that is no metadata', () => {
  const deep = `{"a": ${nest(600, '[', ']')}}`;
  const long = `{"a": [${'1234567,'.repeat(300_000)}1]}`;

  it.each([
    ['nested too deep', deep, 'it is nested more than 500 levels deep'],
    ['too long', long, 'it is longer than 1 MiB'],
  ])('because it is %s says so once', async (_what, line, reason) => {
    const test = createPipelineUnderTest({});
    await test.write('stdout', `{"loss": 1}\n${line}\nbetween\n${line}\n{ no JSON }\n{"loss": 2}\n`);
    await test.write('stderr', `${line}\n`);
    test.end();
    const log = readLog(test.stored());
    expect(log.filter((each) => each.includes('(joblens: '))).toEqual([
      `[notice] (joblens: the line above is no metadata: ${reason})`,
    ]);
    expect(test.stored().filter(({ measurement }) => measurement === 'job_metadata')).toHaveLength(2);
  });

  it('says nothing where nothing is mined', async () => {
    const test = createPipelineUnderTest({ config: { mode: 'disabled' } });
    await test.write('stdout', `${deep}\n`);
    test.end();
    expect(readLog(test.stored())).toEqual([]);
  });
});

describe('numbers of an event or a configuration that a double does not hold', () => {
  it.each([
    ['9007199254740993', { n: 9007199254740992 }],
    ['-12345678901234567890', { n: -12345678901234567000 }],
    ['1e999', {}],
    ['-0', { n: -0 }],
    ['1e300', { n: 1e300 }],
  ])('%s is stored as printed, beside the nearest float', async (number, fields) => {
    const test = createPipelineUnderTest({});
    await test.write('stdout', `/LOGCOMMAND {"event":{"topic":"d","data":{"n":${number}, "in":[${number}]}}}\n`);
    test.end();
    const event = test.stored().find(({ measurement }) => measurement === 'job_event');
    const data = number === '1e300' ? '1e+300' : number;
    expect(Object.fromEntries(event?.fields ?? [])).toEqual({ data: `{"n":${data},"in":[${data}]}`, ...fields });
  });

  it.each(['9007199254740993', '-12345678901234567890', '1e999', '-0', '0.1'])(
    '%s in the configuration is stored as printed',
    async (number) => {
      const test = createPipelineUnderTest({});
      await test.write(
        'stdout',
        `/LOGCOMMAND {"config": {"b": ${number}, "1": [${number}], "__proto__": {"n": ${number}}}}\n`
      );
      test.end();
      const config = test.stored().flatMap(({ fields }) => fields.get('config') ?? []);
      expect(config).toEqual([`{"b":${number},"1":[${number}],"__proto__":{"n":${number}}}`]);
    }
  );

  it('may not make the configuration longer than a text of the store', async () => {
    const test = createPipelineUnderTest({});
    await test.write('stdout', `/LOGCOMMAND {"config":{"a":${'9'.repeat(70_000)}}}\n`);
    test.end();
    expect(test.stored().some(({ fields }) => fields.has('config'))).toBe(false);
    expect(readLog(test.stored()).join()).toContain('config');
  });

  it('may not make the data longer than a text of the store', async () => {
    const test = createPipelineUnderTest({});
    await test.write('stdout', `/LOGCOMMAND {"event":{"topic":"d","data":[${'9'.repeat(70_000)}]}}\n`);
    test.end();
    expect(test.stored().some(({ measurement }) => measurement === 'job_event')).toBe(false);
    expect(readLog(test.stored()).join()).toContain('its data is too long');
  });
});

describe('an opt-in file', () => {
  it.each([
    ['6,000 lists', `signals: ${nest(6000, '[', ']')}`],
    ['30,000 lists that do not end', `signals: ${'['.repeat(30_000)}`],
    ['mappings in braces', `signals: ${'{a: '.repeat(15_000)}`],
    ['lists in one line', `signals:\n ${'- '.repeat(30_000)}x`],
    ['questions in one line', `${'? '.repeat(1500)}x`],
    ['both kinds', `a:\n  ${'- '.repeat(60)}${nest(60, '[', ']')}`],
    ['mappings by indent', Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['JSON', `{"signals": ${nest(6000, '[', ']')}}`],
  ])('with %s nested too deep is refused with the place', async (_what, text) => {
    const parsed = await parseOptIn(text);
    expect(parsed).toMatchObject({ ok: false, error: { message: 'nested too deep; at most 100 levels are read' } });
    const { line = 0, column = 0 } = parsed.ok ? {} : parsed.error;
    expect(text.split('\n')[line - 1]?.length).toBeGreaterThanOrEqual(column);
  });

  it.each([
    ['part of itself', 'signals: &a [*a]'],
    ['too large', `signals:\n- &a [${'x,'.repeat(2000)}]\n- &b [${'*a,'.repeat(90)}]\n- [${'*b,'.repeat(9)}]`],
  ])('whose aliases make it %s is refused', async (_what, text) => {
    expect(await parseOptIn(text)).toMatchObject({ ok: false });
  });

  it.each([
    ['brackets in texts', `# [[[\nsignals:\n${"- {name: a, regex: '\\[\\[{{'}\n".repeat(50)}`],
    [
      'a text in lines',
      `signals:\n- name: a\n  text: |\n${Array.from({ length: 200 }, (_, i) => ' '.repeat(4 + i) + '[x').join('\n')}`,
    ],
    ['a key of the prototype', '__proto__: {mode: disabled}\nmode: enabled'],
  ])('with %s is read as ever', async (_what, text) => {
    expect(await parseOptIn(text)).toMatchObject({ ok: true, value: { config: { mode: 'enabled' } } });
  });
});
