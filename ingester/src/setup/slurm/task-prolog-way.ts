import { dirname, join } from 'node:path';
import { SetupError } from '../parts/changes.js';
import { setParameter, unsetParameter } from './slurm-conf.js';
import { markWith, type Place, planRunFile, quoteForShell, type Way } from './way.js';

const PARAMETER = 'TaskProlog';

/** A program on each node that puts joblens on the PATH of each task that does not find it. */
export function planTaskPrologWay(place: Place): Way {
  const path = join(dirname(place.confPath), 'joblens-task-prolog');
  const line = formatLine(place.command);
  const text = `#!/bin/sh\n${markWith('#')}${line}\nexit 0\n`;
  const advice = `add this line to it: ${line}`;
  const choose = (value: string | undefined): string | undefined => {
    if (value === undefined) return /\s/.test(path) ? `"${path}"` : path;
    if (value === path) return undefined;
    throw new SetupError(`${PARAMETER} is ${value} already; ${advice}`);
  };
  const { file, next } = planRunFile(
    place,
    { path, text, mode: 0o755, advice },
    {
      parameters: [PARAMETER],
      reread: 'scontrol reconfigure',
    }
  );
  const copy = `copy ${path} to the same place on each node, where the nodes do not share it: without it each job there fails`;
  return {
    files: [file],
    edit: (conf) => (place.isUndone ? unsetParameter(conf, PARAMETER) : setParameter(conf, PARAMETER, choose)),
    next: place.isUndone ? next : [copy],
  };
}

/** Slurm takes what it prints for the task's environment. */
function formatLine(command: string): string {
  const [folder, quoted] = [quoteForShell(dirname(command)), quoteForShell(command)];
  return `command -v joblens >/dev/null 2>&1 || [ ! -x ${quoted} ] || printf 'export PATH=%s:%s\\n' "$PATH" ${folder}`;
}
