import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { openPipe } from './testing/copied-pipe.js';

it('gives every byte once and in order, whatever is written and however slowly it is taken', async () => {
  const piece = fc.tuple(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 0, max: 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      const { write, take, endInput } = await openPipe();
      const written = pieces.map(([length], i) => String.fromCharCode(65 + i).repeat(length));
      const writing = (async (): Promise<void> => {
        for (const text of written) await write(text);
        await endInput();
      })();
      let taken = '';
      for (let i = 0; ; i += 1) {
        const bytes = await take();
        if (bytes === undefined) break;
        taken += bytes;
        await new Promise((resolve) => setTimeout(resolve, pieces[i % pieces.length]?.[1]));
      }
      await writing;
      expect(taken).toBe(written.join(''));
    }),
    { numRuns: randomCases(30) }
  );
});
