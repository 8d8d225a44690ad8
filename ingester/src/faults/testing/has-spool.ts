import { existsSync, readdirSync } from 'node:fs';
import { parseWriter } from '../../spool/writer-name.js';

/** Whether the process has opened its spool below the root: from then on it logs. */
export function hasSpool(root: string, pid: number): boolean {
  return existsSync(root) && readdirSync(root).some((name) => parseWriter(name)?.pid === pid);
}
