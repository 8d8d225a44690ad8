import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../test/components.js';
import { pythonPath } from '../../../test/python.js';
import type { LogConfig } from '../rules/options/log-config.js';
import { prepareJoblens, until } from '../testing/joblens.js';
import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';
import { readLog, readMetadata, storePoints } from '../testing/stored-points.js';

/** A program that says each line of `LINES` over its live display. */
const DISPLAYS = {
  'nested bars of tqdm': `
from tqdm import tqdm, trange
outer = trange(len(LINES), desc='outer', mininterval=0)
inner = trange(9, desc='inner', mininterval=0)
for line in LINES:
    tqdm.write(line)
    inner.update(3); outer.update(1)
inner.close(); outer.close()`,
  'nested bars of tqdm, one of which comes and goes': `
from tqdm import tqdm, trange
for line in tqdm(LINES, desc='outer', mininterval=0):
    for step in trange(3, desc='inner', mininterval=0, leave=False):
        if step == 1:
            tqdm.write(line)`,
  'nested bars of tqdm that stay, and its logging': `
import logging
from tqdm import trange
from tqdm.contrib.logging import logging_redirect_tqdm
logging.basicConfig(level=logging.INFO, format='%(message)s')
with logging_redirect_tqdm():
    for k in trange(len(LINES), desc='o', mininterval=0):
        for step in trange(2, desc='a longer "inner" one', mininterval=0):
            if step == 0: logging.info(LINES[k])`,
  'Live of rich': `
from rich.console import Console
from rich.live import Live
console = Console(force_terminal=True, width=100, color_system=COLOURS)
with Live('first\\n{"row": "of the display"}\\nlast', console=console, auto_refresh=False) as live:
    for i, line in enumerate(LINES):
        console.print(line, soft_wrap=True, markup=False)
        live.update('%d is shown\\n{"row": "of the display"}\\nlast' % i, refresh=True)`,
  'a bar of tqdm, and print': `
from tqdm import tqdm
for line in tqdm(LINES, mininterval=0):
    print(line)`,
  'Progress of rich with two tasks': `
from rich.console import Console
from rich.progress import Progress
console = Console(force_terminal=True, width=100, color_system=COLOURS)
with Progress(console=console, auto_refresh=False) as progress:
    tasks = [progress.add_task('[red]task %d' % i, total=len(LINES)) for i in range(2)]
    for line in LINES:
        progress.console.print(line, soft_wrap=True, markup=False)
        for task in tasks: progress.update(task, advance=1, refresh=True)`,
} as const;

type Display = keyof typeof DISPLAYS;
const NAMES = Object.keys(DISPLAYS) as readonly Display[];

const ROWS = Array.from({ length: 10 }, (_, step) => ({ step, loss: 1 / (step + 1) }));
const LINES = {
  metadata: ROWS.map((row) => JSON.stringify(row)),
  command: ['before (1)', '/LOGCOMMAND {"mode": "disabled"}', 'SECRET "a"', '{"step": 1}', 'SECRET é'],
  error: ['fine', 'RuntimeError: CUDA out of memory. Tried to allocate 2 GiB', 'fine again'],
};

function createProgram(display: Display, lines: readonly string[]): string {
  return `import json, sys\nLINES = json.loads(${JSON.stringify(JSON.stringify(lines))})\nCOLOURS = 'truecolor'${DISPLAYS[display]}`;
}

const ENVIRONMENT = { PYTHONUTF8: '1', PYTHONUNBUFFERED: '1', COLUMNS: '100', TERM: 'xterm-256color' };

/** What the program prints into one file for both streams. */
function record(display: Display, lines: readonly string[]): Buffer {
  const shell = 'exec "$@" 2>&1';
  const args = ['-c', shell, 'sh', pythonPath(), '-c', createProgram(display, lines)];
  const { status, stdout, stderr } = spawnSync('sh', args, { env: ENVIRONMENT, maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`the program failed: ${stdout.toString()}${stderr.toString()}`);
  return stdout;
}

interface Way {
  readonly isMixed: boolean;
  readonly pauseMs: number;
}

const WAYS: readonly Way[] = [
  { isMixed: true, pauseMs: 0 },
  { isMixed: false, pauseMs: 300 },
];
/** What stays of a longer bar shows behind the line. Where the stream is one of two, that is no line of its own. */
const LEAVES_RESTS: readonly Display[] = ['nested bars of tqdm that stay, and its logging', 'a bar of tqdm, and print'];

async function logOutput(chunks: readonly Uint8Array[], way: Way, config: Partial<LogConfig> = {}) {
  const test = createPipelineUnderTest({ config, opensStreams: !way.isMixed });
  const mixed = way.isMixed ? test.pipeline.openMixedStream() : undefined;
  for (const chunk of chunks) {
    await (mixed?.write(chunk) ?? test.write('stdout', chunk));
    if (way.pauseMs > 0) await test.clock.advance(way.pauseMs);
  }
  mixed?.end();
  test.end();
  return { stored: test.stored(), text: test.text() };
}

/** The output in one piece, at each gap of the display, and in pieces of several sizes. */
function listCuts(output: Buffer): readonly (readonly Uint8Array[])[] {
  const gaps: Buffer[] = [];
  for (let at = 0; at < output.length;) {
    const next = output.indexOf('\n', at) + 1 || output.length;
    gaps.push(output.subarray(at, next));
    at = next;
  }
  const sized = [7, 100].map((size) =>
    Array.from({ length: Math.ceil(output.length / size) }, (_, i) => output.subarray(i * size, (i + 1) * size))
  );
  return [[output], gaps, ...sized];
}

describeWith(['python'], 'what is printed over a live display', () => {
  it.each(NAMES)(
    'means the same however it is cut: %s',
    async (display) => {
      const [metadata, command, error] = [LINES.metadata, LINES.command, LINES.error].map((lines) =>
        listCuts(record(display, lines))
      );
      const shown = display === 'Live of rich' ? [{ row: 'of the display' }] : [];
      for (const way of WAYS) {
        if (!way.isMixed && LEAVES_RESTS.includes(display)) continue;
        for (const chunks of metadata ?? []) {
          for (const mode of ['enabled', 'metadata'] as const) {
            const { stored } = await logOutput(chunks, way, { mode });
            expect(readMetadata(stored).filter((row) => 'step' in row)).toEqual(ROWS);
            expect(readMetadata(stored).filter((row) => !('step' in row))).toEqual(shown);
          }
        }
        for (const chunks of command ?? []) {
          const { stored, text } = await logOutput(chunks, way);
          expect(readLog(stored)).toContain(`[command] ${LINES.command[1]}`);
          // A line that is printed behind a bar shows that, too.
          expect(readLog(stored).filter((line) => line.endsWith('before (1)'))).toHaveLength(1);
          expect(text).not.toContain('SECRET');
          expect(readMetadata(stored).filter((row) => 'step' in row)).toEqual([]);
        }
        for (const chunks of error ?? []) {
          const { stored } = await logOutput(chunks, way);
          const signals = stored.filter(({ tags }) => tags.get('topic') === 'signal');
          expect(signals.map(({ fields }) => JSON.parse(String(fields.get('data'))) as object)).toMatchObject([
            { name: 'cuda-out-of-memory', count: 1 },
          ]);
        }
      }
    },
    120_000
  );

  describe('under the command', () => {
    const joblens = prepareJoblens();
    afterAll(() => joblens.remove());
    const pathOf = (name: string): string => join(joblens.folder, name);
    const readOut = (name: string): ReturnType<typeof storePoints> => {
      const text = readFileSync(pathOf(name), 'utf8');
      return storePoints(text.slice(0, text.lastIndexOf('\n')));
    };
    const options = '--mode enabled --user ann';

    function runShell(line: string): void {
      const env = { ...process.env, ...ENVIRONMENT, HOME: joblens.folder, JOBLENS_LOG_LEVEL: 'warn' };
      const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: joblens.folder, env });
      expect([status, stderr.toString()]).toEqual([0, '']);
    }

    it.each([
      'nested bars of tqdm',
      'nested bars of tqdm that stay, and its logging',
      'a bar of tqdm, and print',
      'Progress of rich with two tasks',
    ] as const)('counts, too: %s', async (display) => {
      const lines = [...LINES.metadata, ...LINES.command];
      for (const name of ['run.lp', 'pipe.lp', 'watch.lp']) rmSync(pathOf(name), { force: true });
      writeFileSync(pathOf('program.py'), createProgram(display, lines));
      const program = `${pythonPath()} program.py`;
      const { command } = joblens;
      runShell(`${command} run ${options} --job run --out run.lp -- ${program} > 'pr-(inted) 1.out' 2>&1`);
      runShell(`${program} 2>&1 | ${command} pipe ${options} --job pipe --out pipe.lp > /dev/null`);
      const printed = record(display, lines);
      writeFileSync(pathOf('watched.out'), printed.subarray(0, 1000));
      const watch = joblens.start([
        'watch',
        '--merged',
        '--mode',
        'enabled',
        '--out',
        pathOf('watch.lp'),
        pathOf('watched.out'),
      ]);
      await until(() => existsSync(pathOf('watch.lp')) && readMetadata(readOut('watch.lp')).length > 0);
      appendFileSync(pathOf('watched.out'), printed.subarray(1000));
      await until(() => readFileSync(pathOf('watch.lp'), 'utf8').includes('LOGCOMMAND'));
      watch.kill('SIGTERM');
      await watch.ended;
      for (const name of ['run.lp', 'pipe.lp', 'watch.lp']) {
        expect(readMetadata(readOut(name))).toEqual(ROWS);
        expect(readLog(readOut(name))).toContain(`[command] ${LINES.command[1]}`);
        expect(readFileSync(pathOf(name), 'utf8')).not.toContain('SECRET');
      }
    });
  });
});
