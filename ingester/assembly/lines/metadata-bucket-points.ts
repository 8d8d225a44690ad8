import {
  BUCKET_LAST,
  BUCKET_MAX,
  BUCKET_MIN,
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
 * Writes the points of the open bucket, as createBucketPoints in core, but for that of means, which nobody printed;
 * returns how many. The present line is of the same table.
 */
export function writeBucketPoints(fold: usize, table: usize): i32 {
  const heads = <usize>load<u32>(fold, FOLD_HEADS);
  let points = 0;
  for (let stat: usize = 0; stat < BUCKET_STATS * DOUBLE_BYTES; stat += DOUBLE_BYTES) {
    if (stat == BUCKET_SUM) continue;
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
    if (isStored(at, stat)) {
      putPiece(<usize>load<u32>(value, VALUE_STEP), STEP_FIELD);
      putPiece(at + BUCKET_TEXTS, stat);
    }
    column += 4;
  }
}

/** Whether there is a number that no other one says: the rules are those of completeBucketStats in core. */
function isStored(at: usize, stat: usize): bool {
  const value = load<f64>(at + stat);
  if (value != value) return false;
  if (stat == BUCKET_MIN) return true;
  return value != (stat == BUCKET_LAST ? load<f64>(at, BUCKET_MAX) : load<f64>(at, BUCKET_MIN));
}
