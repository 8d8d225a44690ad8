/** As package.json says (engines). */
export const OLDEST_NODE = '20.19';

/** One line for the user if this version of Node, e.g. `20.19.0`, is too old. */
export function explainOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  return isOld ? `Node.js ${version} is too old; install Node ${OLDEST_NODE} or newer` : undefined;
}
