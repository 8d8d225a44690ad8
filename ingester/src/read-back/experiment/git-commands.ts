import { spawn } from 'node:child_process';
import { err, ok } from '@joblens/core/result/result';
import type { GitWithInput } from '../../experiment/check-out-run.js';
import type { Environment } from '../../host/host.js';

/** What is stored names the remote: it may not run a program. */
const SETTINGS = [
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'advice.detachedHead=false',
];

/** Runs git in a folder, as its user has set it up, whatever variables of git there are. */
export function createGitCommands(folder: string, environment: Environment): GitWithInput {
  const own = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
  return (args, input) =>
    new Promise((resolve) => {
      const child = spawn('git', [...SETTINGS, ...args], { cwd: folder, env: own });
      const [out, errors]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
      child.stdin.on('error', () => undefined);
      child.once('error', (error) => resolve(err(`git cannot be run: ${error.message}`)));
      child.once('close', (code) => {
        const said = Buffer.concat(errors).toString().trim().split('\n').at(-1) ?? '';
        resolve(code === 0 ? ok(Buffer.concat(out).toString()) : err(said || `git ended with ${code}`));
      });
      child.stdin.end(input);
    });
}
