import type { Manifest } from '@joblens/core/experiment/manifest';

/** Variables that belong to the machine, the batch job or the environment of packages, not to the run. */
const OF_PLACE = /^(?:SLURM_|CUDA_VISIBLE|CONDA_|VIRTUAL_ENV|WORLD_SIZE)/;

/** A script that runs the command of a run in a checkout of its files; undefined where its arguments are not known. */
export function createRunScript({ command = {}, git, environment = {} }: Manifest, code: string): string | undefined {
  const { argv = [], folder = '' } = command;
  if (argv.length === 0) return undefined;
  const prefix = git?.prefix ?? '';
  const root =
    git !== undefined && `${folder}/`.endsWith(`/${prefix}`)
      ? `${folder}/`.slice(0, -prefix.length - 1 || undefined)
      : '';
  const move = (text: string): string => {
    if (root === '') return text;
    return text === root ? code : text.replaceAll(`${root}/`, `${code}/`);
  };
  const variables = Object.entries(environment).filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !OF_PLACE.test(name));
  const place = git === undefined ? folder : `${code}/${prefix}`;
  return [
    '#!/bin/sh',
    `cd -- ${quoteForShell(place)} || exit`,
    ...variables.map(([name, value]) => `export ${name}=${quoteForShell(move(value))}`),
    `exec ${argv.map((word) => quoteForShell(move(word))).join(' ')}`,
    '',
  ].join('\n');
}

function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
