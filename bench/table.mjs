// Formats the output of the bench.

const COLUMNS = ['row', 'ours: CPU, wall, rate', 'peer: CPU, wall, rate', 'figure', 'bar', 'met'];

export function printMachine(machine, isShort) {
  console.log(`machine: ${machine}`);
  if (isShort)
    console.log('short: a tenth of the work; the start of the processes weighs ten times as much in the figures');
  console.log('');
}

/** One row, printed as soon as it is measured: the comparison and its figures. */
export function printResult(result) {
  console.log(`${result.name}: ${result.work}; against ${result.peer}`);
  if (result.kind === 'measured') console.log(`  ${formatCells(result).slice(1).join('   ')}`);
  else console.log(`  ${result.kind === 'missing' ? 'not measured' : 'FAILED'}: ${result.reason}`);
  if (result.note) console.log(`  ${result.note}`);
}

/** All rows, as Markdown. */
export function printTable(results) {
  const rows = [COLUMNS, ...results.map(formatCells)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const format = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = rows;
  console.log(`\n${format(head)}\n|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of body) console.log(format(row));
}

function formatCells(result) {
  const { name, bar } = result;
  if (result.kind !== 'measured') {
    const reason = result.kind === 'missing' ? result.reason : 'FAILED, see above';
    return [name, '-', reason, '-', formatBar(bar), '-'];
  }
  const { amount, unit, ourCost, peerCost, figure, isMet } = result;
  const format = (cost) => formatCost(cost, amount, unit, bar);
  return [name, format(ourCost), format(peerCost), formatFigure(figure, bar), formatBar(bar), isMet ? 'yes' : 'NO'];
}

function formatCost({ cpuMs, wallMs }, amount, unit, { by }) {
  const times = `${formatSeconds(cpuMs)} CPU, ${formatSeconds(wallMs)}`;
  if (unit === 'starts') return times;
  const rate = (amount * 1000) / (by === 'cpu' ? cpuMs : wallMs);
  return `${times}, ${rate >= 10_000 ? `${(rate / 1000).toFixed(0)} k` : `${rate.toFixed(0)} `}${unit}/s`;
}

const formatSeconds = (ms) => `${(ms / 1000).toFixed(ms < 1000 ? 3 : 2)} s`;

function formatFigure(figure, bar) {
  const isRatio = bar.msAtMost === undefined || bar.timeAtMost !== undefined;
  return isRatio ? figure.toFixed(figure < 10 ? 2 : 1) : `${figure.toFixed(0)} ms`;
}

function formatBar(bar) {
  const by = bar.by === 'cpu' ? 'CPU' : 'wall';
  if (bar.speedAtLeast !== undefined) return `>= ${bar.speedAtLeast} of its speed (${by})`;
  const limits = [
    ...(bar.timeAtMost === undefined ? [] : [`<= ${bar.timeAtMost} of its time`]),
    ...(bar.msAtMost === undefined ? [] : [`<= ${bar.msAtMost} ms`]),
  ];
  return `${limits.join(', ')} (${by})`;
}
