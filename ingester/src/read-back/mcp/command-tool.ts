import { type Option, nameOf, type TypedOptions } from '../../config/option.js';
import type { ReadingSubcommand } from '../shell/reading-subcommand.js';
import type { Answer } from './answer.js';
import { explainFailureToAgent } from './explain-failure.js';
import type { ArgumentValue, Arguments, Parameter, Parameters } from './parameters.js';
import { readCount, readTexts, refuse, type Tool } from './tool.js';
import { createToolReading, type Page, type Printed } from './tool-reading.js';

interface CommandTool extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly subcommand: ReadingSubcommand;
  /** The options that an agent may give, by their long flags. */
  readonly options: readonly string[];
  /** What `jobs` are, where the subcommand takes jobs as arguments. */
  readonly jobs?: Parameter;
  /** Set if it has a --limit: it then reads no more than is shown. */
  readonly hasLimit?: true;
  /** What to do where there are no rows. */
  readonly ifNone: string;
}

const PAGE = {
  limit: { type: 'integer', description: 'the most rows', minimum: 1, maximum: 1000, default: 50 },
  offset: { type: 'integer', description: 'how many rows to leave out first, to go on', minimum: 0, default: 0 },
} as const satisfies Parameters;

/** Makes a tool of a subcommand that prints rows: its options are the arguments, and each row is an object of JSON. */
export function createCommandTool(declaration: CommandTool): Tool {
  const { name, title, description, subcommand, options, jobs } = declaration;
  const parameters: Parameters = {
    ...(jobs !== undefined && { jobs }),
    ...Object.fromEntries(options.map((flag) => [nameArgument(flag), createParameter(findOption(subcommand, flag))])),
    ...PAGE,
  };
  return {
    ...{ name, title, description, parameters },
    async call(context, given) {
      const page: Page = { offset: readCount(given, 'offset'), limit: readCount(given, 'limit') };
      const typed: TypedOptions = {
        ...readTyped(given, parameters),
        // One more than is shown tells whether there are more.
        ...(declaration.hasLimit && { limit: String(page.offset + page.limit + 1) }),
      };
      const named = readTexts(given, 'jobs');
      const { reading, printed } = createToolReading(context, page);
      const prepared = subcommand.prepareReading(typed, context.reading.settings, named);
      if (!prepared.ok) return refuse(nameArguments(prepared.error, options));
      await prepared.value(reading);
      if (printed.failure === undefined) return describe(declaration, printed, page);
      return refuse(nameArguments(await explainFailureToAgent(context.reading, printed.failure), options));
    },
  };
}

function describe({ options, name, ifNone }: CommandTool, { bounded, notes }: Printed, { offset }: Page): Answer {
  const { lines, isFull } = bounded;
  const next = offset + lines.length;
  const more = isFull ? `There are more: call ${name} again with "offset": ${next}, or narrow the question.` : '';
  const rows = lines.length === 0 ? `No rows${offset > 0 ? ` from ${offset} on` : `. ${ifNone}`}` : '';
  const shown = lines.length > 0 ? `Rows ${offset + 1} to ${next}, an object of JSON on each line.` : rows;
  return { notes: [...notes.map((note) => nameArguments(note, options)), shown, more], lines };
}

/** `from_state` of `--from-state`. */
function nameArgument(flag: string): string {
  return flag.slice(2).replaceAll('-', '_');
}

/** What commands say of their options, as agents know them. */
function nameArguments(message: string, options: readonly string[]): string {
  return message.replace(/(?<![\w-])--[a-z-]+/g, (flag) => (options.includes(flag) ? nameArgument(flag) : flag));
}

function findOption({ groups }: ReadingSubcommand, flag: string): Option<unknown> {
  const all = groups.flatMap((group) => Object.values(group.options));
  const found = all.find(({ flags }) => flags !== undefined && nameOf(flags) === flag);
  if (found === undefined) throw new Error(`there is no option ${flag}`);
  return found;
}

function createParameter({
  flags = '',
  isList,
  words,
  help,
  default: usual,
  shownDefault,
}: Option<unknown>): Parameter {
  const type = !flags.includes('<') ? 'switch' : isList ? 'texts' : 'text';
  const shown = usual ?? shownDefault;
  return { type, words, description: shown === undefined ? help : `${help} (default: ${shown})` };
}

function readTyped(given: Arguments, parameters: Parameters): TypedOptions {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => parameters[name] !== undefined && name !== 'jobs' && !Object.hasOwn(PAGE, name))
      .map(([name, value]) => [name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), typeOf(value)])
  );
}

function typeOf(value: ArgumentValue | undefined): TypedOptions[string] {
  if (typeof value === 'boolean') return value ? true : undefined;
  return typeof value === 'number' ? String(value) : value;
}
