import { parseMetadataLine } from './parse-metadata.js';

/**
 * The values of a configuration as it is stored (JSON): nested objects have their keys as `outer.inner`, lists stay
 * whole, as JSON. Nothing of what is no object.
 */
export function listConfigValues(config: string | undefined): ReadonlyArray<readonly [string, number | string]> {
  // As a line: a printed object is read alike, wherever it was printed.
  const line = config?.replaceAll('\n', ' ').replaceAll('\r', ' ').trim() ?? '';
  return [...(parseMetadataLine(line, { nonfinite: 'metadata' }) ?? [])];
}
