import { createSecrets } from './secrets.js';

const BACKSLASHES = '\\'.repeat(40);

describe('a secret of many backslashes', () => {
  it.each([
    ['is masked as it is', BACKSLASHES, '***'],
    ['is masked in JSON', BACKSLASHES.repeat(2), '***'],
    ['does not take as long as there are ways to read it, where it is not there', `${'\\'.repeat(39)}x`, undefined],
  ])('%s', (_name, printed, expected) => {
    const mask = createSecrets([BACKSLASHES])?.createMask();
    const shown = [mask?.take(Buffer.from(`a ${printed} b\n`)), mask?.end()].map((bytes) =>
      Buffer.from(bytes ?? '').toString()
    );
    const text = shown.join('');
    if (expected === undefined) expect(text).toBe(`a ${printed} b\n`);
    else expect(text.startsWith(`a ${expected}`)).toBe(true);
  });
});
