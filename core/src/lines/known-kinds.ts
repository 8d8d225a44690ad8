import type { MetadataKind } from './metadata-kind.js';
import { AUTO_PRESETS } from './presets/presets.js';

/** The kinds that a line may be of without a rule of its own, the surest first. */
export const KNOWN_KINDS: readonly MetadataKind[] = [
  'json',
  'python-dict',
  ...AUTO_PRESETS.map(({ name }) => ({ preset: name })),
  'logfmt',
];
