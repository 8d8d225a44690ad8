import { dateTimeFormat } from '@grafana/data';
import { HOUR_MS } from '@joblens/core/numbers/time-units';
import type { Emptiness } from '../views/parts/components/EmptyState.js';
import { JOBS_PAGE } from '../views/parts/job-link.js';
import { type JobRow, readEndMs } from '../views/parts/job-rows.js';
import { readStateKind } from '../frames/state-kind.js';
import type { View } from '../views/view.js';

/** What the store was asked about a job of which a view has nothing to show, and what it answered. */
export interface FoundOfJob {
  readonly view: View;
  readonly row: JobRow;
  /** The newest line or row, of any time, of what the view shows; undefined: there is none. */
  readonly newestMs: number | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly timeZone: string;
}

interface Case {
  readonly isSo: (found: FoundOfJob) => boolean;
  readonly say: (found: FoundOfJob) => Emptiness;
}

/** The first that is so is said, and each claims only what its test, and those of the cases before, have checked. */
const CASES: readonly Case[] = [
  { isSo: ({ row, toMs }) => toMs < Number(row.from), say: sayBefore },
  { isSo: ({ row, fromMs }) => fromMs > (readEndMs(row) ?? Infinity), say: sayAfter },
  { isSo: ({ row }) => isWaiting(row), say: sayWaiting },
  { isSo: ({ view }) => view.stored === undefined, say: sayNoPlace },
  { isSo: ({ newestMs, row }) => newestMs === undefined && hasStateAlone(row), say: () => STATE_ALONE },
  { isSo: ({ newestMs, row }) => newestMs === undefined && isRunning(row), say: ({ view }) => sayNone(view, 'soFar') },
  { isSo: ({ newestMs }) => newestMs === undefined, say: ({ view }) => sayNone(view, 'never') },
  { isSo: ({ newestMs = 0, fromMs }) => newestMs < fromMs, say: sayOlder },
  { isSo: ({ newestMs = 0, toMs }) => newestMs > toMs, say: sayNewer },
  { isSo: () => true, say: sayOthers },
];

/** Why the view of a job that the store knows is empty. */
export function explainJob(found: FoundOfJob): Emptiness {
  const said = CASES.find(({ isSo }) => isSo(found))?.say(found) ?? found.view.emptiness;
  return isWholeShown(found) || isWaiting(found.row) ? said : { ...said, ways: [showWhole(found)] };
}

/** Why nothing of a job is shown that has neither a description nor lines; `newestMs` is that of all else. */
export function explainUndescribed(job: string, newestMs: number | undefined, timeZone: string): Emptiness {
  if (newestMs === undefined) {
    return {
      title: `Job ${job} is not known`,
      // Behind joblens gateway, a job of others is one that does not exist: this must be true of both.
      hint: 'Nothing under this id is stored for you to see. Perhaps its owner has not opted in, or it is not shared with you.',
      ways: [{ label: 'All jobs', href: JOBS_PAGE }],
    };
  }
  return {
    title: `Nothing describes job ${job}`,
    hint: `Only rows or events of it are stored; the newest is of ${format(newestMs, timeZone)}.`,
    ways: [
      { label: 'Go to that time', from: String(newestMs - HOUR_MS), to: String(newestMs + MARGIN_MS) },
      { label: 'All jobs', href: JOBS_PAGE },
    ],
  };
}

const MARGIN_MS = 2000;

/** When the store has something of a job. */
export function formatLife(row: JobRow, timeZone: string): string {
  const endMs = readEndMs(row);
  const from = format(Number(row.from), timeZone);
  if (isWaiting(row)) return `It has waited since ${from}.`;
  if (row.state === undefined) {
    return endMs === undefined
      ? `Its output began at ${from}.`
      : `Its output is from ${from} to ${format(endMs, timeZone)}.`;
  }
  if (endMs === undefined) return `It has run since ${from}.`;
  if (row.endedMs === undefined)
    return `It ran from ${from}; its last sign of life is from ${format(endMs, timeZone)}.`;
  return `It ran from ${from} to ${format(endMs, timeZone)}.`;
}

function format(ms: number, timeZone: string): string {
  return dateTimeFormat(ms, { timeZone });
}

function sayBefore({ row, timeZone }: FoundOfJob): Emptiness {
  return { title: `Job ${row.job} had not begun in this time range`, hint: formatLife(row, timeZone) };
}

function sayAfter({ row, timeZone }: FoundOfJob): Emptiness {
  const title =
    row.state === undefined
      ? `The last output of job ${row.job} is older than this time range`
      : `Job ${row.job} was over before this time range`;
  return { title, hint: formatLife(row, timeZone) };
}

function sayWaiting({ row, timeZone }: FoundOfJob): Emptiness {
  return { title: `Job ${row.job} has not started`, hint: formatLife(row, timeZone) };
}

function sayNoPlace({ row, timeZone }: FoundOfJob): Emptiness {
  return { title: `Nothing to show of job ${row.job}`, hint: formatLife(row, timeZone) };
}

const STATE_ALONE: Emptiness = {
  title: 'Only the state of this job is stored',
  hint: 'That is so where logging is switched off (mode `disabled`), and for jobs of programs that write no more.',
};

function sayNone({ emptiness, stored }: View, when: 'soFar' | 'never'): Emptiness {
  return stored?.[when] ?? emptiness;
}

function sayOlder({ view: { stored }, row, newestMs = 0, timeZone }: FoundOfJob): Emptiness {
  const one = stored?.one ?? '';
  const note = isRunning(row) && stored?.rewritten !== undefined ? ` ${stored.rewritten}` : '';
  return {
    title: `No new ${one} in this time range`,
    hint: `The newest ${one} of job ${row.job} is from ${format(newestMs, timeZone)}.${note}`,
  };
}

function sayNewer({ view: { stored }, row, newestMs = 0, timeZone }: FoundOfJob): Emptiness {
  const one = stored?.one ?? '';
  return {
    title: `No ${one} in this time range`,
    hint: `The newest ${one} of job ${row.job} is from ${format(newestMs, timeZone)}.`,
  };
}

function sayOthers({ view: { stored }, row }: FoundOfJob): Emptiness {
  const one = stored?.one ?? '';
  return {
    title: `No ${one} in this time range that the query asks for`,
    hint: `Job ${row.job} has others in it.`,
  };
}

/** One that was requeued has run before. */
function isWaiting(row: JobRow): boolean {
  return row.startedMs === undefined && readStateKind(row) === 'waiting';
}

function isRunning(row: JobRow): boolean {
  return row.endedMs === undefined && ['running', 'waiting'].includes(readStateKind(row));
}

/** In the mode `disabled` a job's state is stored, and neither command nor folder nor host. */
function hasStateAlone({ state, command, host, workdir, values }: JobRow): boolean {
  return state !== undefined && [command, host, workdir, values].every((part) => part === undefined);
}

/** A job's clock and that of the store may differ a little. */
const TOLERANCE_MS = 5000;

function isWholeShown({ row, fromMs, toMs, nowMs }: FoundOfJob): boolean {
  const endMs = readEndMs(row) ?? nowMs;
  return fromMs <= Number(row.from) + TOLERANCE_MS && endMs <= toMs + TOLERANCE_MS;
}

function showWhole({ row }: FoundOfJob): NonNullable<Emptiness['ways']>[number] {
  return { label: 'Show the whole job', from: row.from, to: row.to };
}
