import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SessionOptions } from '../../session/session-options.js';
import { type Changes, SetupError } from '../parts/changes.js';
import { isThere } from '../parts/look.js';
import { hasMarkedLines } from '../parts/marked-lines.js';
import { findPackageFolder } from '../parts/package-files.js';
import { changeFile, type PlannedFile, removeIfEmpty } from '../parts/planned-file.js';
import { readIfThere } from '../parts/site-settings.js';
import { checkConf, checkPlugin, readConfigInEffect } from './check-conf.js';
import { planHooksWay } from './hooks-way.js';
import { findIncluded, findParameter } from './slurm-conf.js';
import { makeToldFolder, removeToldFolder } from './told-folder.js';
import { planSubmitWay } from './submit-way.js';
import { planTaskPrologWay } from './task-prolog-way.js';
import { planWatchWay } from './watch-way.js';
import { findCommand, type Place, type Way } from './way.js';

interface SetupSlurm {
  readonly isUndone: boolean;
  readonly watch: boolean;
  readonly submit: boolean;
  readonly wrapAll: boolean;
  readonly taskProlog: boolean;
  readonly hooks: boolean;
  /** Where the hooks write. */
  readonly hookFile: string;
  /** The path of slurm.conf. */
  readonly slurmConf: string | undefined;
  /** Where joblens is on the nodes. */
  readonly command: string | undefined;
  readonly siteFolder: string | undefined;
  readonly unitFolder: string;
}

const USUAL_CONFS = ['/etc/slurm/slurm.conf', '/etc/slurm-llnl/slurm.conf', '/usr/local/etc/slurm.conf'];
const SUBMIT_PACKAGES = 'the package of Slurm that has it, or build Slurm with Lua';

/** Sets up the ways to log that are named, or takes them away. All is checked before anything is changed. */
export async function setUpSlurm({ host }: SessionOptions, setup: SetupSlurm, changes: Changes): Promise<void> {
  const { isUndone } = setup;
  const named = setup.slurmConf ?? host.environment['SLURM_CONF'];
  const confPath = named ?? USUAL_CONFS.find((path) => isThere(path)) ?? '/etc/slurm/slurm.conf';
  const place: Place = {
    ...{ isUndone, environment: host.environment },
    command: setup.command ?? findCommand(host.installFolder),
    packedFolder: () => findPackageFolder(host.installFolder, 'slurm', 'slurm'),
    config: isUndone ? await readConfigInEffect(host.environment) : new Map(),
    confPath,
  };
  const ways = await planWays(place, setup, { installFolder: host.installFolder, isConfNamed: named !== undefined });
  const conf = await planConf(place, ways);
  await changeAll(ways, conf, isUndone, changes);
  if (changes.count > 0) sayNext(ways, conf, changes);
}

async function changeAll(
  ways: readonly Way[],
  conf: readonly PlannedFile[],
  isUndone: boolean,
  changes: Changes
): Promise<void> {
  const files = ways.flatMap((way) => way.files);
  // slurm.conf names no file that is not there.
  const ordered = isUndone ? [...conf, ...files].filter(({ before, after }) => before !== after) : [...files, ...conf];
  const told = ways.flatMap((way) => way.told ?? []);
  if (!isUndone) for (const each of told) await makeToldFolder(each, changes);
  for (const file of ordered) await changeFile(file, changes);
  if (isUndone) for (const { path } of told) await removeToldFolder(path, changes);
  if (isUndone && !changes.isDryRun)
    for (const folder of ways.flatMap((way) => way.folder ?? [])) removeIfEmpty(folder);
}

async function planWays(
  place: Place,
  { watch, submit, taskProlog, hooks, hookFile, wrapAll, siteFolder, unitFolder }: SetupSlurm,
  own: { readonly installFolder: string; readonly isConfNamed: boolean }
): Promise<Way[]> {
  const plans = [
    { isNamed: submit, plan: () => planSubmitWay(place, wrapAll) },
    { isNamed: taskProlog, plan: () => planTaskPrologWay(place) },
    { isNamed: hooks, plan: () => planHooksWay(place, hookFile) },
    { isNamed: watch, plan: () => planWatchWay({ ...place, ...own, siteFolder, unitFolder, hookFile }) },
  ];
  const isAll = place.isUndone && plans.every(({ isNamed }) => !isNamed);
  const ways: Way[] = [];
  for (const { isNamed, plan } of plans) if (isNamed || isAll) ways.push(await plan());
  if (submit && !place.isUndone) await checkPlugin('job_submit_lua', SUBMIT_PACKAGES, place.environment);
  return ways;
}

function sayNext(ways: readonly Way[], conf: readonly PlannedFile[], changes: Changes): void {
  const isConfChanged = conf.some(({ before, after }) => before !== after);
  const reread = isConfChanged ? ['scontrol reconfigure   (where all nodes have the new slurm.conf)'] : [];
  for (const line of [...ways.flatMap(({ next }) => next), ...reread]) changes.show(`then          ${line}\n`);
}

/** slurm.conf, and a copy of what it was before the first change. */
async function planConf({ confPath, isUndone, environment }: Place, ways: readonly Way[]): Promise<PlannedFile[]> {
  const edits = ways.flatMap(({ edit }) => edit ?? []);
  if (edits.length === 0) return [];
  const before = readIfThere(confPath);
  if (before === undefined) {
    if (isUndone) return [];
    throw new SetupError(`there is no ${confPath}: name slurm.conf with --slurm-conf`);
  }
  const after = tryEdits(confPath, before, edits);
  if (!isUndone) refuseIncluded(confPath, before, after);
  if (after !== before) await checkConf(confPath, after, environment);
  const copyPath = `${confPath}.before-joblens`;
  const copy = readIfThere(copyPath);
  const isMarked = hasMarkedLines(after);
  const mode = statSync(confPath).mode & 0o7777;
  const kept = isMarked ? (copy ?? before) : undefined;
  const conf = { path: confPath, before, after, mode };
  const planned = { path: copyPath, before: copy, after: kept, mode };
  return copy === kept ? [conf] : isUndone ? [conf, planned] : [planned, conf];
}

function tryEdits(path: string, text: string, edits: readonly ((text: string) => string)[]): string {
  try {
    return edits.reduce((edited, edit) => edit(edited), text);
  } catch (error) {
    throw error instanceof SetupError ? new SetupError(`${path}: ${error.message}`) : error;
  }
}

/** What an included file sets cannot be completed in another one. */
function refuseIncluded(path: string, before: string, after: string): void {
  for (const name of ['JobSubmitPlugins', 'TaskProlog', 'PrologSlurmctld', 'EpilogSlurmctld']) {
    if (findParameter(before, name)?.value === findParameter(after, name)?.value) continue;
    const included = findIncluded(before, dirname(path), name);
    if (included !== undefined)
      throw new SetupError(`${included} sets ${name}: change it there by hand (docs/slurm.md)`);
  }
}
