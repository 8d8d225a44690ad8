/** What this process was started with, before Node changed it. Only the launcher (bin/joblens) can see it. */
export interface Inherited {
  /** Their numbers. */
  readonly ignoredSignals: readonly number[];
  /** The soft limit of open files, as `ulimit` prints it. */
  readonly openFiles: string;
  readonly nodeOptions: string | undefined;
}

/**
 * `text`: the ignored signals as in /proc/PID/status, the limit, and behind the word `given` the value of NODE_OPTIONS.
 */
export function parseInherited(text: string): Inherited {
  const [, mask = '0', openFiles = '', , nodeOptions] = /^(\S+) (\S+) (given ([^]*))?$/.exec(text) ?? [];
  const bits = BigInt(`0x${mask}`);
  const numbers = Array.from({ length: 64 }, (_, i) => i + 1);
  return {
    ignoredSignals: numbers.filter((number) => ((bits >> BigInt(number - 1)) & 1n) === 1n),
    openFiles,
    nodeOptions,
  };
}
