import type { TablePiece } from '@joblens/core/ask/whole-table/table-pieces';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import * as fc from 'fast-check';
import { createPieceColumns, type PieceColumns } from '../memory/piece-columns.js';
import { createRecordColumns, type RecordColumns } from '../memory/record-columns.js';

const KEYS = ['step', 'loss'];
const T0 = 1_700_000_000_000_000_000n;

/** Rows that come, and rows at either end that leave or change. */
const CHANGE = fc.record({ added: fc.nat(6), dropped: fc.nat(3), changed: fc.nat(2) });

/** Lists that grow at the end, lose items at the beginning, and have other items near the end: one for each refresh. */
function playLists<T>(
  changes: ReadonlyArray<typeof CHANGE extends fc.Arbitrary<infer C> ? C : never>,
  create: (at: number) => T
) {
  let [serial, list]: [number, readonly T[]] = [0, []];
  return changes.map(({ added, dropped, changed }) => {
    const kept = list.slice(dropped, Math.max(dropped, list.length - changed));
    const count = list.slice(dropped).length - kept.length + added;
    list = [...kept, ...Array.from({ length: count }, () => create((serial += 1)))];
    return list;
  });
}

const changes = fc.array(CHANGE, { maxLength: 12 });

describe('columns of a refresh are those that the whole list has', () => {
  it('of pieces', () => {
    const create = (at: number): TablePiece => {
      const level = [2, 1, 0, -1][at % 4] ?? 0;
      const count = KEYS.length * (level === 0 ? 1 : 4);
      const values = Array.from({ length: count }, (_, place) => (place % 5 === 3 ? NaN : at + place));
      return { timeNs: T0 + BigInt(at) * 1_500_001n, level, rows: 1, values };
    };
    fc.assert(
      fc.property(changes, (script) => {
        let before: PieceColumns | undefined;
        for (const pieces of playLists(script, create)) {
          before = createPieceColumns(pieces, KEYS.length, before);
          expect(before).toEqual(createPieceColumns(pieces, KEYS.length, undefined));
        }
      })
    );
  });

  it('of rows', () => {
    const create = (at: number): MetadataRecord => ({
      timeNs: T0 + BigInt(at) * 1_500_001n,
      values: new Map<string, number | string | null>([
        ['step', at],
        ['loss', [0.5, 'NaN', null, 'text'][at % 4] ?? null],
      ]),
    });
    fc.assert(
      fc.property(changes, (script) => {
        let before: RecordColumns | undefined;
        for (const records of playLists(script, create)) {
          before = createRecordColumns(records, KEYS, before);
          const { readStats, ...columns } = before;
          const { readStats: readAllStats, ...all } = createRecordColumns(records, KEYS, undefined);
          expect(columns).toEqual(all);
          expect(readStats()).toEqual(readAllStats());
        }
      })
    );
  });
});
