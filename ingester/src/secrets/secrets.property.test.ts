import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { parseJobState } from '../pipeline/job-state.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../testing/pipeline-under-test.js';
import { readLog, readMetadata, storePoints } from '../testing/stored-points.js';
import { createSecrets } from './secrets.js';

const SECRETS: readonly (readonly [string, ...string[]])[] = [
  ['Zk9/Qw+4-_x=='],
  ['Zk9/Qw+4-_x==', 'Zk9/Qw+4'],
  ['q"u\\o/t\\e\'d'],
  ['aaaaaaaa', 'abababab'],
  ['pässwörd-😀'],
  ['\\u0061\\u0061'],
];

const COLOURS = [
  '\x1b[31m',
  '\x1b[m',
  '\x1b[01;31m\x1b[K',
  '\x1b(B',
  '\x1b]8;;http://x\x1b\\',
  '\x1b]0;t\x07',
] as const;
const colour = fc.constantFrom(...COLOURS);
const other = fc.constantFrom(
  'a',
  'b\n',
  '{"t": "',
  '"}\n',
  '\r',
  '\\',
  '\\u00',
  '\x1b[',
  '\x1b[31m',
  'é',
  '\t',
  '\n',
  ' ',
  'x'.repeat(99)
);

type Spelling = 'raw' | 'unit' | 'UNIT' | 'short' | 'coloured';

function spell(character: string, spelling: Spelling, colours: string): string {
  const unit = JSON.stringify({ c: character }).includes('\\') || character === '/' ? `\\${character}` : character;
  const units = Array.from({ length: character.length }, (_, i) =>
    character.charCodeAt(i).toString(16).padStart(4, '0')
  );
  switch (spelling) {
    case 'raw':
      return character;
    case 'short':
      return unit;
    case 'unit':
      return units.map((hex) => `\\u${hex}`).join('');
    case 'UNIT':
      return units.map((hex) => `\\u${hex.toUpperCase()}`).join('');
    case 'coloured':
      return character + colours;
  }
}

/** A secret, whole or its beginning, as some program may print it. */
const printedOf = (secrets: readonly string[]): fc.Arbitrary<string> =>
  fc
    .record({
      secret: fc.constantFrom(...secrets),
      share: fc.constantFrom(1, 1, 1, 0.3, 0.8),
      spellings: fc.array(fc.constantFrom<Spelling>('raw', 'raw', 'raw', 'raw', 'short', 'unit', 'UNIT', 'coloured'), {
        minLength: 1,
        maxLength: 7,
      }),
      colour,
    })
    .map(({ secret, share, spellings, colour: between }) => {
      const characters = Array.from(secret);
      const taken = characters.slice(0, Math.ceil(characters.length * share));
      return taken.map((character, i) => spell(character, spellings[i % spellings.length] ?? 'raw', between)).join('');
    });

const printed = fc.constantFrom(...SECRETS).chain((secrets) =>
  fc.record({
    secrets: fc.constant(secrets),
    text: fc
      .array(fc.oneof({ weight: 2, arbitrary: printedOf(secrets) }, { weight: 3, arbitrary: other }), { maxLength: 12 })
      .map((parts) => parts.join('')),
    cuts: fc.array(fc.nat(400), { maxLength: 12 }),
  })
);

// eslint-disable-next-line no-control-regex -- control sequences are what it takes away
const SEQUENCE = /\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[\x20-\x3f]*[\x40-\x7e]|[\x20-\x2f]*[\x30-\x7e])/g;
const ESCAPE = /\\(?:u([0-9a-f]{4})|(["\\/]))/gi;

/** The output as a person reads it, and as a JSON parser reads it. */
function readings(output: string): string[] {
  const shown = output.replace(SEQUENCE, '');
  const decoded = shown.replace(ESCAPE, (_all, unit: string | undefined, short: string) =>
    unit === undefined ? short : String.fromCharCode(parseInt(unit, 16))
  );
  return [output, shown, decoded];
}

function cutAt(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

function mask(secrets: readonly string[], chunks: readonly Buffer[]): string {
  const stream = createSecrets(secrets)?.createMask();
  if (stream === undefined) throw new Error('there are no secrets');
  const parts = chunks.map((chunk) => Buffer.from(stream.take(chunk)));
  return Buffer.concat([...parts, stream.end()]).toString();
}

describe('a secret in a stream', () => {
  it('is in no reading of it, however it is printed and cut', () => {
    fc.assert(
      fc.property(printed, ({ secrets, text, cuts }) => {
        const output = mask(secrets, cutAt(text, cuts));
        expect(readings(output).filter((reading) => secrets.some((secret) => reading.includes(secret)))).toEqual([]);
        expect(output).toBe(mask(secrets, [Buffer.from(text)]));
        // A stray beginning of a sequence, or a backslash, would take a part of it away from our reading.
        const bare = COLOURS.reduce((rest, each) => rest.replaceAll(each, ''), text).replaceAll('\x1b[', '');
        const units = bare.replace(/\\(?=\\u)/g, '');
        const isThere = [...readings(text), ...readings(bare), ...readings(units)].some((reading) =>
          secrets.some((secret) => reading.includes(secret))
        );
        // Where a secret may begin within an escape there are more readings than these.
        if (!isThere && !/^[\\a-fq]/.test(secrets[0])) expect(output).toBe(text);
      }),
      { numRuns: randomCases(1000) }
    );
  });

  it('is not begun to be handed on before it is known not to be one', () => {
    fc.assert(
      fc.property(printed, ({ secrets, text, cuts }) => {
        const stream = createSecrets(secrets)?.createMask();
        let [given, handedOn] = ['', ''];
        for (const chunk of cutAt(text, cuts)) {
          given += chunk.toString('latin1');
          handedOn += Buffer.from(stream?.take(chunk) ?? []).toString('latin1');
          if (handedOn !== given.slice(0, handedOn.length)) return;
          for (const secret of secrets) {
            const bytes = Buffer.from(secret).toString('latin1');
            const begun = Array.from(bytes, (_, i) => bytes.slice(0, i)).filter((part) => given.endsWith(part));
            expect(handedOn.length).toBeLessThanOrEqual(given.length - (begun.at(-1)?.length ?? 0));
          }
        }
      }),
      { numRuns: randomCases(1000) }
    );
  });
});

describe('a secret in the output of a job', () => {
  /** Also what a kill and a restart between the chunks would find. */
  async function log(
    secrets: readonly string[],
    chunks: readonly Buffer[],
    restartAfter: number
  ): Promise<PipelineUnderTest[]> {
    let test = createPipelineUnderTest({ isResumable: true, secrets: createSecrets(secrets) });
    const tests = [test];
    for (const [i, chunk] of chunks.entries()) {
      await test.write('stdout', chunk);
      await test.clock.advance(i % 2 === 0 ? 300 : 10);
      if (i !== restartAfter) continue;
      test.pipeline.suspend();
      const state = parseJobState(test.records.flatMap(({ states }) => states.map(({ value }) => value)));
      test = createPipelineUnderTest({ isResumable: true, secrets: createSecrets(secrets), clock: test.clock, state });
      const { stdout: offset } = test.offsets;
      await test.write('stdout', Buffer.concat(chunks.slice(0, i + 1)).subarray(offset));
      tests.push(test);
    }
    test.end();
    return tests;
  }

  it('is in no point and in no state, also after a restart', async () => {
    await fc.assert(
      fc.asyncProperty(printed, fc.nat(12), async ({ secrets, text, cuts }, restartAfter) => {
        const tests = await log(secrets, cutAt(text, cuts), restartAfter);
        for (const test of tests) {
          const states = test.records.flatMap((record) =>
            record.states.map(({ value }) => JSON.parse(value) as unknown)
          );
          const fields = test.stored().flatMap((point) => [...point.fields.values(), ...point.tags.values()]);
          for (const reading of [
            ...readings(JSON.stringify(states)),
            ...fields.flatMap((field) => readings(String(field))),
          ]) {
            for (const secret of secrets) expect(reading).not.toContain(secret);
          }
        }
      }),
      { numRuns: randomCases(300) }
    );
  });

  it.each([
    ['is masked', '/Qw+4-_x==\n', 'TOKEN=***'],
    ['is not there', ' of old\n', 'TOKEN=Zk9 of old'],
  ])('that has begun before a restart %s after it', async (_name, rest, line) => {
    const tests = await log(
      ['Zk9/Qw+4-_x=='],
      ['TOKEN=Zk9', rest].map((text) => Buffer.from(text)),
      0
    );
    expect(readLog(storePoints(tests.map((test) => test.text()).join('')))).toEqual([line]);
  });

  it.each([1, 2, 7, 12])('is not there with its first %i bytes while they are all that came', async (length) => {
    const secret = 'Zk9/Qw+4-_x==';
    const test = createPipelineUnderTest({ isResumable: true, secrets: createSecrets([secret]) });
    await test.write('stdout', `a\nTOKEN=${secret.slice(0, length)}`);
    await test.clock.advance(1000);
    expect(readLog(test.stored())).toEqual(['a', 'TOKEN=']);
    expect(JSON.stringify(test.records.map(({ states }) => states))).not.toMatch(/TOKEN=Z/);
    await test.write('stdout', `${secret.slice(length)};`);
    await test.clock.advance(1000);
    expect(readLog(test.stored())).toEqual(['a', 'TOKEN=***;']);
  });

  it('is masked in metadata by its decoded value, in descriptions, events and notices, and across the parts of a long line', async () => {
    const secret = 'Zk9/Qw"4-_x==';
    const test = createPipelineUnderTest({ secrets: createSecrets([secret]) });
    const json = JSON.stringify({ token: secret, n: 1 }).replace('/', '\\/').replace('Z', '\\u005a');
    test.pipeline.describe({
      command: `curl -H '${secret}'`,
      config: JSON.stringify({ deep: [secret] }),
      tags: { t: secret },
    });
    test.pipeline.changeState({ origin: 'job', toState: 'x', data: { secret } });
    test.pipeline.addNotice('stdout', `see ${secret}`);
    await test.write('stdout', `${json}\n${json}\n${json}\n`);
    await test.write('stdout', `${'y'.repeat(65_530)}${secret}${'y'.repeat(9)}\n`);
    // This secret comes together on the screen alone.
    await test.write('stdout', 'Zk0\b9/Qw"4-_x==\n');
    test.end();
    const text = JSON.stringify(test.stored().map(({ fields }) => [...fields.values()].map(String)));
    expect(text.replaceAll('\\', '')).not.toMatch(/Zk9|4-_x|Z\/Q/);
    expect(readMetadata(test.stored())).toEqual(
      expect.arrayContaining([expect.objectContaining({ token: '***', n: 1 })])
    );
    expect(readLog(test.stored()).slice(-3).join('')).toBe(`${'y'.repeat(65_530)}***${'y'.repeat(9)}***`);
  });

  it('is none when it is short, or empty', () => {
    expect(createSecrets(['', 'short12'])).toBeUndefined();
    expect(createSecrets(['longer12'])).toBeDefined();
  });
});
