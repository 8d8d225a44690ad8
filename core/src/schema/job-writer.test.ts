import { formatJobWriter, parseJobWriter } from './job-writer.js';

describe('who logs a job', () => {
  it.each([
    [{ kind: 'run', files: [] } as const, 'run'],
    [{ kind: 'run', files: ['b2', 'c3'] } as const, 'run b2 c3'],
    [{ kind: 'watch', id: 'a1', files: [] } as const, 'watch a1'],
    [{ kind: 'watch', id: 'a1', files: ['b2', 'c3'] } as const, 'watch a1 b2 c3'],
  ])('is %j as text', (writer, text) => {
    expect(formatJobWriter(writer)).toBe(text);
    expect(parseJobWriter(text)).toEqual(writer);
  });

  it('names the files that were opened last, and not more than a heartbeat may hold', () => {
    const files = Array.from({ length: 100 }, (_, i) => `f${i}`);
    const parsed = parseJobWriter(formatJobWriter({ kind: 'watch', id: 'a1', files }));
    expect(parsed).toEqual({ kind: 'watch', id: 'a1', files: files.slice(-16) });
  });

  it.each(['', ' ', 'watch', 'watch ', 'watch a1  b2', 'run ', 'RUN', 'pipe', 'serve a1'])(
    'is unknown where the text is %j',
    (text) => {
      expect(parseJobWriter(text)).toBeUndefined();
    }
  );
});
