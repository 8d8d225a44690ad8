import { columnsOfText } from '../console/column-width.js';
import { cutToColumns, toVisibleText } from '../console/terminal-text.js';

/** In less, nothing can be read. */
const MIN_WIDTH = 40;
export const LABEL_WIDTH = 10;
/** What a job was called is next to its state. */
const MAX_STATE_WIDTH = 30;

export interface ReportLayout {
  /** In columns; below 40 it counts as 40. */
  readonly width: number;
  /** As the other texts for this reader show a time. */
  readonly formatTime: (timeMs: number) => string;
  /** What ends a text that is cut; `…` by default. */
  readonly ellipsis?: string;
}

/** The width that a layout gives. */
export function findWidth({ width }: Pick<ReportLayout, 'width'>): number {
  return Math.max(MIN_WIDTH, width);
}

/** Cuts a text to so many columns. */
export type Cut = (text: string, width: number) => string;

export function createCut(ellipsis: string | undefined): Cut {
  return (text, columns) => cutToColumns(text, columns, ellipsis);
}

interface Head {
  readonly job: string;
  readonly user: string;
  readonly name?: string | undefined;
  readonly state?: string | undefined;
  readonly progress?: number | undefined;
}

/** `Job 123 of ann: resnet`, and the state at the right edge. */
export function formatHead(
  { job, user, name, state = 'unknown state', progress }: Head,
  width: number,
  cut: Cut
): string {
  const done = progress === undefined || state === 'COMPLETED' ? '' : `, ${Math.floor(progress * 100)} %`;
  const right = `${cut(toVisibleText(state), Math.min(MAX_STATE_WIDTH, width / 2))}${done}`;
  const title = `Job ${toVisibleText(job)} of ${toVisibleText(user)}${name === undefined ? '' : `: ${toVisibleText(name)}`}`;
  const room = width - columnsOfText(right);
  const left = cut(title, room - 2);
  return `${left}${' '.repeat(room - columnsOfText(left))}${right}`;
}

/** A text of at most two lines behind its label. */
export function labelled(label: string, text: string | undefined, width: number, cut: Cut): string[] {
  if (text === undefined || text === '') return [];
  const room = width - LABEL_WIDTH;
  const [first, ...rest] = wrap(toVisibleText(text), room, cut);
  const lines = rest.length === 0 ? [first ?? ''] : [first ?? '', cut(rest.join(' '), room)];
  return lines.map((line, i) => (i === 0 ? label : '').padEnd(LABEL_WIDTH) + line);
}

/** Breaks a text between words into lines of so many columns; a longer word is cut. */
export function wrap(text: string, width: number, cut: Cut): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').map((each) => cut(each, width))) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOfText(last) + 1 + columnsOfText(word) <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
