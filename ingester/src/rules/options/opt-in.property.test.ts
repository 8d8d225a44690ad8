import fc from 'fast-check';
import { parseLogCommand } from '../commands/log-command.js';
import { parseOptIn } from './opt-in.js';

const KNOWN = ['mode', 'nonfinite', 'metadata', 'signals'];
const known = fc.record(
  {
    mode: fc.constantFrom('enabled', 'metadata', 'disabled'),
    nonfinite: fc.constantFrom('log', 'metadata'),
    metadata: fc.constantFrom(['json'], ['logfmt', 'python-dict']),
  },
  { requiredKeys: [] }
);
/** Names far from all known ones, with odd characters. */
const coming = fc
  .tuple(
    fc.constantFrom('retention', 'quota', 'würze', '😀'),
    fc.string({ unit: fc.constantFrom('x', 'y', 'z', '-', '.', '(', ' ', '"', '\\', 'é') })
  )
  .map(([word, rest]) => `${word} ${rest}`);
const others = fc.dictionary(coming, fc.jsonValue());

/** A known name with one letter put in, taken out, changed or exchanged. */
const misspelt = fc
  .tuple(
    fc.constantFrom(...KNOWN),
    fc.nat(),
    fc.constantFrom('put', 'take', 'change', 'swap'),
    fc.constantFrom('a', 'q', 'x', '-')
  )
  .map(([name, nat, edit, letter]) => {
    const at = nat % name.length;
    const [head, own, tail] = [name.slice(0, at), name.charAt(at), name.slice(at + 1)];
    if (edit === 'put') return [name, head + letter + own + tail] as const;
    if (edit === 'swap') return [name, head + tail.slice(0, 1) + own + tail.slice(1)] as const;
    return [name, head + (edit === 'take' ? '' : letter) + tail] as const;
  })
  .filter(([, word]) => !KNOWN.includes(word));

describe('options', () => {
  it('mean the same beside those of another version, in the file and in a command', async () => {
    await fc.assert(
      fc.asyncProperty(known, others, async (options, unknown) => {
        const both = JSON.stringify({ ...unknown, ...options });
        const [alone, beside] = [await parseOptIn(JSON.stringify(options)), await parseOptIn(both)];
        expect(beside).toMatchObject({ ok: true, value: { config: alone.ok && alone.value.config } });
        expect(beside.ok && beside.value.ignored).toHaveLength(Object.keys(unknown).length);
        const command = parseLogCommand(`/LOGCOMMAND ${both}`);
        expect(command).toMatchObject({ order: { ok: true, value: { options, facts: {} } } });
      })
    );
  });

  it('stop where one is misspelt, whatever stands beside it, and the right one is named', async () => {
    await fc.assert(
      fc.asyncProperty(misspelt, others, async ([name, word], unknown) => {
        const text = JSON.stringify({ ...unknown, [word]: 'x' });
        const [file, command] = [await parseOptIn(text), parseLogCommand(`/LOGCOMMAND ${text}`)];
        expect(file.ok ? '' : file.error.message).toContain(`is ${name} meant?`);
        const order = command.kind === 'command' ? command.order : undefined;
        expect(order?.ok === false && order.error).toContain(`is ${name} meant?`);
      })
    );
  });
});
