import { toVisibleText } from '../console/terminal-text.js';
import { formatFirstFailure } from '../ranks/format-first-failure.js';
import { removeRankLabel } from '../signals/traceback.js';
import {
  createCut,
  type Cut,
  findWidth,
  formatHead,
  LABEL_WIDTH,
  labelled,
  type ReportLayout,
} from './report-lines.js';
import type { WhyReport } from './why-report.js';

/** What is likely enough to be looked at; the rest is in `joblens diff`. */
const MAX_DIFFERENCES = 5;

interface WhyLayout extends Omit<ReportLayout, 'formatTime'> {
  /** The command that shows all that differs from the job that went well. */
  readonly formatDiff: (good: string, failed: string) => string;
}

/** Why a job failed, in about 12 lines; each ends with a newline. */
export function formatWhy(report: WhyReport, layout: WhyLayout): string {
  const width = findWidth(layout);
  const cut = createCut(layout.ellipsis);
  const label = (name: string, text: string | undefined): string[] => labelled(name, text, width, cut);
  const lines = [
    formatHead(report, width, cut),
    ...label('Reason', report.reason),
    ...label('First', formatFirst(report)),
    ...label('Last line', findLastWord(report)),
    ...label('Against', formatAgainst(report)),
    ...formatDifferences(report, layout, cut),
    ...label('Where', formatElsewhere(report)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** The last line, unless the reason has it. */
function findLastWord({ lastLine, reason = '' }: WhyReport): string | undefined {
  const word = lastLine === undefined ? '' : removeRankLabel(lastLine).trim();
  return word === '' || reason.includes(word) ? undefined : word;
}

/** Which process failed first, and what followed. */
export function formatFirst({ firstFailure }: WhyReport): string | undefined {
  if (firstFailure === undefined) return undefined;
  const followed = firstFailure.followed === undefined ? '' : `; then ${firstFailure.followed}`;
  return `${formatFirstFailure(firstFailure)}${followed}`;
}

/** `122, 121 and 118, the last of name resnet that went well`; or why there is none; or that it did not fail. */
export function formatAgainst({ kind, against, alone }: WhyReport): string | undefined {
  if (against === undefined) return alone ?? NOT_FAILED[kind];
  const { by, label, jobs } = against;
  const which = jobs.length === 1 ? 'the only one' : `the last ${jobs.length}`;
  return `${jobs.join(', ')}: ${which} of ${by} ${label} that went well before it`;
}

const NOT_FAILED: Readonly<Partial<Record<WhyReport['kind'], string>>> = {
  running: 'it has not ended yet',
  waiting: 'it has not ended yet',
  completed: 'it did not fail',
};

function formatDifferences(report: WhyReport, layout: WhyLayout, cut: Cut): string[] {
  const { against, differences, job } = report;
  const width = findWidth(layout);
  const [good] = against?.jobs ?? [];
  if (good === undefined) return [];
  if (differences.length === 0) return labelled('Differs', 'nothing that is stored of them', width, cut);
  const room = width - LABEL_WIDTH;
  const shown = differences.slice(0, MAX_DIFFERENCES).map((one) => cut(toVisibleText(formatDifference(one)), room));
  const more = differences.length - shown.length;
  const rest = more > 0 ? [cut(toVisibleText(`and ${more} more: ${layout.formatDiff(good, job)}`), room)] : [];
  return [...shown, ...rest].map((line, at) => (at === 0 ? 'Differs' : '').padEnd(LABEL_WIDTH) + line);
}

/** `config.lr: 0.1 → 10`. */
function formatDifference({ name, text }: WhyReport['differences'][number]): string {
  return `${name}: ${text}`;
}

/** `n17; the jobs that went well ran on n1, n2`. */
export function formatElsewhere({ elsewhere, against }: WhyReport): string | undefined {
  if (elsewhere === undefined || against === undefined) return undefined;
  const count = against.jobs.length;
  const who = count === 1 ? 'the one that went well' : `the last ${count} that went well`;
  return `it ran on ${elsewhere.host}; ${who} ran elsewhere: ${elsewhere.others.join(', ')}`;
}
