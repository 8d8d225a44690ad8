import type { JsonValue } from '../../schema/job-point.js';
import { createKindReader } from '../kind-reader.js';
import { type MetadataKind, PRESET_NAMES } from '../metadata-kind.js';
import { CHEMISTRY_RECORDINGS } from '../testing/chemistry-recordings.js';
import { compileNative } from '../testing/compile-native.js';
import { RECORDINGS } from '../testing/preset-recordings.js';
import type { Rows } from '../testing/recording.js';
import { findPreset } from './presets.js';

function read(preset: Extract<MetadataKind, { preset: string }>['preset'], text: string): Rows {
  const reader = createKindReader({ kinds: [{ preset }], nonfinite: 'log', compile: compileNative });
  return text.split('\n').flatMap((line) => {
    const row = reader.read(line);
    return row === undefined ? [] : [Object.fromEntries(row)];
  });
}

describe('presets', () => {
  it.each(RECORDINGS)('%s reads what its program prints', (preset, text, rows) => {
    expect(read(preset, text)).toEqual(rows);
  });

  it.each(RECORDINGS.filter(([preset]) => preset !== 'columns'))('auto finds %s', (_preset, text, rows) => {
    expect(read('auto', text)).toEqual(expect.arrayContaining([...rows]));
  });

  it.each(CHEMISTRY_RECORDINGS)('auto takes nothing else between the rows of %s', (_preset, text, rows) => {
    expect(read('auto', text)).toEqual(rows);
  });

  it.each(RECORDINGS)('%s reads only lines that its needles let through', (preset, text) => {
    const reader = findPreset(preset).createReader();
    for (const line of text.split('\n')) {
      const needles = reader.needles();
      const before = JSON.stringify(reader.takeState());
      const row = reader.read(line.trimEnd());
      const isTold = line.startsWith('{') || needles === undefined || needles.some((needle) => line.includes(needle));
      if (!isTold) expect([line, row, JSON.stringify(reader.takeState())]).toEqual([line, undefined, before]);
    }
  });

  it.each(RECORDINGS)('%s goes on from its state', (preset, text, rows) => {
    const found: unknown[] = [];
    let state: JsonValue | undefined;
    for (const line of text.split('\n')) {
      const kinds = [{ preset }];
      const reader = createKindReader({ kinds, nonfinite: 'log', compile: compileNative, state });
      const row = reader.read(line);
      if (row !== undefined) found.push(Object.fromEntries(row));
      state = JSON.parse(JSON.stringify(reader.takeState() ?? null)) as JsonValue;
    }
    expect(found).toEqual(rows);
  });

  it('has a recording for each', () =>
    expect([...new Set(RECORDINGS.map(([preset]) => preset))]).toEqual([...PRESET_NAMES]));

  it.each([
    // Settings are whole numbers; texts are no values; a count that falls counts nothing; a name alone is no heading.
    'steps batch_size workers\n1000 32 4',
    'epochs   lr\n90       10',
    'epoch seed\n1 42',
    'job      count\n-----  -------\nall          1\nstep1        3\ntotal        4',
    'Step  Name  Loss\n1  first  0.5\n2  second  0.25',
    'epoch\n0.5\n0.25',
    'rank step size\nLoading step 3 of config\n1 2 3.5',
    'state city\n1 2.5\n1 3.5',
    'epoch time\n3 00:12:34',
    '           Step           Time\n              0        0.00000',
    ' Iter   Primal   Primal   Time\n 1  2.5  2.5  0s',
  ])('auto takes no table for measurements that is none: %j', (text) => expect(read('auto', text)).toEqual([]));

  it.each([
    '',
    'Traceback (most recent call last):',
    '  File "train.py", line 36, in <module>',
    'slurmstepd: error: *** JOB 58593 ON clr0829 CANCELLED AT 2022-05-08T13:04:44 DUE TO TIME LIMIT ***',
    'Preparing to save checkpoint for epoch 1 @ 479 updates',
    'Loading requirement: gcc/11.2.0',
    '| N/A   32C    P0              67W / 700W |      4MiB / 81559MiB |      0%      Default |',
    '100%|██████████| 10/10 [00:01<00:00, 9.9it/s]',
    '[1/3] Loading buffers...',
    'real	0m56.895s',
  ])('auto leaves %j to the log', (line) => expect(read('auto', line)).toEqual([]));
});
