import { nameOf, type Option } from '../config/option.js';
import type { SessionOptions } from '../session/session-options.js';
import type { Subcommand } from '../session/subcommand.js';
import { listStored, type NamedJob } from './complete-values.js';
import { SCRIPTS, SHELLS } from './completion-scripts.js';

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

/** An option with its value in one word, as in `--state=FAILED`. */
const JOINED = /^(?<flag>--[\w-]+)=(?<value>[^]*)$/;

async function completeArgument(
  session: SessionOptions,
  subcommand: Subcommand,
  args: readonly string[]
): Promise<readonly string[]> {
  const options = listOptions(subcommand);
  const joined = JOINED.exec(args.at(-1) ?? '')?.groups;
  if (joined !== undefined) {
    const { flag = '', value = '' } = joined;
    const values = await completeArgument(session, subcommand, [...args.slice(0, -1), flag, value]);
    return values.map((each) => `${flag}=${each}`);
  }
  const [current = '', before = ''] = [args.at(-1), args.at(-2)];
  if (current.startsWith('-')) return [...options.map(({ flags }) => nameOf(flags)), '--help'];
  const valued = findValued(options, before);
  const given = readGiven(options, args.slice(0, -1));
  if (valued === undefined) return completeOperand(session, subcommand, given);
  if (valued.words !== undefined) return valued.words;
  return valued.completes === undefined ? [] : listStored(session, valued.completes, nameJob(subcommand, given));
}

/** The arguments before the cursor. */
interface Given {
  /** The arguments that no option takes. */
  readonly operands: readonly string[];
  readonly user: string | undefined;
}

function readGiven(options: readonly FlaggedOption[], words: readonly string[]): Given {
  const args = words.flatMap((word) => {
    const { flag, value } = JOINED.exec(word)?.groups ?? {};
    return flag === undefined || value === undefined ? [word] : [flag, value];
  });
  const operands = args.filter(
    (arg, i) => !arg.startsWith('-') && findValued(options, args[i - 1] ?? '') === undefined
  );
  const at = args.lastIndexOf('--user');
  return { operands, user: at === -1 ? undefined : args[at + 1] };
}

function findValued(options: readonly FlaggedOption[], arg: string): FlaggedOption | undefined {
  return options.find(({ flags }) => flags.includes(' <') && [nameOf(flags), flags.slice(0, 2)].includes(arg));
}

function nameJob({ argument }: Subcommand, { operands: [job], user }: Given): NamedJob | undefined {
  return job !== undefined && argument?.completes?.[0] === 'job' ? { job, user } : undefined;
}

/** A word that no option takes. */
async function completeOperand(
  session: SessionOptions,
  subcommand: Subcommand,
  given: Given
): Promise<readonly string[]> {
  const { words, completes = [] } = subcommand.argument ?? {};
  if (words !== undefined) {
    const [what] = given.operands;
    if (what === undefined) return words;
    return what === 'job' ? listStored(session, 'job', undefined) : [];
  }
  const [first, behind = first] = completes;
  const kind = given.operands.length === 0 ? first : behind;
  return kind === undefined ? [] : listStored(session, kind, nameJob(subcommand, given));
}

type FlaggedOption = Option<unknown> & { readonly flags: string };

function listOptions({ groups }: Subcommand): readonly FlaggedOption[] {
  const all = groups.flatMap(({ options }) => Object.values(options));
  return all.filter((each): each is FlaggedOption => each.flags !== undefined);
}
