import { suggestNearest } from '@joblens/core/console/find-nearest';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { Environment } from '../host/host.js';
import type { ValueType } from './value-types.js';

/** Values of which the store knows some. */
export type StoredKind = 'job' | 'user' | 'state' | 'past-state' | 'topic' | 'key';

/** The declaration of an option without its flags and its type. */
interface Declaration {
  /** Its line in `--help`, to which the variables and the default are added. */
  readonly help: string;
  /** Environment variables for the same value. The option overrides them; the first one that is set counts. */
  readonly variables?: readonly string[];
  /** As a user would type it. */
  readonly default?: string;
  /** Describes a default that is found at run time. */
  readonly shownDefault?: string;
  /** A token or password: it is masked in everything that is stored. */
  readonly isSecret?: true;
  /** An empty variable is a value, perhaps a wrong one; otherwise it counts as unset. */
  readonly allowsEmpty?: true;
  /** What the shell's completion offers for it. */
  readonly completes?: StoredKind;
  /** Its flags are those of a shared option, which means something else: the settings do not have it. */
  readonly isOwn?: true;
}

/**
 * An option of the command line and its environment variables. Only its declaration knows it: the line in `--help`, the
 * typed value and the message about a wrong value come from there.
 */
export interface Option<T> extends Declaration {
  /** As `--help` shows it, `--spool <dir>`. Undefined for a value that only the environment may hold. */
  readonly flags: string | undefined;
  readonly isList?: true;
  /** All texts that the value may be, where they are few. */
  readonly words?: readonly string[] | undefined;
  /** Its value is a length of time, in milliseconds. */
  readonly isDuration?: true | undefined;
  /** The error is one line for the user: `--spool-size must be a number above 0; got "x"`. */
  readonly read: (found: Found | undefined) => Result<T, string>;
}

/** The texts that somebody gave, and by which option or variable. */
export interface Found {
  readonly by: string;
  readonly texts: readonly string[];
}

/** Options by their names in the code: with the unit of the value, which the long flag may lack. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values that options get. */
export type Values<O extends Options> = { readonly [Name in keyof O]: O[Name] extends Option<infer T> ? T : never };

/** Options under one title of `--help`. */
export interface OptionGroup<O extends Options = Options> {
  readonly title: string;
  readonly options: O;
}

/**
 * The typed options by their long flags in camel case: a text, true for a switch, a list for one that may repeat. With
 * `--no-demo`, `demo` is false; without, it is true.
 */
export type TypedOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

type Flags = string | undefined;
const NEGATION = /^--no-/;
type WithDefault = Declaration & { readonly default: string };

/** An option with a value; without a default the value may be undefined. */
export function option<T>(flags: Flags, type: ValueType<T>, declaration: WithDefault): Option<T>;
export function option<T>(flags: Flags, type: ValueType<T>, declaration: Declaration): Option<T | undefined>;
export function option<T>(flags: Flags, type: ValueType<T>, declaration: Declaration): Option<T | undefined> {
  return {
    ...declaration,
    flags,
    words: type.words,
    isDuration: type.isDuration,
    read: (found) => {
      if (found !== undefined) return parse(type, found.texts[0] ?? '', found.by);
      return declaration.default === undefined ? ok(undefined) : type.parse(declaration.default);
    },
  };
}

/** An option that may be given several times. */
export function list<T>(flags: string, type: ValueType<T>, declaration: Declaration): Option<readonly T[]> {
  return {
    ...declaration,
    flags,
    isList: true,
    words: type.words,
    read: (found) => {
      const values: T[] = [];
      for (const text of found?.texts ?? []) {
        const value = parse(type, text, found?.by ?? flags);
        if (!value.ok) return value;
        values.push(value.value);
      }
      return ok(values);
    },
  };
}

/** An option without a value. */
export function toggle(flags: string, declaration: Declaration): Option<boolean> {
  return { ...declaration, flags, read: (found) => ok(found !== undefined) };
}

/** An option without a value that switches off what is on by default, `--no-demo`: its name in the code is `demo`. */
export function negation(flags: `--no-${string}`, declaration: Declaration): Option<boolean> {
  return { ...declaration, flags, read: (found) => ok(found === undefined) };
}

function parse<T>(type: ValueType<T>, text: string, by: string): Result<T, string> {
  const value = type.parse(text);
  if (value.ok) return value;
  const meant = type.words === undefined ? '' : suggestNearest(text, type.words);
  return err(`${by} must be ${value.error}; got ${type.show?.(text) ?? JSON.stringify(text)}${meant}`);
}

/** Reads the values of all options. The error is one line about the first wrong one. */
export function readOptions<O extends Options>(
  options: O,
  typed: TypedOptions,
  environment: Environment
): Result<Values<O>, string> {
  const values: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(options)) {
    const value = each.read(find(typed, each, environment));
    if (!value.ok) return value;
    values[name] = value.value;
  }
  return ok(values as Values<O>);
}

function find(
  typed: TypedOptions,
  { flags, variables = [], allowsEmpty }: Option<unknown>,
  environment: Environment
): Found | undefined {
  const given = findTyped(typed, flags);
  if (given !== undefined && flags !== undefined) {
    return { by: nameOf(flags), texts: typeof given === 'object' ? given : [String(given)] };
  }
  for (const by of variables) {
    const text = environment[by]?.trim();
    if (text !== undefined && (text !== '' || allowsEmpty === true)) return { by, texts: [text] };
  }
  return undefined;
}

function findTyped(typed: TypedOptions, flags: Flags): TypedOptions[string] {
  if (flags === undefined) return undefined;
  const given = typed[typedNameOf(flags)];
  return NEGATION.test(flags) && given === true ? undefined : given;
}

function typedNameOf(flags: string): string {
  const words = nameOf(flags).replace(NEGATION, '--').slice(2);
  return words.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** What was typed, without the options that a subcommand keeps to itself. */
export function omitOwn(typed: TypedOptions, groups: readonly OptionGroup[]): TypedOptions {
  const options = groups.flatMap((group) => Object.values(group.options));
  const own = new Set(options.flatMap(({ flags, isOwn }) => (flags === undefined || !isOwn ? [] : typedNameOf(flags))));
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !own.has(name)));
}

/** `--spool` of `--spool <dir>`, `--lines` of `-n, --lines <n>`. */
export function nameOf(flags: string): string {
  return flags.replace(/^-\w, /, '').replace(/ .*/, '');
}

/** Lists all tokens and passwords in the options and the environment, including those that another one overrides. */
export function listSecrets(options: Options, typed: TypedOptions, environment: Environment): string[] {
  return Object.values(options)
    .filter(({ isSecret }) => isSecret === true)
    .flatMap(({ flags, variables = [] }) => [
      findTyped(typed, flags),
      ...variables.map((by) => environment[by]?.trim()),
    ])
    .filter((text) => typeof text === 'string')
    .filter((text) => text !== '');
}
