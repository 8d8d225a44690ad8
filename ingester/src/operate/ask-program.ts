import type { Environment } from '../host/host.js';
import { runToEnd } from '../host/run-to-end.js';

const TIMEOUT_MS = 5000;
const MAX_BYTES = 2 ** 20;

/** What a program prints, whatever its exit code. Undefined where there is no such program. */
export async function askProgram(
  command: string,
  args: readonly string[],
  environment: Environment
): Promise<string | undefined> {
  const { kind, code, stdout } = await runToEnd(command, args, {
    ...{ environment, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
  });
  return kind === 'not-started' && code === 'ENOENT' ? undefined : stdout.toString('utf8');
}
