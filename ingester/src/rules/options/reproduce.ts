import type { Manifest } from '@joblens/core/experiment/manifest';
import type { LogMode } from './log-modes.js';

/** How much of what a run was may be kept, the least first: nothing; hashes, names and versions; texts, too. */
export const REPRODUCE_LEVELS = ['off', 'basic', 'full'] as const;

export type ReproduceLevel = (typeof REPRODUCE_LEVELS)[number];

/**
 * The one place that decides how much is kept of a run: by the command line, else by the opt-in file, else `basic` for
 * one of an experiment.
 */
export function decideReproduce(
  typed: ReproduceLevel | undefined,
  optedIn: ReproduceLevel | undefined,
  isOfExperiment: boolean
): ReproduceLevel {
  return typed ?? optedIn ?? (isOfExperiment ? 'basic' : 'off');
}

/** Whether a level keeps more than another. */
export function keepsMore(level: ReproduceLevel, other: ReproduceLevel): boolean {
  return REPRODUCE_LEVELS.indexOf(level) > REPRODUCE_LEVELS.indexOf(other);
}

/** What was taken of a run: the manifest, and the texts that it names. */
export interface TakenRun {
  readonly manifest: Manifest;
  /** Lines by name of the text. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

/** These hold what the job is called with, or what its files say. */
const TEXTS_OF_COMMAND: ReadonlySet<string> = new Set(['patch', 'script']);

/** As much of a run as level and mode allow; undefined where that is nothing (docs/logging-rules.md). */
export function selectTold(run: TakenRun, level: ReproduceLevel, mode: LogMode): TakenRun | undefined {
  if (level === 'off' || mode === 'disabled') return undefined;
  const kept = level === 'full' ? run : withoutTexts(run, () => true);
  if (mode === 'enabled') return kept;
  const { manifest, texts } = withoutTexts(kept, (name) => TEXTS_OF_COMMAND.has(name));
  return { manifest: withoutCommand(manifest), texts };
}

function withoutTexts({ manifest, texts }: TakenRun, isLeftOut: (name: string) => boolean): TakenRun {
  const { texts: facts = {}, ...others } = manifest;
  const kept = Object.entries(facts).filter(([name]) => !isLeftOut(name));
  return {
    manifest: { ...others, ...(kept.length > 0 && { texts: Object.fromEntries(kept) }) },
    texts: new Map([...texts].filter(([name]) => !isLeftOut(name))),
  };
}

/** Without arguments, folders, remote and whatever may tell of them. New parts are left out, too. */
function withoutCommand(manifest: Manifest): Manifest {
  const { command, git, packages, locks, modules, container, gpus, driver, environment, seeds, machine, texts } =
    manifest;
  const { interpreter } = command ?? {};
  const { commit, branch, dirty, tree } = git ?? {};
  const variables = Object.entries(environment ?? {}).filter(([, value]) => !value.includes('/'));
  const hashSeed = seeds?.['PYTHONHASHSEED'];
  return defined({
    ...{ packages, locks, modules, gpus, driver, machine, texts },
    command: interpreter === undefined ? undefined : { interpreter },
    git: git && defined({ commit, branch, dirty, tree }),
    container: container?.startsWith('/') === true ? undefined : container,
    environment: variables.length === 0 ? undefined : Object.fromEntries(variables),
    seeds: hashSeed === undefined ? undefined : { PYTHONHASHSEED: hashSeed },
  });
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

function defined<T extends object>(parts: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Partial<Defined<T>>;
}
