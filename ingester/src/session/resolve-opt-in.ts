import type { OptInSource } from '../config/settings.js';
import { DEFAULT_LOG_CONFIG } from '../rules/options/log-config.js';
import { type OptIn, readOptIn } from '../rules/options/read-opt-in.js';

/** `--mode` is an opt-in of its own; then no file is read. */
export function resolveOptIn(source: OptInSource, ownerUid: number): Promise<OptIn> {
  if (source.kind === 'file') return readOptIn(source.path, ownerUid);
  return Promise.resolve({ kind: 'config', config: { ...DEFAULT_LOG_CONFIG, mode: source.mode } });
}
