import { buildSync } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomCases, SEED } from '../../../test/random-cases.js';
import { createRandom } from '../faults/testing/random.js';
import { listSpools } from './list-spools.js';
import { openSpool } from './open-spool.js';
import { createRealPlace, DESTINATION } from './testing/spool-program.js';

const KILLS = randomCases(6);
const RACES = randomCases(2);
const SPOOLS = 10;

const random = createRandom(SEED);

let folder: string;
let program: string;
const children = new Set<ChildProcess>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
  program = join(folder, 'program.mjs');
  const source = JSON.stringify(join(__dirname, 'testing/spool-program.ts'));
  buildSync({
    stdin: {
      resolveDir: __dirname,
      contents: `import { adoptAll, writeForEver } from ${source};
        import { writeSync } from 'node:fs';
        const own = { pid: process.pid, uid: process.getuid(), write: (text) => writeSync(1, text) };
        const [task, root] = process.argv.slice(2);
        if (task === 'write') await writeForEver(root, own);
        else await adoptAll(root, own, new Promise((resolve) => process.stdin.once('data', resolve)));
        process.exit();`,
    },
    alias: { '@joblens/core': join(__dirname, '../../../core/src') },
    ...{ bundle: true, platform: 'node', format: 'esm', outfile: program, logLevel: 'silent' },
  });
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Running {
  readonly child: ChildProcess;
  /** All that it has printed when it has ended. */
  readonly output: Promise<string>;
}

function start(task: 'write' | 'adopt', root: string, onOutput?: (text: string) => void): Running {
  const child = spawn(process.execPath, [program, task, root], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(child);
  const output = new Promise<string>((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => onOutput?.((text += part)));
    child.on('close', () => {
      children.delete(child);
      resolve(text);
    });
  });
  return { child, output };
}

function own(): ReturnType<typeof createRealPlace> {
  return createRealPlace(root(), { pid: process.pid, uid: process.getuid?.() ?? 0, write: () => undefined });
}

function root(): string {
  return join(folder, 'spool');
}

beforeEach(() => rmSync(root(), { recursive: true, force: true }));

it('loses nothing that was written when its process is killed, and sends nothing out of order', async () => {
  let sent = 0;
  let last = 0;
  let runs = 0;
  for (; runs < KILLS; runs += 1) {
    let killTimer: NodeJS.Timeout | undefined;
    const { child, output } = start('write', root(), (text) => {
      if (!text.includes('written') || killTimer !== undefined) return;
      killTimer = setTimeout(() => child.kill('SIGKILL'), random() * 200);
    });
    const text = await output;
    const numbers = [...text.matchAll(/^sent (.*)$/gm)].flatMap(([, list = '']) => list.trim().split(' ').map(Number));
    // Records that were sent but not yet kept as settled come once more. After them all come in order.
    if (numbers[0] !== undefined) {
      expect(numbers[0]).toBeLessThanOrEqual(sent + 1);
      expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
    }
    sent = Math.max(sent, numbers.at(-1) ?? 0);
    const firstWritten = Number(/^written (\d+)$/m.exec(text)?.[1]);
    // The process went on after all that the ones before it had written.
    expect(firstWritten).toBeGreaterThan(last);
    last = Number([...text.matchAll(/^written (\d+)$/gm)].at(-1)?.[1]);
  }
  const opened = await openSpool({ ...own(), sources: [], role: 'watch', destination: DESTINATION });
  if (!opened.ok) throw new Error(opened.error);
  const spool = opened.value;
  const count = Number(spool.states.get('count')?.at(-1));
  expect(count).toBeGreaterThanOrEqual(last);
  const batch = await spool.read({ maxPoints: Infinity, maxBytes: Infinity });
  const waiting =
    batch?.bytes
      .toString()
      .trim()
      .split('\n')
      .map((line) => parseInt(line, 10)) ?? [];
  expect(waiting.at(-1) ?? sent).toBe(count);
  expect(waiting).toEqual(waiting.map((_, i) => count - waiting.length + 1 + i));
  await spool.close();
});

it('lets one of two processes take over a spool, and keeps it to itself', async () => {
  for (let race = 0; race < RACES; race += 1) {
    for (let i = 0; i < SPOOLS; i += 1) {
      const opened = await openSpool({ ...own(), sources: [], role: 'job', destination: DESTINATION });
      if (!opened.ok) throw new Error(opened.error);
      opened.value.append({ bytes: Buffer.from(`spool${i}\n`), points: 1, states: [], isUrgent: false });
      await opened.value.close();
    }
    expect(readdirSync(root())).toHaveLength(SPOOLS);
    const modes = readdirSync(root()).map((name) => statSync(join(root(), name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o700]));
    let ready = 0;
    const racers: Running[] = [];
    await new Promise<void>((resolve) => {
      const note = (): void => {
        ready += 1;
        if (ready === 2) resolve();
      };
      for (let i = 0; i < 2; i += 1) racers.push(start('adopt', root(), (text) => text === 'ready\n' && note()));
    });
    for (const { child } of racers) child.stdin?.write('go\n');
    const texts = (await Promise.all(racers.map(({ output }) => output))).join('');
    const adopted = [...texts.matchAll(/^adopted (.*)$/gm)].map(([, text]) => text).sort();
    expect(adopted).toEqual(Array.from({ length: SPOOLS }, (_, i) => `spool${i}`));
    expect(await listSpools(own())).toEqual([]);
  }
});
