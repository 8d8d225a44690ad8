import { isDeepStrictEqual } from 'node:util';

/** As toEqual, which takes many times as long for what is large and the same, but tells a difference. */
export function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}
