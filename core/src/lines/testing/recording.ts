import type { PresetName } from '../metadata-kind.js';

export type Rows = readonly Readonly<Record<string, number | string>>[];

/** A text, and the rows that a preset finds in it. */
export type Recording = readonly [preset: PresetName, text: string, rows: Rows];
