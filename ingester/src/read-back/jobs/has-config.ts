import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { listConfigValues } from '@joblens/core/metadata/config-values';
import { parseKeyValue } from '../../config/value-types.js';

/**
 * Whether the configuration of a job has all of these values, `key=value` each. A key may be the end of one behind a
 * point: `lr` is `optimizer.lr`, too. Numbers are equal however they are written.
 */
export function createConfigTest(wanted: readonly string[]): (job: Pick<JobRecord, 'config'>) => boolean {
  const pairs = wanted.map(parseKeyValue);
  if (pairs.length === 0) return () => true;
  return ({ config }) => {
    const values = listConfigValues(config);
    return pairs.every(([key, text]) =>
      values.some(([name, value]) => isConfigKey(name, key) && isConfigValue(value, text))
    );
  };
}

export function isConfigKey(name: string, key: string): boolean {
  return name === key || name.endsWith(`.${key}`);
}

export function isConfigValue(value: number | string, text: string): boolean {
  return typeof value === 'number' ? text.trim() !== '' && Number(text) === value : value === text;
}
