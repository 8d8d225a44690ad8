/**
 * The parts of a segment's file name, which are needed to read the file: `<8 hex digits: number><8 hex digits:
 * salt>.segment`.
 */
interface SegmentName {
  /** Rises from segment to segment. */
  readonly number: number;
  readonly salt: number;
}

const SUFFIX = '.segment';

export function formatSegmentName({ number, salt }: SegmentName): string {
  return formatHex(number) + formatHex(salt) + SUFFIX;
}

/** The inverse; undefined when it is not a segment's name. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const [, number = '', salt = ''] = /^([0-9a-f]{8})([0-9a-f]{8})\.segment$/.exec(name) ?? [];
  return number === '' ? undefined : { number: parseInt(number, 16), salt: parseInt(salt, 16) };
}

function formatHex(value: number): string {
  return value.toString(16).padStart(8, '0');
}

/** A segment file, and the records in it that count: `first` to before `end`. */
export interface Segment extends SegmentName {
  readonly path: string;
  readonly first: number;
  end: number;
  sizeBytes: number;
  /** Some of it cannot be read, so it is set aside instead of removed. */
  isDamaged?: true;
}

/** Ends the segment before the record `end`. Bytes from `sizeBytes` on do not count. */
export function cutSegment(segment: Segment, end: number, sizeBytes: number): void {
  segment.end = Math.min(segment.end, end);
  segment.sizeBytes = sizeBytes;
}

/** Adds an empty segment. Records from `first` on count only in this one. */
export function addSegment(segments: Segment[], added: Pick<Segment, 'number' | 'salt' | 'path' | 'first'>): Segment {
  for (const segment of segments) segment.end = Math.min(segment.end, added.first);
  const segment: Segment = { ...added, end: Infinity, sizeBytes: 0 };
  segments.push(segment);
  return segment;
}
