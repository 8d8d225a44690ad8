import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setParameter, unsetParameter } from './slurm-conf.js';
import { markWith, type Place, planOwnFile, quoteForShell, type Way } from './way.js';

const PARAMETER = 'JobSubmitPlugins';

/** The plugin that wraps the scripts of users who ask for it, or of all. */
export function planSubmitWay(place: Place, isForAll: boolean): Way {
  const path = join(dirname(place.confPath), 'job_submit.lua');
  const text = place.isUndone ? '' : formatPlugin(place, isForAll);
  const advice = 'put the functions of slurm/job_submit.lua into it by hand (docs/slurm.md)';
  return {
    files: [planOwnFile({ path, text, mode: 0o644, advice }, place.isUndone)],
    edit: (conf) => (place.isUndone ? unsetParameter(conf, PARAMETER) : setParameter(conf, PARAMETER, addLua)),
    next: [],
  };
}

function addLua(value: string | undefined): string | undefined {
  if (value === undefined) return 'lua';
  const names = value.split(',').map((name) => name.trim().replace(/^job_submit\//, ''));
  return names.includes('lua') ? undefined : `${value},lua`;
}

function formatPlugin({ packedFolder, command }: Place, isForAll: boolean): string {
  const text = readFileSync(join(packedFolder(), 'job_submit.lua'), 'utf8');
  const found = command === '/usr/bin/joblens' ? 'joblens' : quoteForShell(command);
  return (
    markWith('--') +
    text
      .replace('local JOBLENS = "joblens"', () => `local JOBLENS = ${quoteForLua(found)}`)
      .replace('local WRAP_ALL = false', `local WRAP_ALL = ${String(isForAll)}`)
  );
}

function quoteForLua(text: string): string {
  return `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
}
