import type { Reading } from '../shell/reading.js';
import type { Answer } from './answer.js';
import type { Arguments, Parameters } from './parameters.js';

/** What a tool works with. */
export interface ToolContext {
  readonly reading: Reading;
  /** The room for data in an answer. */
  readonly maxChars: number;
  /** The address of the page of a job; undefined where nobody has said where the pages are. */
  readonly linkJob: (job: LinkedJob) => string | undefined;
}

/** A job, and the times between which its page is to show it. */
export interface LinkedJob {
  readonly job: string;
  readonly user: string;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** A question that an agent may ask. It changes nothing. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Parameters;
  readonly call: (context: ToolContext, given: Arguments) => Promise<Answer>;
}

/** The answer where a call is refused or fails: what is wrong, and what to do. */
export function refuse(...notes: readonly string[]): Answer {
  return { notes, lines: [], isError: true };
}

/** The arguments of tools about one job. */
export const ONE_JOB = {
  job: { type: 'text', description: 'the id of the job', isRequired: true },
  user: { type: 'text', description: 'its owner, where several users have a job of this id; "" if it has none' },
} as const satisfies Parameters;

export function readTextArgument(given: Arguments, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
}

export function readTexts(given: Arguments, name: string): readonly string[] {
  const value = given[name];
  return typeof value === 'object' ? value : [];
}

/** The value of an argument that has a default. */
export function readCount(given: Arguments, name: string): number {
  return readNumber(given, name) ?? 0;
}

export function readNumber(given: Arguments, name: string): number | undefined {
  const value = given[name];
  return typeof value === 'number' ? value : undefined;
}
