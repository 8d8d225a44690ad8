/** The last line of every file: when it is stored, so is all before it. */
export const LAST_LINE = 'the job is done';

/** A table of this many rows has buckets. */
const BUCKETED_ROWS = 1920;

/** Output files of a job, named by what they show. `scale` is about the number of lines. */
const PRINTERS: Readonly<Record<string, (random: () => number, scale: number) => string>> = {
  'plain.out': (random, scale) => repeat(scale, (i) => `step ${i} loss ${random().toFixed(6)}\n`),
  'repeats.out': (random, scale) =>
    repeat(scale / 4, (i) => `value ${i % 7}\n`.repeat(1 + Math.floor(random() * 5)) + '\n'.repeat(random() * 3)),
  'bar.out': (random, scale) =>
    repeat(scale / 40, (i) => `${frames(random, `epoch ${i}`).join('')}\nepoch ${i} is over\n`),
  'nested.out': printNestedBars,
  'four-bars.err': printBarsBelowEachOther,
  'tables.out': (random, scale) =>
    repeat(scale, (i) => (i % 50 === 49 ? validationRow(random, i) : trainingRow(random, i)) + note(i)),
  'long-table.out': (random, scale) => repeat(Math.max(4 * scale, BUCKETED_ROWS), (i) => trainingRow(random, i)),
  'commands.out': printCommands,
  'utf8.out': (random, scale) =>
    repeat(scale, (i) => `größe ${i} – \x1b[3${i % 8}m“日本語”\x1b[0m 😀 ${'é'.repeat(random() * 20)}\n`),
  'slurm-7.out': (random, scale) => repeat(scale, (i) => `${trainingRow(random, i)}line ${i}\n`),
  'slurm-7.err': (_random, scale) => repeat(scale, (i) => (i % 9 === 0 ? `\rwarning ${i}\n` : `\r${i}/${scale}`)),
  'long.out': (random, scale) => repeat(scale / 50, (i) => `${i} ${letters(random, 70_000)}\nafter ${i}\n`),
};

/** File names, each with the file's content at the end. */
export function createJobOutputs(random: () => number, scale: number): Map<string, Buffer> {
  const outputs = Object.entries(PRINTERS).map(
    ([name, print]) => [name, Buffer.from(`${print(random, scale)}\n${LAST_LINE}\n`)] as const
  );
  return new Map(outputs);
}

function repeat(count: number, print: (i: number) => string): string {
  return Array.from({ length: Math.ceil(count) }, (_, i) => print(i)).join('');
}

function frames(random: () => number, title: string): string[] {
  const total = 10 + Math.floor(random() * 50);
  return Array.from({ length: total }, (_, i) => {
    const done = Math.floor((10 * i) / total);
    return `\r${title}: ${'█'.repeat(done)}${' '.repeat(10 - done)}| ${i + 1}/${total} [00:${String(i % 60).padStart(2, '0')}]`;
  });
}

/** As tqdm does with `leave=False`: the inner bar is drawn one row below, cleared, and the cursor goes up again. */
function printNestedBars(random: () => number, scale: number): string {
  return repeat(scale / 100, (run) => {
    const outer = frames(random, `run ${run}`).map((frame) => {
      const inner = frames(random, 'inner').map((innerFrame) => `\n${innerFrame}\x1b[A`);
      return `${frame}${inner.join('')}\n\r${' '.repeat(40)}\r\x1b[A`;
    });
    return `${outer.slice(0, 4).join('')}\n`;
  });
}

function printBarsBelowEachOther(random: () => number, scale: number): string {
  return repeat(scale / 100, (run) => {
    const steps = repeat(60, () => {
      const row = Math.floor(random() * 4);
      return `${'\n'.repeat(row)}\rworker ${row} of ${run}: ${Math.floor(random() * 1000)}${'\x1b[A'.repeat(row)}`;
    });
    return `${steps}${'\n'.repeat(4)}`;
  });
}

function printCommands(random: () => number, scale: number): string {
  const modes = ['metadata', 'enabled', 'disabled', 'enabled'];
  return repeat(
    scale / 20,
    (i) =>
      `/LOGCOMMAND {"mode": "${modes[i % modes.length] ?? ''}"}\n` +
      repeat(20, (k) => (k % 3 === 0 ? trainingRow(random, 20 * i + k) : `part ${i} line ${k}\n`))
  );
}

function trainingRow(random: () => number, i: number): string {
  return `{"step": ${i}, "loss": ${random().toFixed(6)}, "lr": ${(1e-3 / (i + 1)).toExponential(3)}}\n`;
}

function validationRow(random: () => number, i: number): string {
  return `{"epoch": ${Math.floor(i / 50)}, "accuracy": ${random().toFixed(4)}, "note": "größe \\"${i}\\""}\n`;
}

function note(i: number): string {
  return i % 10 === 0 ? `checkpoint saved\n` : '';
}

function letters(random: () => number, count: number): string {
  return Array.from({ length: count / 10 }, () => random().toString(36).slice(2, 12).padEnd(10, 'x')).join('');
}
