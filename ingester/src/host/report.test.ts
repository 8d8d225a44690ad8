import { createFakeClock } from '../testing/fake-clock.js';
import { noteCollections } from '../../../test/large-collections.js';
import { createReporter, LOG_LEVELS, type LogLevel, type Reporter } from './report.js';

function sayAll(level: LogLevel, format: 'text' | 'json' = 'text'): string[] {
  const said: string[] = [];
  const report = createReporter({ level, format, clock: createFakeClock(), writeText: (text) => said.push(text) });
  for (const name of LOG_LEVELS) if (name !== 'silent') report[name](`an ${name}\n  of two lines`);
  return said;
}

function say(message: string, format: 'text' | 'json'): string {
  let said = '';
  createReporter({ level: 'info', format, clock: createFakeClock(), writeText: (text) => (said += text) }).info(
    message
  );
  return said;
}

describe('createReporter', () => {
  it.each(LOG_LEVELS.map((level, index) => [level, index] as const))(
    'says at level %s the first %i',
    (level, count) => {
      const levels = ['error', 'warn', 'info', 'debug'].slice(0, count);
      expect(sayAll(level)).toEqual(levels.map((name) => `joblens: an ${name} of two lines\n`));
    }
  );

  it('keeps so many kinds of messages, and counts those beyond as one', async () => {
    const noted = noteCollections();
    const clock = createFakeClock();
    let said = '';
    const report = createReporter({ level: 'info', format: 'text', clock, writeText: (text) => (said += text) });
    for (let i = 0; i < 2000; i += 1) report.warn(`not following "a (${i})"`);
    expect(await noted.listLarge(501)).toEqual([]);
    report.flush();
    noted.end();
    const lines = said.split('\n');
    expect(lines).toHaveLength(503);
    expect(lines[501]).toMatch(/^joblens: not following "a \(1999\)" \(1499 more times, last at /);
  });

  it('writes one JSON object a line', () => {
    const [line = ''] = sayAll('error', 'json');
    expect(line).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(line)).toEqual({
      time: '2023-11-14T22:13:20.000Z',
      level: 'error',
      message: 'an error of two lines',
    });
  });

  it.each([
    ['a terminal sequence', 'not following /a/\x1b]0;owned\x07.out', 'not following /a/\\x1b]0;owned\\x07.out'],
    ['a C1 control', '\u009b31mred', '\\x9b31mred'],
    ['backspaces and a tab', 'a\b\tb\x7f', 'a\\x08\\x09b\\x7f'],
    ['writing turned around', 'a\u202etuo.b', 'a\\u202etuo.b'],
    ['newlines', 'a\r\n\u2028b', 'a b'],
    ['other letters', 'größer 日本 🎉', 'größer 日本 🎉'],
  ])('lets nothing in a message steer a terminal: %s', (_, message, shown) => {
    expect(say(message, 'text')).toBe(`joblens: ${shown}\n`);
    expect(JSON.parse(say(message, 'json'))).toMatchObject({ message: shown });
  });

  describe('of messages that come often', () => {
    const clock = createFakeClock();
    const said: string[] = [];
    const take = (): string[] => said.splice(0);
    const writeText = (text: string): void => void said.push(text.replace('joblens: ', '').trimEnd());
    let report: Reporter & { flush(): void };
    beforeEach(async () => {
      await clock.advance(1e9);
      report = createReporter({ level: 'warn', format: 'text', clock, writeText });
      take();
    });

    it('says each kind once a minute, with its count and when it was', async () => {
      for (let second = 0; second < 60; second += 6) {
        report.error('the disk failed');
        await clock.advance(3000);
        report.warn('it works again');
        await clock.advance(3000);
      }
      expect(take()).toEqual([
        'the disk failed',
        'it works again',
        expect.stringMatching(/^the disk failed \(9 more times, last at 20\d\d-.*Z\)$/),
      ]);
      await clock.advance(3000);
      expect(take()).toEqual([expect.stringMatching(/^it works again \(9 more times/)]);
      await clock.advance(60_000);
      report.error('the disk failed');
      expect(take()).toEqual(['the disk failed']);
    });

    it('counts as one kind what only differs in numbers, and says the newest of it', async () => {
      for (let i = 1; i <= 3; i += 1) report.warn(`${i} points are lost`, 'points are lost');
      report.warn('4 points are lost');
      await clock.advance(60_000);
      expect(take()).toEqual([
        '1 points are lost',
        '4 points are lost',
        expect.stringMatching(/^3 points are lost \(2 more times/),
      ]);
    });

    it('says at the end what it has not said', () => {
      report.warn('a');
      report.warn('a');
      report.flush();
      report.flush();
      expect(take()).toEqual(['a', expect.stringMatching(/^a \(once more, last at /)]);
    });
  });
});
