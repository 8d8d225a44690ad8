import { columnsOfText } from '../console/column-width.js';
import { toVisibleText } from '../console/terminal-text.js';
import { formatNumber } from '../numbers/format-number.js';
import type { JobUsage } from '../ask/tables/job-usage.js';
import { formatFirstFailure } from '../ranks/format-first-failure.js';
import { formatBytes } from '../words/bytes.js';
import { formatDuration } from '../words/duration.js';
import type { JobReport, ReportSignal } from './job-report.js';
import {
  createCut,
  type Cut,
  findWidth,
  formatHead,
  LABEL_WIDTH,
  labelled,
  type ReportLayout,
  wrap,
} from './report-lines.js';

const INDENT = '  ';
/** The report is one screen. */
const MAX_VALUE_LINES = 4;
const MAX_SIGNALS = 4;

/** The report as plain text of at most this width and about 24 lines; each line ends with a newline. */
export function formatReport(report: JobReport, { ellipsis, ...layout }: ReportLayout): string {
  const width = findWidth(layout);
  const cut = createCut(ellipsis);
  const blocks = [
    [formatHead(report, width, cut), ...formatFacts(report, { ...layout, width }, cut)],
    formatResources(report).map((line) => cut(line, width)),
    titled('Last values', formatValues(report.values, width - INDENT.length, cut)),
    titled('Signals', formatSignals(report.signals, width - INDENT.length, cut)),
    titled(
      'Advice',
      report.advice.flatMap((sentence) => wrap(sentence, width - 4, cut).map(indentAfterFirst('- ')))
    ),
  ];
  const lines = blocks.filter((block) => block.length > 0).flatMap((block, i) => (i === 0 ? block : ['', ...block]));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function formatFacts(report: JobReport, { width, formatTime }: ReportLayout, cut: Cut): string[] {
  const {
    reason,
    exitCode,
    firstFailure,
    startedMs,
    endedMs,
    aliveUntilMs,
    durationS,
    waitS = 0,
    asked,
    queue,
    nodes,
    host,
    command,
    workdir,
  } = report;
  const times = [
    startedMs !== undefined && `${formatTime(startedMs)} started`,
    endedMs !== undefined && `${formatTime(endedMs)} ended`,
    aliveUntilMs !== undefined && `no sign of life since ${formatTime(aliveUntilMs)}`,
  ];
  const limit = asked.timeLimitS === undefined ? '' : ` of ${formatDuration(asked.timeLimitS * 1000)}`;
  const place = [
    queue !== undefined && `queue ${queue}`,
    nodes !== undefined && `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`,
    host,
  ];
  const label = (name: string, text: string | undefined): string[] => labelled(name, text, width, cut);
  return [
    ...label('Reason', reason ?? (exitCode ? `exit code ${exitCode}` : undefined)),
    ...label('First', formatFirst(firstFailure)),
    ...label('Time', join(times)),
    ...label('Took', durationS === undefined ? undefined : formatDuration(durationS * 1000) + limit),
    // Without a scheduler a job starts as it is submitted.
    ...label('Waited', waitS < 1 && queue === undefined ? undefined : formatDuration(waitS * 1000)),
    ...label('Where', join(place)),
    ...label('Command', command),
    ...label('Folder', workdir),
  ];
}

function formatFirst(first: JobReport['firstFailure']): string | undefined {
  if (first === undefined) return undefined;
  const followed = first.followed === undefined ? '' : `; then ${first.followed}`;
  return `${formatFirstFailure(first)}${followed}`;
}

function formatResources({ asked, used, nodes = 1 }: JobReport): string[] {
  const perNode = nodes > 1 ? ' a node' : '';
  const rows: ReadonlyArray<readonly [string, string | undefined, string | undefined]> = [
    [
      'CPU',
      asked.cpus?.toString(),
      used?.cpuCores === undefined ? undefined : `${formatCores(used.cpuCores)} on average`,
    ],
    [
      'Memory',
      asked.memoryBytes === undefined ? undefined : formatBytes(asked.memoryBytes) + perNode,
      used?.memoryBytes === undefined ? undefined : `${formatBytes(used.memoryBytes)} at most`,
    ],
    ['GPU', asked.gpus?.toString(), formatGpuUse(used?.gpus ?? [])],
  ];
  const known = rows.filter(([, was, is]) => was !== undefined || is !== undefined);
  if (known.length === 0) return [];
  const format = ([what, was = '-', is = '-']: (typeof rows)[number]): string =>
    what.padEnd(LABEL_WIDTH) + was.padEnd(16) + is;
  return [format(['', 'asked', 'used']), ...known.map(format)];
}

function formatGpuUse(gpus: JobUsage['gpus']): string | undefined {
  const percents = gpus.flatMap(({ percent }) => percent ?? []);
  const bytes = gpus.flatMap(({ memoryBytes }) => memoryBytes ?? []);
  const mean = percents.reduce((sum, percent) => sum + percent, 0) / percents.length;
  return join([
    percents.length > 0 && `${Math.round(mean)} % busy on average`,
    bytes.length > 0 && `${formatBytes(Math.max(...bytes))} at most`,
  ]);
}

/** `epoch 10   loss 0.25`, as many as fit. */
function formatValues(values: JobReport['values'], width: number, cut: Cut): string[] {
  const lines: string[] = [];
  const entries = Object.entries(values).map(([key, value]) =>
    cut(`${toVisibleText(key)} ${toVisibleText(typeof value === 'number' ? formatNumber(value) : value)}`, width)
  );
  for (const [i, entry] of entries.entries()) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOfText(last) + 3 + columnsOfText(entry) <= width) {
      lines[lines.length - 1] = `${last}   ${entry}`;
    } else if (lines.length < MAX_VALUE_LINES) lines.push(entry);
    else return [...lines, `and ${entries.length - i} more`];
  }
  return lines;
}

function formatSignals(signals: readonly ReportSignal[], width: number, cut: Cut): string[] {
  const shown = signals.slice(-MAX_SIGNALS).map(({ severity, message, place, count }) => {
    const [times, where] = [count > 1 ? ` (${count} times)` : '', place === undefined ? '' : ` (${place})`];
    return cut(toVisibleText(`${severity}: ${message}${where}${times}`), width);
  });
  const more = signals.length - shown.length;
  return more > 0 ? [`${more} before`, ...shown] : shown;
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => INDENT + line)];
}

function join(parts: ReadonlyArray<string | false | undefined>): string | undefined {
  const known = parts.filter((part) => typeof part === 'string' && part !== '');
  return known.length === 0 ? undefined : known.join(', ');
}

function indentAfterFirst(mark: string): (line: string, i: number) => string {
  return (line, i) => (i === 0 ? mark : ' '.repeat(mark.length)) + line;
}

/** A mean over a whole job is not known more finely. */
const formatCores = (cores: number): string => String(Number(cores.toFixed(cores < 1 ? 2 : 1)));
