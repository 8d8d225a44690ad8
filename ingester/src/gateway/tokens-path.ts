import { join } from 'node:path';
import { findStateFolder } from '../config/merge-settings.js';
import type { Host } from '../host/host.js';

/** The file of `joblens token`, where nobody names another. */
export function findTokensPath({ environment, machine }: Pick<Host, 'environment' | 'machine'>): string {
  return join(findStateFolder(environment, machine), 'gateway-tokens.json');
}
