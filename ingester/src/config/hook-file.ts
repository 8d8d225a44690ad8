/** Where slurmctld's hooks write, unless the site has another place. */
export const DEFAULT_HOOK_FILE = '/var/spool/joblens-hooks/events';

/** The file that a hook writes, from its text: one word of a shell. */
export function findHookFile(text: string): string | undefined {
  const [, word] = /^FILE=(.*)$/m.exec(text) ?? [];
  return word?.replace(/^'(.*)'$/, (_, inner: string) => inner.replaceAll(String.raw`'\''`, "'"));
}
