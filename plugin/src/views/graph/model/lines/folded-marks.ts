import { toMs } from '../../../../frames/times.js';
import type { PanelTable } from '../../../parts/components/tables.js';
import type { XChoice } from './x-choice.js';

/** A value that was printed as NaN, Infinity or -Infinity. */
export interface NonFiniteMark {
  readonly x: number;
  /** Its place in the line's points; undefined if it is a row of those that a bucket stands for. */
  readonly index: number | undefined;
  readonly value: number;
}

/** The values of a key that are not finite, which a folded table has apart; those without an X are left out. */
export function listFoldedMarks(
  { folded }: PanelTable,
  key: string,
  x: XChoice,
  startMs: number
): readonly NonFiniteMark[] {
  return (folded?.nonFinite ?? []).flatMap(({ tsNs, values }) => {
    const cells = new Map(values);
    const printed = cells.get(key);
    const timeMs = toMs(BigInt(tsNs)) - (x.isRelative ? startMs : 0);
    const at = x.key === undefined ? timeMs : cells.get(x.key);
    if (typeof printed !== 'string' || typeof at !== 'number') return [];
    return [{ x: at, index: undefined, value: Number(printed) }];
  });
}
