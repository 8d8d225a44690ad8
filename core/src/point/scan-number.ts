import { LineError } from './scan.js';

/** InfluxDB first accepts any digits, points and exponents, in any order, with one point at most. */
const NUMBER_LIKE = /^-?(?:\d|\.(?!.*\.)|[eE][+-]?)+$/;
const FLOAT = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** `7i`, or as InfluxDB 2.x and Telegraf's influx_uint_support write them, unsigned: `7u`. */
const INTEGER = /^(?:-?\d+i|\d+u)$/;

/**
 * Throws a LineError, in InfluxDB's words, if a word is neither a float nor an integer (`…i`, `…u`) of at most 64 bits
 * with a sign.
 */
export function checkNumber(word: string): void {
  if (INTEGER.test(word)) {
    const digits = word.slice(0, -1);
    const value = BigInt(digits);
    if (BigInt.asIntN(64, value) !== value) {
      const [kind, reader] = word.endsWith('u') ? ['unsigned', 'ParseUint'] : ['integer', 'ParseInt'];
      throw new LineError(
        `unable to parse ${kind} ${digits}: strconv.${reader}: parsing "${digits}": value out of range`
      );
    }
    return;
  }
  if (!NUMBER_LIKE.test(word) || /^-?\.?$/.test(word)) {
    throw new LineError('invalid number');
  }
  if (!FLOAT.test(word) || !Number.isFinite(Number(word))) {
    throw new LineError('invalid float');
  }
}

/** The number of a word that checkNumber accepts: a bigint for an integer. Undefined for any other word. */
export function parseNumber(word: string): number | bigint | undefined {
  if (INTEGER.test(word)) {
    return BigInt(word.slice(0, -1));
  }
  return FLOAT.test(word) ? Number(word) : undefined;
}
