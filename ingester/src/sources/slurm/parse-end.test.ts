import { endArgs, parseEnds } from './parse-end.js';

const GB = 2 ** 30;
const line = (...parts: string[]): string => parts.join('\x1f');

describe('the end of a job in accounting', () => {
  it('has the memory of its largest step, what it asked for, and who cancelled it', () => {
    const text = [
      line('7', 'OUT_OF_MEMORY', '', '12G', '1'),
      line('7.batch', 'OUT_OF_MEMORY', '12688K', '', '1'),
      line('7.0', 'OUT_OF_MEMORY', '12.50G', '', '1'),
      line('8', 'CANCELLED by 1001', '', '8G', '2'),
      line('9', 'FAILED', '', '4Gn', '2'),
      line('10', 'FAILED', '', '2Gc', '1'),
      '',
    ].join('\n');
    expect([...parseEnds(text)]).toEqual([
      [7, { usedBytes: 12.5 * GB, requestedBytes: 12 * GB }],
      [8, { cancelledByUid: 1001, requestedBytes: 4 * GB }],
      [9, { requestedBytes: 4 * GB }],
      [10, {}],
    ]);
  });

  it('is asked for with all jobs at once', () => {
    expect(endArgs([7, 8])).toContain('--jobs=7,8');
  });
});
