import { SINCE_EVER } from '@joblens/core/ask/reading/selection';
import type { LogSelection } from '@joblens/core/ask/log/log';
import { err, ok, type Result } from '@joblens/core/result/result';
import { createSignalCompiler } from '../../rules/signals/compile-signal.js';
import { readJob } from '../shell/choose-job.js';
import { type Answer, createBoundedLines, cutText } from './answer.js';
import { explainFailureToAgent } from './explain-failure.js';
import {
  findMatches,
  type Match,
  type Matches,
  type NumberedLine,
  readLastLines,
  readLinesFrom,
} from './numbered-lines.js';
import type { Arguments, Parameters } from './parameters.js';
import { ONE_JOB, readCount, readNumber, readTextArgument, refuse, type Tool, type ToolContext } from './tool.js';

const LINES = {
  ...ONE_JOB,
  stream: {
    type: 'text',
    words: ['both', 'stdout', 'stderr'],
    description: 'what it printed where; numbers of lines count the lines of the choice',
    default: 'both',
  },
  task: { type: 'text', description: 'only of this task' },
  line_chars: {
    type: 'integer',
    description: 'where a longer line is cut',
    ...{ minimum: 80, maximum: 100_000, default: 1000 },
  },
} as const satisfies Parameters;

export const READ_LOG: Tool = {
  name: 'read_log',
  title: 'Read the log of a job',
  description:
    'Lines of a log as a console would show them, with their numbers: the last ones, or those from from_line on. ' +
    'Read the end first; to find something in a long log, use search_log.',
  parameters: {
    ...LINES,
    from_line: { type: 'integer', description: 'begin with this line, from 1 (default: the last lines)', minimum: 1 },
    lines: { type: 'integer', description: 'the most lines', minimum: 1, maximum: 5000, default: 100 },
  },
  async call(context, given) {
    const chosen = await chooseLog(context, given);
    if (!chosen.ok) return chosen.error;
    const { selection, link } = chosen.value;
    const limit = readCount(given, 'lines');
    const from = readNumber(given, 'from_line');
    const read =
      from === undefined
        ? await readLastLines(context.reading, selection, limit)
        : await readLinesFrom(context.reading, selection, { from, limit });
    if (!read.ok) return refuse(read.error);
    const bounded = createBoundedLines(context.maxChars);
    const numbered = from === undefined ? keepLast(read.value.lines, context.maxChars, given) : read.value.lines;
    for (const each of numbered) if (!bounded.add(formatNumbered(each, given, '\t'))) break;
    const shown = numbered.slice(0, bounded.lines.length);
    const isMore = read.value.isCut || bounded.isFull;
    return { notes: [describeLines(shown, from), describeMore(shown, isMore), link], lines: bounded.lines };
  },
};

/** The last lines that there is room for. */
function keepLast(lines: readonly NumberedLine[], maxChars: number, given: Arguments): readonly NumberedLine[] {
  let chars = 0;
  const first = lines.findLastIndex((each) => (chars += formatNumbered(each, given, '\t').length + 1) > maxChars);
  return lines.slice(Math.min(first + 1, Math.max(0, lines.length - 1)));
}

function describeLines(shown: readonly NumberedLine[], from: number | undefined): string {
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined)
    return from === undefined ? 'The job has printed nothing there.' : `There is no line ${from}.`;
  return `Lines ${first.number} to ${last.number}${from === undefined ? ', the last of the log' : ''}.`;
}

function describeMore(shown: readonly NumberedLine[], isMore: boolean): string {
  const [first, last] = [shown[0], shown.at(-1)];
  const before = first !== undefined && first.number > 1 ? 'For earlier lines, give a lower "from_line". ' : '';
  return `${before}${isMore && last !== undefined ? `There are more: go on with "from_line": ${last.number + 1}.` : ''}`;
}

export const SEARCH_LOG: Tool = {
  name: 'search_log',
  title: 'Search the log of a job',
  description:
    'Lines that match a regular expression (RE2, as grep -n -C prints them): NUMBER: before a match, NUMBER- before a ' +
    'line around it, -- between groups. The store searches, so that the log may be of any length.',
  parameters: {
    ...LINES,
    pattern: { type: 'text', description: 'regular expression; (?i) in front ignores case', isRequired: true },
    context: { type: 'integer', description: 'lines around each match', minimum: 0, maximum: 50, default: 2 },
    from_line: { type: 'integer', description: 'look from this line on', minimum: 1, default: 1 },
    limit: { type: 'integer', description: 'the most matches', minimum: 1, maximum: 200, default: 20 },
  },
  async call(context, given) {
    const pattern = readTextArgument(given, 'pattern') ?? '';
    const compiled = createSignalCompiler()(pattern);
    if (!compiled.ok) return refuse(`pattern: ${compiled.error}`);
    const chosen = await chooseLog(context, given);
    if (!chosen.ok) return chosen.error;
    const { selection, link } = chosen.value;
    const found = await findMatches(
      context.reading,
      { ...selection, patterns: [pattern] },
      {
        from: readCount(given, 'from_line'),
        limit: readCount(given, 'limit'),
        context: readCount(given, 'context'),
      }
    );
    if (!found.ok) return refuse(found.error);
    return describeMatches(found.value, given, { maxChars: context.maxChars, link });
  },
};

function describeMatches(
  { matches, isCut }: Matches,
  given: Arguments,
  { maxChars, link }: { readonly maxChars: number; readonly link: string }
): Answer {
  let bounded = createBoundedLines(maxChars);
  let last = addGroups(matches, given, bounded.add);
  if (last === undefined) {
    // The lines around the first match leave no room for it.
    bounded = createBoundedLines(maxChars);
    last = addGroups(matches.map(leaveOutContext), given, bounded.add) ?? 0;
  }
  const shown = countUpTo(matches, last);
  const isMore = isCut || bounded.isFull;
  const counted = `${shown === 1 ? 'One match' : `${shown} matches`}${isMore ? '' : ', and no more'}.`;
  const none = 'No line matches. (?i) in front of the pattern ignores case.';
  const next = isMore ? `There may be more: go on with "from_line": ${last + 1}.` : '';
  return { notes: [matches.length === 0 ? none : counted, next, link], lines: bounded.lines };
}

function countUpTo(matches: readonly Match[], last: number): number {
  return matches.filter(({ number }) => number <= last).length;
}

function leaveOutContext({ number, around }: Match): Match {
  return { number, around: around.filter((each) => each.number === number) };
}

/** Adds the lines of matches, each once; returns the number of the last match for which there was room. */
function addGroups(matches: readonly Match[], given: Arguments, add: (line: string) => boolean): number | undefined {
  const isMatch = new Set(matches.map(({ number }) => number));
  let [added, last]: [number, number | undefined] = [0, undefined];
  for (const { around } of matches) {
    for (const each of around.filter(({ number }) => number > added)) {
      if (added > 0 && each.number > added + 1 && !add('--')) return last;
      if (!add(formatNumbered(each, given, isMatch.has(each.number) ? ':' : '-'))) return last;
      added = each.number;
      if (isMatch.has(added)) last = added;
    }
  }
  return last;
}

interface ChosenLog {
  readonly selection: LogSelection;
  readonly link: string;
}

async function chooseLog({ reading, linkJob }: ToolContext, given: Arguments): Promise<Result<ChosenLog, Answer>> {
  const job = readTextArgument(given, 'job') ?? '';
  const found = await readJob(reading.ask, job, readTextArgument(given, 'user'));
  if (!found.ok) return err(refuse(await explainFailureToAgent(reading, found.error)));
  const { user } = found.value;
  const stream = readTextArgument(given, 'stream');
  const link = linkJob({ job, user });
  return ok({
    selection: {
      ...{ job, user, task: readTextArgument(given, 'task') },
      streams: stream === 'stdout' || stream === 'stderr' ? [stream] : [],
      ...SINCE_EVER,
    },
    link: link === undefined ? '' : `Page of the job: ${link}`,
  });
}

/** The number, and where the line comes from unless that was asked for, stand in front of what the job printed. */
export function formatNumbered({ number, line }: NumberedLine, given: Arguments, mark: string): string {
  const places = [
    ...(line.stream === 'stderr' && readTextArgument(given, 'stream') !== 'stderr' ? ['stderr'] : []),
    ...(line.task !== undefined && given['task'] === undefined ? [`task ${line.task}`] : []),
  ];
  const place = places.length > 0 ? ` (${places.join(', ')})` : '';
  return `${number}${place}${mark}${cutText(line.line, readCount(given, 'line_chars'))}`;
}

/** The same of a whole log, for an overview. */
export const OF_ALL: Arguments = { stream: 'both', line_chars: LINES.line_chars.default };
