import { err, ok, type Result } from '@joblens/core/result/result';
import {
  type OptionGroup,
  type Options,
  readOptions,
  type StoredKind,
  type TypedOptions,
  type Values,
} from '../config/option.js';
import type { Settings } from '../config/settings.js';
import type { Environment } from '../host/host.js';
import type { SessionOptions } from './session-options.js';

/** The texts of a subcommand in `--help`, and its arguments. */
interface Description {
  readonly name: string;
  readonly summary: string;
  readonly argument?: {
    /** As `--help` shows it: `<command...>`, `[path...]`. */
    readonly form: string;
    readonly help: string;
    /** The arguments behind the first one, where they are others. */
    readonly further?: { readonly form: string; readonly help: string };
    /** What the first argument may be, where that is few words. Behind the word `job` comes the id of one. */
    readonly words?: readonly string[];
    /** What the shell's completion offers: for the first argument, and for those behind it if they are others. */
    readonly completes?: readonly [StoredKind, StoredKind?];
    /** Everything behind the first argument belongs to it, options too. */
    readonly takesTheRest?: true;
  };
  readonly examples: readonly string[];
  /** Paragraphs for the end of `--help`, in lines of at most 80 characters. */
  readonly remarks: string;
}

/** Declares a subcommand: a source, or a command that operates on the points of sources. */
interface SubcommandDeclaration<Own extends Options> extends Description {
  /** The options that only this subcommand has; `--help` lists them first. */
  readonly own?: OptionGroup<Own>;
  readonly shared: readonly OptionGroup[];
  /** Returns one line for the user if these options and arguments do not go together. */
  readonly findMistake?: (own: Values<Own>, settings: Settings, args: readonly string[]) => string | undefined;
  /** Runs it and resolves to the exit code. The code is imported here, so that every subcommand starts fast. */
  readonly start: (session: SessionOptions, own: Values<Own>, args: readonly string[]) => Promise<number>;
}

/** A subcommand as the registry (cli/subcommands.ts) sees it, without the types of its own options. */
export interface Subcommand extends Description {
  /** All options, in the order of `--help`. */
  readonly groups: readonly OptionGroup[];
  /** Reads its own options and returns how to start it. The error is one line for the user. */
  readonly prepare: (invocation: Invocation) => Result<(session: SessionOptions) => Promise<number>, string>;
}

interface Invocation {
  readonly typed: TypedOptions;
  readonly environment: Environment;
  readonly settings: Settings;
  readonly args: readonly string[];
}

/** Makes a subcommand for the registry from its declaration. */
export function defineSubcommand<Own extends Options>(declaration: SubcommandDeclaration<Own>): Subcommand {
  const { own, shared, findMistake, start } = declaration;
  return {
    ...declaration,
    groups: own === undefined ? shared : [own, ...shared],
    prepare({ typed, environment, settings, args }) {
      const read = readOptions((own?.options ?? {}) as Own, typed, environment);
      if (!read.ok) return read;
      const mistake = findMistake?.(read.value, settings, args);
      return mistake === undefined ? ok((session) => start(session, read.value, args)) : err(mistake);
    },
  };
}
