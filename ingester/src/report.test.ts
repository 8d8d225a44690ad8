import type { LogLevel } from './report.js';
import { createReporter, LOG_LEVELS } from './report.js';

function sayAll(level: LogLevel, format: 'text' | 'json' = 'text'): string[] {
  const said: string[] = [];
  const report = createReporter({ level, format, nowMs: () => 0, writeText: (text) => said.push(text) });
  for (const name of LOG_LEVELS) if (name !== 'silent') report[name](`an ${name}\n  of two lines`);
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

  it('writes one JSON object a line', () => {
    const [line = ''] = sayAll('error', 'json');
    expect(line).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(line)).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'error',
      message: 'an error of two lines',
    });
  });
});
