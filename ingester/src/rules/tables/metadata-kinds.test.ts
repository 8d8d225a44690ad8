import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { createPipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { readLog, readMetadata } from '../../testing/stored-points.js';
import { DEFAULT_LOG_CONFIG, type LogConfig } from '../options/log-config.js';
import { MetadataKinds } from './metadata-kinds.js';

async function log(text: string, config: Partial<LogConfig>): Promise<{ log: string[]; metadata: unknown[] }> {
  const test = createPipelineUnderTest({ config });
  await test.write('stdout', text);
  test.end();
  return { log: readLog(test.stored()), metadata: readMetadata(test.stored()) };
}

const THERMO = 'Step Temp Press\n   0  2.4  0.1\n1000  2.5  0.2 \n';

describe('kinds of metadata', () => {
  it('become rows, and stay in the log', async () => {
    const kinds: readonly MetadataKind[] = ['json', 'python-dict', { regex: '^step (?<step>\\d+): (?<loss>\\S+)' }];
    const text = `{"a": 1}\n{'b': 2, 'c': 'x'}\nstep 3: 0.5\nother 4: 0.5\n{'b': 3, 'c': 'y'}\n{'b': 4, 'c': 'z'}\n`;
    const { log: lines, metadata } = await log(text, { metadata: kinds });
    expect(lines).toHaveLength(6);
    expect(metadata).toEqual([{ a: 1 }, { b: 2, c: 'x' }, { step: 3, loss: 0.5 }, { b: 3, c: 'y' }, { b: 4, c: 'z' }]);
  });

  it('are logged alone in mode metadata', async () => {
    const config = { mode: 'metadata', metadata: [{ preset: 'lammps' }] } as const;
    expect(await log(`hello\n${THERMO}bye\n`, config)).toEqual({
      log: [],
      metadata: [
        { Step: 0, Temp: 2.4, Press: 0.1 },
        { Step: 1000, Temp: 2.5, Press: 0.2 },
      ],
    });
  });

  it('change with a command, from that line on', async () => {
    const command = '/LOGCOMMAND {"metadata": "logfmt"}';
    const { metadata } = await log(`a=1\n{"b": 1}\n${command}\na=2\n{"b": 2}\n`, {});
    expect(metadata).toEqual([{ b: 1 }, { a: 2 }]);
  });

  it('are none on stderr', async () => {
    const test = createPipelineUnderTest({ config: { metadata: ['logfmt'] } });
    await test.write('stderr', 'a=1\na=2\n');
    test.end();
    expect(readMetadata(test.stored())).toEqual([]);
  });

  it('are those of known programs on stderr too, where the user chose auto', async () => {
    const test = createPipelineUnderTest({ config: { metadata: ['json', { preset: 'auto' }] } });
    await test.write('stderr', '{"a": 1}\n');
    for (const epoch of [1, 2]) {
      await test.write('stdout', '\n      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size\n');
      const row = `        ${epoch}/2      2.5G     1.${epoch}     0.5         34        640`;
      await test.write('stderr', `${row}:  50%|#    | 1/2\r${row}: 100%|#####| 2/2\n`);
      await test.write(
        'stderr',
        '    Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|##| 1/1\n'
      );
      await test.write('stdout', `      all          8         17       0.6        0.5       0.4       0.${epoch}\n`);
    }
    test.end();
    const [first, validation, ...others] = readMetadata(test.stored());
    expect(first).toEqual({ epoch: 1, GPU_mem: 2.5, box_loss: 1.1, cls_loss: 0.5, Instances: 34, Size: 640 });
    expect(validation).toEqual({ epoch: 1, Images: 8, Instances: 17, P: 0.6, R: 0.5, mAP50: 0.4, 'mAP50-95': 0.1 });
    expect(others).toMatchObject([
      { epoch: 2, box_loss: 1.2 },
      { epoch: 2, 'mAP50-95': 0.2 },
    ]);
  });

  it('are none on stderr where a preset was chosen by its name', async () => {
    const test = createPipelineUnderTest({ config: { metadata: [{ preset: 'epochs' }, 'python-dict'] } });
    await test.write('stderr', "Epoch 1/3 loss: 0.5\nEpoch 2/3 loss: 0.4\n{'loss': 0.4}\n");
    test.end();
    expect(readMetadata(test.stored())).toEqual([]);
  });

  it('have dicts behind a bar, where stdout and stderr are one stream', async () => {
    const test = createPipelineUnderTest({ config: { metadata: ['python-dict'] }, opensStreams: false });
    const stream = test.pipeline.openMixedStream();
    await stream.write(Buffer.from("\r 10%|#  | 1/9\r 20%|## | 2/9{'loss': 0.5}\n"));
    stream.end();
    test.pipeline.close();
    expect(readMetadata(test.stored())).toEqual([{ loss: 0.5 }]);
  });

  it('go on in the middle of a table after a restart', () => {
    const source = { job: '1', user: 'ann' };
    const config: LogConfig = { ...DEFAULT_LOG_CONFIG, metadata: [{ preset: 'lammps' }] };
    const first = new MetadataKinds(source, config);
    expect(first.read('Step Temp Press')).toBeUndefined();
    const second = new MetadataKinds(source, config, JSON.parse(JSON.stringify(first.takeState())) as never);
    expect(second.read('1 2 3')?.keys).toEqual(['Step', 'Temp', 'Press']);
    expect(new MetadataKinds(source, DEFAULT_LOG_CONFIG).takeState()).toBeUndefined();
  });
});
