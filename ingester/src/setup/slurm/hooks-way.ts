import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findHookFile } from '../../config/hook-file.js';
import { SetupError } from '../parts/changes.js';
import { readIfThere } from '../parts/site-settings.js';
import { findParameter, setParameter, unsetParameter } from './slurm-conf.js';
import { markWith, type Place, planRunFile, quoteForShell, type Way } from './way.js';

const PARAMETERS = ['PrologSlurmctld', 'EpilogSlurmctld'];
/** Slurm 22.05 runs no hook that a reconfiguration has brought. Jobs run on meanwhile. */
const REREAD = 'systemctl restart slurmctld';
const FILE_LINE = 'FILE=/var/spool/joblens-hooks/events';

/** The program by which slurmctld tells the watch of jobs that start and end, and the folder that it writes to. */
export function planHooksWay(place: Place, hookFile: string): Way {
  const path = join(dirname(place.confPath), 'joblens-hook');
  const text = place.isUndone ? '' : formatHook(place, hookFile);
  const advice = `call ${path} from it by hand (docs/slurm.md)`;
  const { file, next } = planRunFile(
    place,
    { path, text, mode: 0o755, advice },
    { parameters: PARAMETERS, reread: REREAD }
  );
  const edit = (conf: string): string =>
    PARAMETERS.reduce(
      (edited, name) =>
        place.isUndone ? unsetParameter(edited, name) : setParameter(edited, name, choosePath(name, path, advice)),
      conf
    );
  const toldPath = place.isUndone ? (findHookFile(readIfThere(path) ?? '') ?? hookFile) : hookFile;
  const isKept = place.isUndone && file.after !== undefined;
  return {
    files: [file],
    edit,
    ...(isKept || (place.isUndone && file.before === undefined) ? {} : { told: { path: toldPath, findOwner } }),
    next: place.isUndone ? next : [REREAD],
  };

  /** Whoever slurmctld runs as. */
  function findOwner(): { readonly uid: number; readonly gid: number } {
    const conf = readIfThere(place.confPath) ?? '';
    const name = findParameter(conf, 'SlurmUser')?.value ?? 'root';
    return { uid: askId('-u', name), gid: askId('-g', name) };
  }
}

function choosePath(name: string, path: string, advice: string): (value: string | undefined) => string | undefined {
  return (value) => {
    if (value === undefined) return /\s/.test(path) ? `"${path}"` : path;
    if (value === path) return undefined;
    throw new SetupError(`${name} is ${value} already; ${advice}`);
  };
}

function formatHook({ packedFolder }: Place, hookFile: string): string {
  const text = readFileSync(join(packedFolder(), 'joblens-hook'), 'utf8');
  return text
    .replace('#!/bin/sh\n', () => `#!/bin/sh\n${markWith('#')}`)
    .replace(FILE_LINE, () => `FILE=${quoteForShell(hookFile)}`);
}

function askId(option: '-u' | '-g', name: string): number {
  try {
    return Number(execFileSync('id', [option, '--', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch (cause) {
    throw new SetupError(`this machine does not know SlurmUser ${name}; run this on slurmctld's machine`, { cause });
  }
}
