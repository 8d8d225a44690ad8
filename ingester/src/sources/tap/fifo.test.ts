import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { describeWith } from '../../../../test/components.js';
import { until } from '../../testing/joblens.js';
import { closeFds, createFifos, type Fifo } from './fifo.js';

/** See fcntl(2). */
const F_GETPIPE_SZ = 1032;
const USUAL_BYTES = 64 * 1024;

const made: Fifo[] = [];
afterEach(async () => {
  await closeFds(made.splice(0).flatMap(({ readFd, secondReadFd, writeFd }) => [readFd, secondReadFd, writeFd]));
});

async function create(sizes: readonly number[]): Promise<Fifo[]> {
  const fifos = await createFifos(sizes);
  made.push(...fifos);
  return fifos;
}

describeWith(['perl'], 'the size of pipes', () => {
  it.each([[[USUAL_BYTES]], [[2 * USUAL_BYTES, 4 * USUAL_BYTES]]])('is what is asked for: %j', async (sizes) => {
    const fifos = await create(sizes);
    await until(() => String(fifos.map(readSize)) === String(sizes));
    expect(fifos.map(readSize)).toEqual(sizes);
  });

  it('is the usual one where the system does not allow what is asked for', async () => {
    const [fifo] = await create([2 ** 31 + 1]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(fifo && readSize(fifo)).toBe(USUAL_BYTES);
  });
});

describe('createFifos without perl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-perl-'));
  const path = env['PATH'];
  beforeAll(() => {
    symlinkSync(execFileSync('sh', ['-c', 'command -v mkfifo'], { encoding: 'utf8' }).trim(), join(folder, 'mkfifo'));
    env['PATH'] = folder;
  });
  afterAll(() => {
    env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  it('makes pipes all the same', async () => {
    const [fifo] = await create([4 * USUAL_BYTES]);
    expect(fifo && writeSync(fifo.writeFd, 'x')).toBe(1);
  });
});

function readSize({ readFd }: Fifo): number {
  const script = `open(my $pipe, '<&=', 3); print fcntl($pipe, ${F_GETPIPE_SZ}, 0)`;
  return Number(execFileSync('perl', ['-e', script], { stdio: ['ignore', 'pipe', 'inherit', readFd] }));
}
