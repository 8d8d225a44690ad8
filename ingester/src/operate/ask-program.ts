import { execFile } from 'node:child_process';
import type { Environment } from '../host/host.js';

const TIMEOUT_MS = 5000;

/** What a program prints, whatever its exit code. Undefined where there is no such program. */
export function askProgram(
  command: string,
  args: readonly string[],
  environment: Environment
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, [...args], { env: environment, timeout: TIMEOUT_MS }, (error, stdout) => {
      resolve(error?.code === 'ENOENT' ? undefined : stdout);
    });
  });
}
