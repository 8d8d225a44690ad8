import { execFileSync } from 'node:child_process';
import { describeWith } from '../../../test/components.js';
import { pythonPath } from '../../../test/python.js';
import { createXterm, readXterm, readXtermStyles, renderChunks, trimLines, writeXterm } from './testing/xterm.js';

const PROGRAMS: readonly (readonly [name: string, source: string, expected: RegExp])[] = [
  [
    'tqdm, one bar',
    `
from tqdm import tqdm
for _ in tqdm(range(200), mininterval=0, ascii=False): pass
print('done', file=sys.stderr)`,
    /^100%\|█+\| 200\/200 .*\ndone$/,
  ],
  [
    'tqdm, nested bars',
    `
from tqdm import tqdm, trange
for epoch in trange(3, desc='epoch', mininterval=0):
    for batch in trange(20, desc='batch', leave=False, mininterval=0): pass
    tqdm.write('loss %d' % epoch, file=sys.stderr)`,
    /^loss 0\nloss 1\nloss 2\nepoch: 100%\|█+\| 3\/3 .*$/,
  ],
  [
    'tqdm, nested bars that stay',
    `
from tqdm import trange
for a in trange(2, desc='outer', mininterval=0):
    for b in trange(3, desc='middle', mininterval=0):
        for c in trange(10, desc='inner', mininterval=0): pass`,
    /outer: 100%\|█+\| 2\/2/,
  ],
  [
    'tqdm, bars at positions',
    `
from tqdm import tqdm
bars = [tqdm(total=50, position=i, desc='worker %d' % i, mininterval=0) for i in range(5)]
for step in range(50):
    for bar in reversed(bars): bar.update(1)
for bar in bars: bar.close()`,
    /worker 0: 100%.*\nworker 1: 100%.*\nworker 2: 100%.*\nworker 3: 100%.*\nworker 4: 100%/,
  ],
  [
    'tqdm, wide and combining characters, nested and colours',
    `
from tqdm import trange
for a in trange(3, desc='訓練', colour='green', mininterval=0):
    for b in trange(30, desc='é検証', colour='#ff8800', leave=a == 1, mininterval=0): pass`,
    /訓練: 100%\|█+\| 3\/3/,
  ],
  [
    'rich Progress in a terminal',
    `
from rich.console import Console
from rich.progress import Progress
console = Console(file=sys.stderr, force_terminal=True, width=100, color_system='truecolor')
with Progress(console=console, refresh_per_second=1000) as progress:
    tasks = [progress.add_task('[red]task %d' % i, total=20) for i in range(3)]
    for step in range(20):
        for task in tasks: progress.update(task, advance=1, refresh=True)
        if step % 7 == 0: console.print('[bold]step[/] %d :rocket:' % step)`,
    /^step 0 .*\nstep 7 .*\nstep 14 .*\ntask 0 .*100%.*\ntask 1 .*100%.*\ntask 2 .*100%/,
  ],
  [
    'rich Live table in a terminal',
    `
from rich.console import Console
from rich.live import Live
from rich.table import Table
console = Console(file=sys.stderr, force_terminal=True, width=80)
with Live(console=console, auto_refresh=False) as live:
    for rows in [1, 5, 9, 4]:
        table = Table('name', 'value')
        for i in range(rows): table.add_row('row %d' % i, '[green]%d' % (i * rows))
        live.update(table, refresh=True)`,
    /│ row 3 │ 12 +│\n└/,
  ],
];

describeWith(['python'], 'real programs', () => {
  /** Standard error of the program, as it comes through a pipe. */
  function record(source: string): Buffer {
    const program = `import subprocess, sys\nrun = subprocess.run([sys.executable, '-c', sys.argv[1]], stderr=subprocess.PIPE, env={'PYTHONUTF8': '1', 'COLUMNS': '100', 'TERM': 'xterm-256color'})\nsys.stdout.buffer.write(run.stderr)\nsys.exit(run.returncode)`;
    return execFileSync(pythonPath(), ['-c', program, `import sys${source}`], { maxBuffer: 1 << 28 });
  }

  it.each(PROGRAMS)(
    '%s: looks as in xterm, however it is cut',
    async (_, source, expected) => {
      const output = record(source);
      const terminal = createXterm();
      // The width tables built into xterm (V6) take emoji for narrow, so none comes before other output here.
      await writeXterm(terminal, output);
      const whole = renderChunks([output]);
      const lines = trimLines(whole.map((row) => row.text));
      expect(lines.join('\n')).toMatch(expected);
      expect(lines).toEqual(readXterm(terminal));
      const coloured = createXterm();
      await writeXterm(coloured, whole.map((row) => row.ansi ?? row.text).join('\n'));
      expect(readXtermStyles(coloured)).toEqual(readXtermStyles(terminal));
      for (const size of [1, 7, 100, 1000]) {
        const chunks = Array.from({ length: Math.ceil(output.length / size) }, (_, i) =>
          output.subarray(i * size, (i + 1) * size)
        );
        expect(trimLines(renderChunks(chunks, size > 1).map((row) => row.text))).toEqual(lines);
      }
    },
    60_000
  );
});
