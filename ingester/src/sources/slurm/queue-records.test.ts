import { QueueRecords } from './queue-records.js';

/** As Slurm writes it, and with what a user may have named a job. */
const NAMES = ['a', 'x "y" \\', '{-(', "it's ] }", 'ä\\"', '', 'end\\\\', '\u{1f600} ,'];

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly more?: unknown;
}

function createReader(): { readonly parsed: string[]; readonly records: QueueRecords<Entry> } {
  const parsed: string[] = [];
  const records = new QueueRecords('jobs', (text) => {
    parsed.push(text);
    return JSON.parse(text) as Entry;
  });
  return { parsed, records };
}

function formatAnswer(jobs: readonly Entry[], space: number): Buffer {
  const answer = { meta: { jobs: [{ not: 'these' }], text: '"jobs":[' }, errors: [], jobs, last: { number: 1 } };
  return Buffer.from(JSON.stringify(answer, undefined, space));
}

describe.each([0, 2])('records of answers with %d spaces', (space) => {
  const entries: Entry[] = NAMES.map((name, i) => ({ id: i, name, more: { nodes: [[name], {}] } }));

  it('are those that JSON.parse gives, and the rest of the answer is its frame', () => {
    const { records } = createReader();
    const answer = records.read(formatAnswer(entries, space));
    expect(answer?.values).toEqual(entries);
    expect(JSON.parse(answer?.frame ?? '')).toEqual(JSON.parse(formatAnswer([], space).toString()));
  });

  it.each<[string, (all: readonly Entry[]) => readonly Entry[], number]>([
    ['nothing', (all) => all, 0],
    ['one', (all) => all.map((entry) => (entry.id === 3 ? { ...entry, name: 'other' } : entry)), 1],
    ['that one is gone', (all) => all.filter(({ id }) => id !== 2), 0],
    ['that the first are gone', (all) => all.slice(3), 0],
    ['that one has come', (all) => [...all.slice(0, 4), { id: 99, name: '}' }, ...all.slice(4)], 1],
    ['that all are gone', () => [], 0],
    ['all', (all) => all.map((entry) => ({ ...entry, id: entry.id + 100 })), NAMES.length],
  ])('parse only what has changed: %s', (_what, change, count) => {
    const { records, parsed } = createReader();
    const before = records.read(formatAnswer(entries, space))?.values ?? [];
    parsed.length = 0;
    const after = records.read(formatAnswer(change(entries), space))?.values;
    expect(after).toEqual(change(entries));
    expect(parsed).toHaveLength(count);
    const kept = after?.filter((value) => before.includes(value)) ?? [];
    expect(kept).toHaveLength(change(entries).length - count);
  });

  it('stay right when hundreds change, come and go', () => {
    const { records } = createReader();
    const many = Array.from({ length: 500 }, (_, i) => ({ id: i, name: NAMES[i % NAMES.length] ?? '' }));
    const steps = [
      many,
      many.map((entry) => (entry.id < 200 ? { ...entry, name: 'new' } : entry)),
      many.slice(150),
      [...many.slice(300).map(({ id }) => ({ id: id + 1000, name: '[' })), ...many],
      [...many].reverse(),
    ];
    for (const jobs of steps) expect(records.read(formatAnswer(jobs, space))?.values).toEqual(jobs);
  });
});

it.each([
  ['', '[]', '{"jobs":null}', '{"job":[]}', '{"jobs":{}}', '{"x":"\\"jobs\\":[]"}'],
  ['{"jobs":[{"a":1},5]}', '{"jobs":[{"a":1}', '{"jobs":[{"a":"}', '{"jobs":[{"a":1},', '{"jobs"', '{"x":[}'],
])('finds no records in %s and others that are no such answer', (...texts) => {
  for (const text of texts) {
    const { records } = createReader();
    expect(records.read(Buffer.from(text))).toBeUndefined();
  }
});
