import type { Option } from '../config/option.js';
import { nameOf } from '../config/option.js';
import { createAskStore } from '../read-back/ask-store.js';
import { findJobs } from '../read-back/find-jobs.js';
import type { SessionOptions } from '../session/session-options.js';
import type { Subcommand } from '../session/subcommand.js';
import { SCRIPTS, SHELLS } from './completion-scripts.js';

/** Nobody waits longer for a completion. */
const TIMEOUT_MS = 1500;
const MAX_JOBS = 200;
const WEEK_NS = 7n * 86_400_000_000_000n;

export function printScript({ host }: SessionOptions, shell: string): number {
  host.writeStdout(SCRIPTS[shell] ?? '');
  return 0;
}

/**
 * Prints what the last of the words may become, one on each line; nothing where the shell may offer files. The words
 * are those behind `joblens`, up to the cursor.
 */
export async function completeWords(
  session: SessionOptions,
  subcommands: readonly Subcommand[],
  words: readonly string[]
): Promise<number> {
  const current = words.at(-1) ?? '';
  const found = await listCandidates(session, subcommands, words);
  // A line feed or another control character in a word would be typed into the user's shell.
  const fitting = found.filter((word) => word.startsWith(current) && !/\p{Cc}/u.test(word));
  session.host.writeStdout(fitting.map((word) => `${word}\n`).join(''));
  return 0;
}

async function listCandidates(
  session: SessionOptions,
  subcommands: readonly Subcommand[],
  words: readonly string[]
): Promise<readonly string[]> {
  const [name = '', ...args] = words;
  if (args.length === 0) return [...subcommands.map((subcommand) => subcommand.name), 'completion', 'help'];
  if (name === 'completion') return SHELLS;
  if (name === 'help') return subcommands.map((subcommand) => subcommand.name);
  const subcommand = subcommands.find((each) => each.name === name);
  // What is behind `run --` is another command.
  if (subcommand === undefined || args.slice(0, -1).includes('--')) return [];
  return completeArgument(session, subcommand, args);
}

async function completeArgument(
  session: SessionOptions,
  subcommand: Subcommand,
  args: readonly string[]
): Promise<readonly string[]> {
  const [current = '', before = ''] = [args.at(-1), args.at(-2)];
  const options = listOptions(subcommand);
  if (current.startsWith('-')) return [...options.map(({ flags }) => nameOf(flags)), '--help'];
  const valued = options.find(
    ({ flags }) => flags.includes(' <') && [nameOf(flags), flags.slice(0, 2)].includes(before)
  );
  if (valued === undefined) return completeOperand(session, subcommand, args.slice(0, -1));
  return valued.words ?? (nameOf(valued.flags) === '--job' ? listJobs(session) : []);
}

/** A word that no option takes; `before` are the arguments before it. */
async function completeOperand(
  session: SessionOptions,
  { argument }: Subcommand,
  before: readonly string[]
): Promise<readonly string[]> {
  const { words, form = '' } = argument ?? {};
  if (words === undefined) return /\bjob\b/.test(form) ? listJobs(session) : [];
  const given = before.find((arg) => words.includes(arg));
  if (given === undefined) return words;
  return given === 'job' ? listJobs(session) : [];
}

type FlaggedOption = Option<unknown> & { readonly flags: string };

function listOptions({ groups }: Subcommand): readonly FlaggedOption[] {
  const all = groups.flatMap(({ options }) => Object.values(options));
  return all.filter((each): each is FlaggedOption => each.flags !== undefined);
}

/** The ids of the last days' jobs, running ones first, then the newest; none if the store is away. */
async function listJobs({ settings: { destination }, host }: SessionOptions): Promise<readonly string[]> {
  if (destination?.kind !== 'influxdb') return [];
  const ask = createAskStore({ ...destination.connection, timeoutMs: TIMEOUT_MS });
  const toNs = BigInt(host.clock.nowMs()) * 1_000_000n;
  const found = await findJobs(ask, { fromNs: toNs - WEEK_NS, toNs });
  return found.ok ? [...new Set(found.value.map(({ job }) => job))].slice(0, MAX_JOBS) : [];
}
