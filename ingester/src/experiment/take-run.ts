import { join } from 'node:path';
import { formatManifest, type Manifest } from '@joblens/core/experiment/manifest';
import { listConfigValues } from '@joblens/core/metadata/config-values';
import { MAX_STRING_BYTES } from '@joblens/core/schema/log-point';
import { describeFileError, readErrorCode } from '../host/file-error.js';
import type { Environment } from '../host/host.js';
import type { ReproduceLevel, TakenRun } from '../rules/options/reproduce.js';
import { NamedSecrets } from '../secrets/named-secrets.js';
import type { SystemFiles } from '../usage/system-files.js';
import type { BoundedPrograms } from './bounded-programs.js';
import { findProgram, findVersionOption, type FoundProgram } from './find-interpreter.js';
import { findPackages } from './find-packages.js';
import { type GitSnapshot, takeGitSnapshot } from './git-snapshot.js';
import { describeText, hashText, keepPatch, readScript } from './kept-texts.js';
import { readInputs, readLocks } from './read-inputs.js';
import { findSeeds, readSurroundings } from './surroundings.js';

export interface TakeRunOptions {
  readonly level: Exclude<ReproduceLevel, 'off'>;
  readonly argv: readonly string[];
  readonly folder: string;
  readonly environment: Environment;
  /** JSON, as it is stored. */
  readonly config: string | undefined;
  readonly inputs: readonly string[];
  /** Values that must never be stored. */
  readonly secrets: readonly string[];
  readonly programs: BoundedPrograms;
  readonly files: SystemFiles;
  readonly scratchFolder: string;
}

/** Parts that may be large, the least needed first. */
const LARGE_PARTS = ['environment', 'inputs', 'seeds', 'modules', 'locks', 'command'] as const;

/**
 * Takes what a run is while it runs. Where `programs` are stopped, the rest is missing, with the reason; what is there
 * is true.
 */
export async function takeRun(options: TakeRunOptions): Promise<TakenRun> {
  const { argv, folder, environment, config, files, programs, level } = options;
  const secrets = new NamedSecrets(options.secrets);
  const unknown: Record<string, string> = {};
  const program = (await orMissing(unknown, 'executable', () => findProgram(argv, folder, environment))) ?? {};
  const interpreter = await readVersion(options, program.interpreter);
  const packages = await orMissing(unknown, 'packages', () => listPackages(options, program, interpreter));
  const snapshot = await readSnapshot(options);
  const patch = snapshot.patch === undefined ? undefined : keepPatch(snapshot.patch, secrets);
  const texts = new Map<string, string>();
  if (level === 'full') {
    const script = await orMissing(unknown, 'script', () => readScript(program.script, secrets));
    const found = { patch: patch?.text, packages: joinLines(packages ?? []), script };
    for (const [name, text = ''] of Object.entries(found)) if (text !== '') texts.set(name, text);
  }
  const locks = (await orMissing(unknown, 'locks', () => readLocks(folder))) ?? {};
  const onUnknown = (found: string): void => void (unknown['inputs'] ??= found);
  const inputs = await readInputs(options.inputs, folder, { run: programs.run, environment, onUnknown });
  const surroundings = await orMissing(unknown, 'machine', () => readSurroundings(environment, files));
  const missing = { ...snapshot.missing, ...filledTexts({ patch: patch?.missing }), ...unknown };
  const described = [...texts].map(([name, text]) => [name, describeText(text)] as const);
  const manifest = fit({
    command: {
      ...{ argv: secrets.maskArguments(argv), folder },
      ...filledTexts({ executable: program.executable, interpreter }),
    },
    ...(Object.keys(snapshot.facts).length > 0 && { git: snapshot.facts }),
    ...(packages && { packages: { count: packages.length, sha256: hashText(joinLines(packages)) } }),
    ...(surroundings && maskValues(surroundings, secrets)),
    ...filled({ locks, inputs, missing, seeds: findSeeds(argv, listConfigValues(config), environment) }),
    ...filled({ texts: Object.fromEntries(described.map(([name, { facts }]) => [name, facts])) }),
  });
  return { manifest, texts: new Map(described.map(([name, { lines }]) => [name, lines])) };
}

/** What nobody can tell now is missing, with the reason: a part of it would be taken for all. */
async function orMissing<T>(
  missing: Record<string, string>,
  part: string,
  take: () => T | Promise<T>
): Promise<T | undefined> {
  try {
    return await take();
  } catch (error) {
    if (readErrorCode(error) === undefined) throw error;
    missing[part] = `it cannot be read: ${describeFileError(error)}`;
    return undefined;
  }
}

const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

async function readVersion(
  { programs, folder, environment }: TakeRunOptions,
  interpreter: string | undefined
): Promise<string | undefined> {
  const option = interpreter === undefined ? undefined : findVersionOption(interpreter);
  if (interpreter === undefined || option === undefined) return undefined;
  const said = await programs.run(interpreter, [option], { folder, environment });
  return said.ok ? said.value.toString().trim().split('\n', 1)[0] : undefined;
}

/** The packages of the Python that runs the command, else of the environment that is active. */
async function listPackages(
  options: TakeRunOptions,
  { interpreter }: FoundProgram,
  version: string | undefined
): Promise<readonly string[] | undefined> {
  const { environment } = options;
  if (interpreter !== undefined && version?.startsWith('Python ') === true) {
    return findPackages(interpreter, version, environment);
  }
  const active = environment['VIRTUAL_ENV'] ?? environment['CONDA_PREFIX'];
  if (active === undefined) return undefined;
  const python = join(active, 'bin', 'python');
  const found = await readVersion(options, python);
  return found === undefined ? undefined : findPackages(python, found, environment);
}

async function readSnapshot(options: TakeRunOptions): Promise<GitSnapshot> {
  const { folder, environment, programs, scratchFolder, level } = options;
  const { run } = programs;
  const taken = await takeGitSnapshot({ folder, environment, run, scratchFolder, takesPatch: level === 'full' });
  if (!taken.ok) return { facts: {}, missing: { git: taken.error } };
  return taken.value ?? { facts: {}, missing: {} };
}

function maskValues(surroundings: Manifest, secrets: NamedSecrets): Manifest {
  const { environment } = surroundings;
  if (environment === undefined) return surroundings;
  const masked = Object.entries(environment).map(([name, value]) => [name, secrets.maskText(value)]);
  return { ...surroundings, environment: Object.fromEntries(masked) as Record<string, string> };
}

function filledTexts(texts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter((text): text is [string, string] => text[1] !== undefined));
}

/** Only the parts that hold something. */
function filled<T extends Record<string, object>>(parts: T): Partial<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0)) as Partial<T>;
}

/** A field of the store holds so much; what does not fit is left out, and named. */
function fit(manifest: Manifest): Manifest {
  let fitting = manifest;
  for (const part of LARGE_PARTS) {
    if (Buffer.byteLength(formatManifest(fitting)) <= MAX_STRING_BYTES) break;
    const rest = Object.fromEntries(Object.entries(fitting).filter(([name]) => name !== part)) as Manifest;
    fitting = { ...rest, missing: { ...fitting.missing, [part]: 'it is too large' } };
  }
  return fitting;
}
