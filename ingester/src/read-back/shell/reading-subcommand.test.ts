import { toggle } from '../../config/option.js';
import type { Settings } from '../../config/settings.js';
import type { SessionOptions } from '../../session/session-options.js';
import { defineReadingSubcommand } from './reading-subcommand.js';

const LIST = defineReadingSubcommand({
  name: 'list',
  summary: '',
  own: { title: 'What:', options: { all: toggle('--all', { help: '' }) } },
  examples: [],
  remarks: '',
  findMistake: ({ all }) => (all ? 'all is too much' : undefined),
  read: ({ format, fail }) => Promise.resolve(fail(format)),
});

const AT_STORE = { kind: 'influxdb', connection: { url: 'http://127.0.0.1:9', bucket: 'joblens' } } as const;

async function run(options: object, destination?: object, isTerminal = false): Promise<readonly [number, string]> {
  const settings = { options, destination } as Settings;
  const prepared = LIST.prepare({ typed: options as never, environment: {}, settings, args: [] });
  if (!prepared.ok) return [2, prepared.error];
  let said = '';
  const session = {
    settings,
    report: { error: (message: string) => (said += message) },
    host: { stdoutFd: 1, environment: {}, readTerminal: () => (isTerminal ? { width: 80, height: 24 } : undefined) },
  };
  return [await prepared.value(session as unknown as SessionOptions), said];
}

describe('a reading subcommand', () => {
  it('prints as the options and the terminal ask', async () => {
    expect(await run({}, AT_STORE)).toEqual([1, 'tabs']);
    expect(await run({}, AT_STORE, true)).toEqual([1, 'table']);
    expect(await run({ json: true }, AT_STORE, true)).toEqual([1, 'json']);
    expect(await run({ csv: true }, AT_STORE)).toEqual([1, 'csv']);
  });

  it('says what does not go together, and where to read', async () => {
    expect(await run({ json: true, csv: true }, AT_STORE)).toEqual([2, 'give --json or --csv, not both']);
    expect(await run({ all: true }, AT_STORE)).toEqual([2, 'all is too much']);
    expect(await run({})).toEqual([1, expect.stringContaining('set INFLUX_HOST')]);
  });
});
