import { LineError } from './scan.js';

/** Digits with at most one point, then perhaps an exponent: what InfluxDB takes for a float. */
const FLOAT = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+i$/;

/** Reads a float or an integer (`…i`) up to the next comma, space or the line's end. Throws a LineError. */
export function scanNumber(line: string, start: number): { value: number | bigint; end: number } {
  let end = start;
  while (end < line.length && line[end] !== ',' && line[end] !== ' ') {
    end += 1;
  }
  const text = line.slice(start, end);
  if (INTEGER.test(text)) {
    const digits = text.slice(0, -1);
    const value = BigInt(digits);
    if (BigInt.asIntN(64, value) !== value) {
      throw new LineError(
        `unable to parse integer ${digits}: strconv.ParseInt: parsing "${digits}": value out of range`
      );
    }
    return { value, end };
  }
  if (!FLOAT.test(text)) {
    throw new LineError('invalid number');
  }
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new LineError('invalid float');
  }
  return { value, end };
}
