import { putNumber } from './number-text';
import {
  BUCKET_COUNT,
  BUCKET_LAST,
  BUCKET_MAX,
  BUCKET_MIN,
  BUCKET_ROWS,
  BUCKET_STATS,
  BUCKET_SUM,
  BUCKET_TEXTS,
  BUCKET_VALUE_BYTES,
  FOLD_BUCKET,
  FOLD_BUCKET_TIME,
  FOLD_HEADS,
  STEP_FIELD,
  TABLE_COLUMNS,
  VALUES_AT,
} from './metadata-layout';
import { endFields, output, putPiece, setOutput } from './metadata-output';
import { VALUE_SIZE, VALUE_STEP, valuesEnd } from './metadata-values';

const DOUBLE_BYTES: usize = 8;

/**
 * Writes the points of the open bucket, as createBucketPoints in core; returns how many. The present line is of the
 * same table.
 */
export function writeBucketPoints(fold: usize, table: usize): i32 {
  const heads = <usize>load<u32>(fold, FOLD_HEADS);
  let points = 0;
  for (let stat: usize = 0; stat < BUCKET_STATS * DOUBLE_BYTES; stat += DOUBLE_BYTES) {
    const start = output;
    putPiece(heads, stat);
    const keyEnd = output;
    writeBucketFields(<usize>load<u32>(fold, FOLD_BUCKET), table, stat);
    if (stat == BUCKET_MIN) putPiece(heads, BUCKET_STATS * DOUBLE_BYTES);
    if (output == keyEnd) {
      setOutput(start);
    } else {
      endFields(keyEnd, fold + FOLD_BUCKET_TIME);
      points += 1;
    }
  }
  return points;
}

function writeBucketFields(values: usize, table: usize, stat: usize): void {
  let column = table + TABLE_COLUMNS;
  for (let value = VALUES_AT; value < valuesEnd; value += VALUE_SIZE) {
    const at = values + <usize>load<i32>(column) * BUCKET_VALUE_BYTES;
    const number = stat == BUCKET_SUM ? meanOf(at) : load<f64>(at + stat);
    if (number == number && number != knownFor(at, stat)) {
      putPiece(<usize>load<u32>(value, VALUE_STEP), STEP_FIELD);
      if (stat == BUCKET_SUM || load<i32>(at + BUCKET_TEXTS + stat, 4) == 0) putNumber(number);
      else putPiece(at + BUCKET_TEXTS, stat);
    }
    column += 4;
  }
}

/** The mean, which no rounding takes out of the range of its numbers; NaN where there is none. */
function meanOf(at: usize): f64 {
  const mean = (load<f64>(at, BUCKET_SUM) / load<f64>(at, BUCKET_COUNT)) * <f64>BUCKET_ROWS;
  return max<f64>(load<f64>(at, BUCKET_MIN), min<f64>(load<f64>(at, BUCKET_MAX), mean));
}

/** The number that is not stored, as others say it: the rules are those of completeBucketStats in core. */
function knownFor(at: usize, stat: usize): f64 {
  const lowest = load<f64>(at, BUCKET_MIN);
  const highest = load<f64>(at, BUCKET_MAX);
  if (stat == BUCKET_MIN) return NaN;
  if (stat == BUCKET_MAX) return lowest;
  return stat == BUCKET_SUM ? lowest / 2 + highest / 2 : highest;
}
