import {
  BUCKET_HEADS_AT,
  BUCKET_LAST,
  BUCKET_MAX,
  BUCKET_MIN,
  BUCKET_STATS,
  BUCKET_TEXTS,
  BUCKET_VALUE_BYTES,
  PART_BYTES,
  PART_FIELD,
  TEMPLATE_AT,
  TEMPLATE_COUNT,
  TEMPLATE_PARTS,
} from './metadata-layout';
import { endFields, output, putPiece, setOutput } from './metadata-output';
import { putTime } from './time';

/** The time of the open bucket's first row. */
const TIME: usize = memory.data(32);
const DOUBLE_BYTES: usize = 8;

/** The bucket begins with the present line. */
export function keepBucketTime(): void {
  putTime(TIME);
}

/** Writes the points of the bucket whose values are at `values`, as createBucketPoints in core; returns how many. */
export function writeBucketPoints(values: usize): i32 {
  let points = 0;
  for (let stat: usize = 0; stat < BUCKET_STATS * DOUBLE_BYTES; stat += DOUBLE_BYTES) {
    const start = output;
    putPiece(BUCKET_HEADS_AT, stat);
    const keyEnd = output;
    writeBucketFields(values, stat);
    if (stat == BUCKET_MIN) putPiece(BUCKET_HEADS_AT, BUCKET_STATS * DOUBLE_BYTES);
    if (output == keyEnd) {
      setOutput(start);
    } else {
      endFields(keyEnd, TIME);
      points += 1;
    }
  }
  return points;
}

function writeBucketFields(values: usize, stat: usize): void {
  let part = TEMPLATE_AT + TEMPLATE_PARTS;
  for (let i = load<i32>(TEMPLATE_AT, TEMPLATE_COUNT), at = values; i > 0; i -= 1) {
    if (isStored(at, stat)) {
      putPiece(part, PART_FIELD);
      putPiece(at + BUCKET_TEXTS, stat);
    }
    part += PART_BYTES;
    at += BUCKET_VALUE_BYTES;
  }
}

/** Whether there is a number that no other one says: the rules are those of completeBucketStats in core. */
function isStored(at: usize, stat: usize): bool {
  const value = load<f64>(at + stat);
  if (value != value) return false;
  if (stat == BUCKET_MIN) return true;
  return value != (stat == BUCKET_LAST ? load<f64>(at, BUCKET_MAX) : load<f64>(at, BUCKET_MIN));
}
